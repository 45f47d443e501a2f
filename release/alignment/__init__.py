"""Links between the words of the training pairs, by eflomal or sil-thot, and their counts."""
