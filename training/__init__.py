"""The pipeline that makes the embedded NLI model (``signals/verifier_signals/models/nli``) from public data."""
