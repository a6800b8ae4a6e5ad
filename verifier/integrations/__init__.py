"""Adapters for other frameworks: one module each, none of which needs another."""
