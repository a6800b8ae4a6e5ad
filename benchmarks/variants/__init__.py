"""Variants of claims: each names its kind, and whether the verdict must stay or must go."""
