"""Training: the loop, and the state needed to resume an interrupted run."""
