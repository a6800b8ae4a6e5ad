"""Late interaction (MaxSim over token vectors): the parts of the ``colbert`` backend."""
