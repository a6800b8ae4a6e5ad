"""One table of the toolkit beside its peers, from one run (``make bench``), and what a fleet of servers would cost."""
