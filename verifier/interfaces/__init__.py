"""How people and programs reach the toolkit: the command line and the server."""
