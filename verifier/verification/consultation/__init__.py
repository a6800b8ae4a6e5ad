"""Asking a reader about the claims that the signals leave open, and checking what it quotes."""
