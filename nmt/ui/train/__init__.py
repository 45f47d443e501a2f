"""Training from the page: texts and settings of a new training (plan), and the jobs with their progress (watch)."""
