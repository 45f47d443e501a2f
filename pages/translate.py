"""How do these checkpoints translate my sentence, or my text, and where did they look?"""

from nmt.ui.app_shell import open_page
from nmt.ui.checkpoints import find_checkpoints
from nmt.ui.look.input_mode import whole_text_asked
from nmt.ui.look.sentence.cards import show_cards
from nmt.ui.look.sentence.form import show_form
from nmt.ui.look.text.page import show_texts

open_page(
    "Translate",
    "See how different checkpoints translate one sentence or a whole text, and which source words RNNsearch looked at "
    "for each word it wrote.",
)
checkpoints = find_checkpoints()
if whole_text_asked(checkpoints):
    show_texts(checkpoints)
else:
    view = show_form(checkpoints)
    if view is not None:
        show_cards(view)
