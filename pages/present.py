"""What does attention do? Scenes for a lecture, one after another in large type."""

from nmt.ui.app_shell import open_page
from nmt.ui.checkpoints import find_checkpoints
from nmt.ui.present.page import scene_title, show_presentation

open_page("present", scene_title)
show_presentation(find_checkpoints())
