"""Where scores were before they became a part of Checkpoints: leads there, so that old links go on working."""

from nmt.ui.frame import moved

moved("pages/checkpoints.py", show="Scores")
