"""Benchmarks: each is one command that prints one table."""
