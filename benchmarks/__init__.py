"""One command a benchmark, one table out."""
