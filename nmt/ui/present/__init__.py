"""The presentation: stored scenes in large type, one after another, for a lecture."""
