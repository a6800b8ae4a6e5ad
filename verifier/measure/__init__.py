"""How good the verdicts are: metrics, evaluation of labelled rows, and the learning of the fusion from them."""
