"""The pipeline that makes the embedded encoders (``backends/verifier_backends/models``) from public data."""
