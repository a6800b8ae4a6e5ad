"""A file goes in, Documents come out: one module for each family of formats."""
