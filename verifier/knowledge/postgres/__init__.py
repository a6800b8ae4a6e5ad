"""A knowledge base in PostgreSQL: its tables, transactions, words, indexes and the work that processes share."""
