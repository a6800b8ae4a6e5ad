"""The pipeline that makes the embedded encoders: public data in, ``backends/verifier_backends/models`` out."""
