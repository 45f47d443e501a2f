"""The alignment explorer: the reader's choices (form, view), what is shown (shown, draw), and its sections (page)."""
