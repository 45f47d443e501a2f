"""Where did the model look for each word that it wrote?"""

from nmt.ui.app_shell import open_page
from nmt.ui.checkpoints import find_checkpoints
from nmt.ui.look.explore.page import show_explorer

open_page(
    "Explore",
    "See where a model looked for each word it wrote, and what happens when you make it write or look elsewhere.",
)
show_explorer(find_checkpoints())
