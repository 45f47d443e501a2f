"""Which checkpoints are there, where do they come from, and which is best at what?"""

from nmt.ui.app_shell import open_page
from nmt.ui.length.additions import session_uploads
from nmt.ui.models.page import section_question, show_registry
from nmt.ui.train.watch import show_train

open_page("models", section_question)
show_registry(show_train, session_uploads().all_scores())
