"""Answers to requests: looked up in memory, among those that come with the program and on disk, or else computed, once
for all who wait, with progress and a way to cancel."""
