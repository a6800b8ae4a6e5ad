"""The knowledge base: read files, cut documents into passages, store them and search them."""
