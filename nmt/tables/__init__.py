"""Results as tables for people and for other programs: text, Markdown, LaTeX, CSV, JSON."""
