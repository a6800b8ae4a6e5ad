"""Properties that hold for generated claims by the thousand; each module has a command that prints its rates."""
