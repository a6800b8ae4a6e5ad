"""Read web pages, for the command line alone; the server fetches nothing."""
