"""Looking into a trained model: what moves its outputs."""
