"""How does a model with attention work, and how did it come to align words?"""

from nmt.ui.app_shell import open_page
from nmt.ui.checkpoints import find_checkpoints
from nmt.ui.learn.place import question, show_place

open_page("learn", question)
show_place(find_checkpoints())
