"""Where scores were before they became a part of Checkpoints: leads there, so that old links go on working."""

from nmt.ui.app_shell import redirect

redirect("pages/checkpoints.py", show="Scores")
