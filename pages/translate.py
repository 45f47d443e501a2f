"""How do these checkpoints translate my sentence, and where did they look?"""

from nmt.ui.cards import show_cards
from nmt.ui.checkpoints import find_checkpoints
from nmt.ui.form import show_form
from nmt.ui.frame import open_page

open_page(
    "Translate",
    "See how different checkpoints translate one sentence, and which source words RNNsearch looked at for each "
    "word it wrote.",
)
view = show_form(find_checkpoints())
if view is not None:
    show_cards(view)
