"""How did the model come to translate and align like this?"""

from nmt.ui.app_shell import open_page
from nmt.ui.checkpoints import find_checkpoints
from nmt.ui.learn.page import show_learning

open_page("Learn", "How did the model learn to translate and to align?")
show_learning(find_checkpoints())
