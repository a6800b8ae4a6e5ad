"""A claim goes in, its variants come out: each names its kind, and whether the verdict must stay or must go."""
