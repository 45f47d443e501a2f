"""The page "Stress test": sentences joined to one, of a test set and of the reader's own."""
