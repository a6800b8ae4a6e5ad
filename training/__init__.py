"""The pipeline that makes the embedded NLI model: public data in, ``signals/verifier_signals/models/nli`` out."""
