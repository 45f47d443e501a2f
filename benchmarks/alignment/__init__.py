"""Word alignment beside eflomal, an aligner for the purpose, on the same data."""
