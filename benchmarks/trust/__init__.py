"""Commands that try to break the product; each ends with a line of figures."""
