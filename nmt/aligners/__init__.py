"""Aligners that combine several runs: averaged and smoothed posteriors, the aligner's folder, and links."""
