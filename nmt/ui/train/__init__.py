"""Training from the page: what to train (texts, plan), and what becomes of it (watch)."""
