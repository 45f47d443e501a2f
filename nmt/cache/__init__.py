"""Finished translations and scores on disk: no sentence is decoded twice under the same key."""
