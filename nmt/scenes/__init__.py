"""Results for the first sight of a page, made by a command and stored, so that no model is loaded to show them."""
