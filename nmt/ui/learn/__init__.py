"""The page Learning: one sentence over the saved steps of a training."""
