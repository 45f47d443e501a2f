"""Which checkpoint translates and aligns best, and on what?"""

from nmt.ui.checkpoints import find_checkpoints
from nmt.ui.frame import open_page
from nmt.ui.scoreboard import show_scoreboard

open_page(
    "Scores", "See what each checkpoint scored on the test sets, how well it aligns words, and how it was trained."
)
show_scoreboard(find_checkpoints())
