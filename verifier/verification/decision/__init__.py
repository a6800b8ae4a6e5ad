"""From the scores of the windows to a verdict: features, their summary for a claim, and the fusion that decides."""
