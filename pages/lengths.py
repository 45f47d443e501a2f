"""How well does each system translate sentences of each length, and why?"""

from nmt.ui.app_shell import open_page
from nmt.ui.checkpoints import find_checkpoints
from nmt.ui.length.curve.page import show_lengths

open_page(
    "BLEU against length",
    "See how well each system translates short and long sentences, whether the difference is real, and which sentences "
    "it comes from.",
)
show_lengths(find_checkpoints())
