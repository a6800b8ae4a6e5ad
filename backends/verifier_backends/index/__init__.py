"""What the built-in backends are made of: tokens, records, postings, exact vectors and their files."""
