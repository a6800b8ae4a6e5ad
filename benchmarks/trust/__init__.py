"""Commands that try to break the product, each ending with its figure."""
