"""Grammar of one sentence or a run of them: finite verbs, clauses, statements, fragments, quotations, coreference.

Everything here works on plain text and knows nothing of how a response is laid out; :mod:`verifier.verification.claims`
builds on it.
"""
