"""Where did the model look for each word that it wrote?"""

from nmt.ui.checkpoints import find_checkpoints
from nmt.ui.explorer.page import show_explorer
from nmt.ui.frame import open_page

open_page(
    "Explore",
    "See where a model looked for each word it wrote, and what happens when you make it write or look elsewhere.",
)
show_explorer(find_checkpoints())
