"""The look of a map that takes the place of alpha, in every view and figure: no reader may take it for attention.

RNNencdec has no alpha. What is drawn for it is the effect of leaving a source word out (nmt.inspection.maps),
in a hue of its own, within a hatched frame, under a title that says so.
"""

from __future__ import annotations

from dataclasses import replace

from nmt.charts import strings
from nmt.charts.colour_scales import ColourScale, Transform

STAND_IN = ColourScale(
    title=strings.EFFECT_SCALE,
    stops=("#ffffff", "#f0acf6", "#ce2cdd", "#74077e"),
    over="#e69f00",
    symbol=strings.EFFECT,
)
"""0 white, 1 dark purple: neither the greys of alpha nor the blue and vermillion of differences. Purple keeps a colour
for eyes that miss red, green or blue."""

POSTERIOR = ColourScale(
    title=strings.POSTERIOR_SCALE,
    stops=("#ffffff", "#86e3a0", "#0f9d3a", "#05531c"),
    over="#d55e00",
    symbol=strings.POSTERIOR_SCALE,
)
"""Of the posterior where it stands beside alpha: 0 white, 1 dark green."""

ALIGNER = ColourScale(
    title=strings.ALIGNER_SCALE,
    stops=("#ffffff", "#f5d76e", "#c98a00", "#6b4700"),
    over="#d55e00",
    symbol=strings.ALIGNER_SCALE,
)
"""Of an aligner's weights where they stand beside alpha: 0 white, 1 brown."""

COLOUR = "#9416a1"
"""Colour of the frame, the title and the links in print."""


def stand_in_scale(transform: Transform) -> ColourScale:
    """Return the scale with the transform that alpha is drawn with."""
    return replace(STAND_IN, transform=transform)
