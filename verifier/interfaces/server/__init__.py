"""The server: requests over HTTP in, reports, reviews, evidence and released streams out. Extra ``server``."""
