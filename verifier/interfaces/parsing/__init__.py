"""Files are read and cut into passages: in this process, or in several that feed it."""
