"""The pipeline that makes the embedded NLI model: public data in, ``signals/models/nli`` out."""
