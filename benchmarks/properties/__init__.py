"""Properties that hold for generated claims by the thousand, each module with the command that prints its rates."""
