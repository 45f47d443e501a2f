"""One sentence, a card for each checkpoint."""
