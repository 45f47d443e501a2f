"""What does a vector of fixed size lose when the sentence gets longer, and attention not?"""

from nmt.ui.app_shell import open_page
from nmt.ui.checkpoints import find_checkpoints
from nmt.ui.length.stress.page import show_stress

open_page(
    "Stress test",
    "See how translations hold when several sentences are concatenated: RNNencdec has to put them all into one vector "
    "of fixed size, RNNsearch looks back at the words.",
)
show_stress(find_checkpoints())
