"""On-disk cache of translations and scores: no sentence is decoded twice under the same key."""
