"""The commands that fit and measure what ships: weights, thresholds, the entailment head."""
