"""The alignment explorer: what is asked (form), what is drawn (panels), and what is done with it (sections)."""
