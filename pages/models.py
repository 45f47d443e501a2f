"""Which checkpoints are there, where do they come from, and which is best at what?"""

from nmt.ui.app_shell import open_page
from nmt.ui.models.page import show_registry

open_page("Models", "Which checkpoint is best at what, and where does it come from?")
show_registry()
