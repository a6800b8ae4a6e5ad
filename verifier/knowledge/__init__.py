"""Documents you trust go in: files -> Documents -> Passages -> a store that can be searched."""
