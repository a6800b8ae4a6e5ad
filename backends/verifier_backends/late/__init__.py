"""Late interaction: token vectors of texts in, rankings by MaxSim out. The parts of the ``colbert`` backend."""
