"""How well does each checkpoint translate sentences of each length, and what is lost in long ones?"""

from nmt.ui.app_shell import open_page
from nmt.ui.checkpoints import find_checkpoints
from nmt.ui.length.page import show_place

open_page("length")
show_place(find_checkpoints())
