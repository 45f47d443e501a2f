"""Values in addresses written by former versions, with the names that replaced them. These tables never change, however
the labels are worded."""

FOLLOW = {"What each step writes": "own", "What the last step writes": "final", "Typed target": "mine"}
