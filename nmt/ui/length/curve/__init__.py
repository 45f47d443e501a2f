"""The view "Score against length": scores over sentence length, and the way from there to the sentences."""
