"""Draw it before you see it: the reader links the words of a pair, then alpha and the links made by hand are shown."""
