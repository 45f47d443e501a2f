"""The view "BLEU against length": scores over sentence length, and the way from there to the sentences."""
