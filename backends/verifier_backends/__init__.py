"""Retrieval backends: they rank passages for a query, and know nothing of claims."""
