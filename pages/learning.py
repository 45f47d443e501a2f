"""How did the model come to translate and align like this?"""

from nmt.ui.app_shell import open_page
from nmt.ui.checkpoints import find_checkpoints
from nmt.ui.learn.page import show_learning

open_page(
    "Learning",
    "See one sentence over the saved steps of a training: what the model wrote, and where it looked, as it learned.",
)
show_learning(find_checkpoints())
