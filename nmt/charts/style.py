"""Colours, signs and text handling common to all charts. The colour scales of matrices are in colour_scales.py."""

from dataclasses import dataclass

BLUE, VERMILLION, GREEN, PURPLE = "#0072b2", "#d55e00", "#009e73", "#cc79a7"
"""Colours of Okabe and Ito's palette: distinguishable with colour blindness, and legible on white and on near-black."""

ORANGE, SKY, BLACK = "#e69f00", "#56b4e9", "#000000"
"""The rest of the palette except yellow, which is too light on white."""

INDIGO, WINE, BROWN = "#332288", "#882255", "#661100"
"""Three of Tol's colours. With any kind of colour blindness, they differ from the palette's colours as much as the
palette's colours differ from each other."""


@dataclass(frozen=True)
class LineStyle:
    """Style of a system's line, distinguishable also in greyscale.

    Attributes:
        dash: lengths of strokes and gaps in turn, as multiples of the thickness. Empty for a solid line.
        marker: "circle", "square", "triangle", "diamond", "nabla", "pentagon" or "cross".
    """

    colour: str
    dash: tuple[float, ...]
    marker: str

    def plotly_line(self) -> dict[str, str | float]:
        """The line in Plotly's form, 2 pixels thick."""
        dash = ",".join(f"{2 * stroke:g}px" for stroke in self.dash) or "solid"
        return {"color": self.colour, "width": 2.0, "dash": dash}

    @property
    def plotly_symbol(self) -> str:
        """Plotly's name of the marker."""
        return {"triangle": "triangle-up", "nabla": "triangle-down", "cross": "x"}.get(self.marker, self.marker)

    @property
    def matplotlib_marker(self) -> str:
        """Matplotlib's name of the marker."""
        return _MATPLOTLIB_MARKERS[self.marker]


_COLOURS = (BLUE, VERMILLION, GREEN, PURPLE, ORANGE, SKY, BLACK, INDIGO, WINE, BROWN)
_ON_DARK = {
    BLUE: "#3f97dc",
    VERMILLION: "#f0803c",
    GREEN: "#2fbf94",
    SKY: "#8fd0f5",
    BLACK: "#e6edf3",
    INDIGO: "#8585ff",
    WINE: "#ff5773",
    BROWN: "#fdf4a5",
}
"""The same hues, lighter. On a dark page the palette's colours are dull, most of all in half-transparent ribbons."""
_DASHES = ((), (5.0, 2.0), (1.5, 1.5), (6.0, 2.0, 1.5, 2.0), (9.0, 2.5), (3.0, 1.0, 1.0, 1.0), (2.5, 3.0))
_MATPLOTLIB_MARKERS = {
    "circle": "o",
    "square": "s",
    "triangle": "^",
    "diamond": "D",
    "nabla": "v",
    "pentagon": "p",
    "cross": "X",
}
_MARKERS = tuple(_MATPLOTLIB_MARKERS)


def line_style(number: int, *, dark: bool = False) -> LineStyle:
    """The style of the ``number``-th system, from 0. No two of the first ten systems share a colour, and no two of the
    first seven share dashes or mark. No two of the first 49 share both dashes and mark. On a dark page some colours are
    lighter, and black is nearly white."""
    colour = _COLOURS[number % len(_COLOURS)]
    turn, k = divmod(number, len(_DASHES))
    return LineStyle(
        _ON_DARK.get(colour, colour) if dark else colour,
        _DASHES[(k + turn) % len(_DASHES)],
        _MARKERS[(k + 2 * turn) % len(_MARKERS)],
    )


MARK = "#80868e"
"""Colour of a thin line that marks a position on an axis, on a light and on a dark page."""

TRAINING, DEVELOPMENT = BLUE, VERMILLION
"""Colours of curves on the training and the development set, in every chart."""

LONGEST_LABEL = 24
"""Most characters of a word shown on an axis. A very long token would squash the plot."""


def plain(text: str) -> str:
    """Escape a text so that Plotly shows it as typed: no pseudo-HTML, no entities, no formulas."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace("$", "&#36;")


def label(word: str) -> str:
    """``word`` for an axis: as typed, but cut if it is longer than ``LONGEST_LABEL`` characters."""
    return plain(word if len(word) <= LONGEST_LABEL else word[: LONGEST_LABEL - 1] + "…")
