"""Computations on ``nmt.results.Alignment``: measures, marks, restriction, difference, links, files. Nothing here draws
a figure or uses a model."""
