"""Addresses of web pages go in, Documents come out: for the command line alone; the server fetches nothing."""
