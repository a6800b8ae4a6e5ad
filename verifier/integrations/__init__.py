"""Other people's frameworks: their hooks in, our checks behind them. A module for each; none needs another."""
