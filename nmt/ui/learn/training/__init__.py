"""The view "How it learned": one sentence over the saved steps of a training run."""
