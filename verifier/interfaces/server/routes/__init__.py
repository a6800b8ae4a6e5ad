"""The routes, a file for each thing that one asks about."""
