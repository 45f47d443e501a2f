"""One program for each system; each runs in its own environment and does one timed portion of work per request."""
