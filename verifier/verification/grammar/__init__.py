"""Grammar of one sentence or a run of them; :mod:`verifier.verification.claims` builds on it.

Finite verbs are found in ``verbs``. ``decomposition`` takes a sentence apart by ``clauses`` (within the limits of
``scope``); ``coreference`` resolves its pronouns by ``mentions``. Everything here works on plain
text and knows nothing of how a response is laid out.
"""
