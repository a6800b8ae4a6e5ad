"""The HTTP server: reports, reviews, evidence and checked streams (extra ``server``)."""
