"""Views of our own: a Python function each, and the markup, style and script it mounts in the page."""
