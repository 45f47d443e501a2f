"""Analysis of a trained model: the causes of its outputs."""
