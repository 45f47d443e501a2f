"""How does a model translate my sentence, or my text, and where did it look for each word?"""

from nmt.ui import strings
from nmt.ui.app_shell import open_page
from nmt.ui.checkpoints import find_checkpoints
from nmt.ui.look.checkpoint_row import whole_text_chosen
from nmt.ui.look.explore.page import show_explorer
from nmt.ui.look.text.page import show_texts
from nmt.ui.present.page import presenting, show_presentation, title

open_page(strings.LOOK, title() if presenting() else strings.LOOK_QUESTION)
checkpoints = find_checkpoints()
if presenting():
    show_presentation(checkpoints)
elif whole_text_chosen():
    show_texts(checkpoints)
else:
    show_explorer(checkpoints)
