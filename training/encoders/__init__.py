"""The pipeline that makes the embedded encoders: public data in, ``backends/models`` out."""
