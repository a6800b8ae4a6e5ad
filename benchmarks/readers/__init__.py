"""Measure readers on labelled claims: a desk for requests, stored readings, weights learnt from them."""
