"""Passages cut into the windows that the signals read; each window can carry a span back into its document."""
