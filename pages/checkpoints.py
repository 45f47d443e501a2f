"""Which checkpoints are there, where do they come from, and which is best at what?"""

from nmt.ui.app_shell import open_page
from nmt.ui.models.page import show_registry

open_page(
    "Checkpoints",
    "See where each checkpoint comes from, how it was trained, what it scored and how well it aligns words.",
)
show_registry()
