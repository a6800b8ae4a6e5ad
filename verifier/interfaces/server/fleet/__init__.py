"""Several processes that serve one knowledge base at one address: started, watched, counted and ended together."""
