"""A former address, which leads to the place that took it in."""

from nmt.ui.app_shell import redirect

redirect("learning")
