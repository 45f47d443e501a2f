"""Values that addresses of former versions have, with the names that took their place. They never change, however the
labels are worded."""

FOLLOW = {"What each step writes": "own", "What the last step writes": "final", "Typed target": "mine"}
