"""Values in addresses written by former versions, with the names that replaced them. These tables never change, however
the labels are worded."""

MODES = {"One sentence": "sentence", "Text or file": "text"}
SPLITS = {"Into sentences": "sentences", "A sentence a line": "lines"}
SECTIONS = {
    "Length: Figure 2": "length",
    "Explain a cell": "explain",
    "Is alpha an explanation?": "maps",
    "What if": "what-if",
    "Gold links": "gold",
    "Unknown words": "unknown",
    "Table": "table",
    "Export": "export",
    "Take away": "export",
}
TARGET_KINDS = {"Best translation": "best", "One of the list": "list", "Typed target": "typed"}
SHOWN = {"Matrix": "matrix", "Links": "links", "Both": "both"}
LAYOUTS = {"As it fits": "auto", "Above each other": "horizontal", "Side by side": "vertical"}
PRUNE = {"Weight": "weight", "Mass": "mass"}
OPTIONS = {
    "Bars": "bars",
    "End mark": "end",
    "Punctuation": "punctuation",
    "Pieces of words": "pieces",
    "Target on top": "transposed",
    "Difference": "difference",
}
SCALES = {
    "Paper: 0 black, 1 white": "paper",
    "Light: 0 white, 1 black": "light-paper",
    "Square root": "square-root",
    "Logarithm": "log",
    "Colour, safe for the colour-blind": "colour-blind-safe",
}
