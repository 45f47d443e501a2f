"""The page "Lengths": scores over sentence length, and the way from there to the sentences and their alignments."""
