"""Aligners made of several runs: their posteriors averaged and smoothed, a folder that names them, links out of it."""
