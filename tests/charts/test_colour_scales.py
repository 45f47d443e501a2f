"""Colour scales: exact greys, colours that matplotlib also has, an axis that can be read back."""

import json

import matplotlib
import numpy as np
import pytest

from nmt import InputError
from nmt.charts import colour_scales
from nmt.charts.colour_scales import (
    CIVIDIS,
    DIFFERENCE,
    LIGHT_PAPER,
    LOG_FLOOR,
    PAPER,
    SCALES,
    TRANSFORMS,
    ColourScale,
    colour_scale,
)
from tests.charts.test_style import contrast

EVERY = [*SCALES.values(), DIFFERENCE]
FINE = np.linspace(0, 1, 1001)


def test_paper_is_255_alpha_and_light_paper_its_negative() -> None:
    assert (PAPER.colours(FINE) == np.rint(255 * FINE)[:, None]).all()
    assert (LIGHT_PAPER.colours(FINE) == np.rint(255 - 255 * FINE)[:, None]).all()


def test_cividis_is_matplotlibs() -> None:
    theirs = matplotlib.colormaps["cividis"](np.arange(256))[:, :3] * 255
    ours = CIVIDIS.colours(np.linspace(0, 1, 256)).astype(float)
    assert np.abs(ours - theirs).max() < 9


@pytest.mark.parametrize("scale", [PAPER, LIGHT_PAPER, CIVIDIS])
def test_lightness_goes_one_way(scale: ColourScale) -> None:
    lightness = scale.colours(FINE) @ np.array([0.2126, 0.7152, 0.0722])
    steps = np.diff(lightness) * np.sign(lightness[-1] - lightness[0])
    assert steps.min() > -0.8  # rounding to 8 bits
    assert abs(lightness[-1] - lightness[0]) > 150


@pytest.mark.parametrize("scale", [one for one in vars(colour_scales).values() if getattr(one, "dark", ())])
def test_on_a_dark_page_the_paper_is_dark_and_lightness_goes_one_way_from_it(scale: ColourScale) -> None:
    paper = scale.dark.index("#1b2530")
    for stops in (scale.dark[paper:], scale.dark[paper::-1] if paper else scale.dark):
        contrasts = [contrast("#1b2530", stop) for stop in stops]
        assert contrasts == sorted(contrasts)
        assert contrasts[-1] > 7
    assert len(scale.dark) == len(scale.stops)
    assert 1.1 < contrast("#1b2530", "#101418") < 1.3  # the page around it


def test_a_difference_of_0_is_white_and_the_signs_mirror_each_other() -> None:
    assert DIFFERENCE.colours(DIFFERENCE.positions(np.array([0.0]))).tolist() == [[255, 255, 255]]
    blue, red = DIFFERENCE.colours(DIFFERENCE.positions(np.array([-0.5, 0.5]))).tolist()
    assert blue[2] > blue[0]
    assert red[0] > red[2]


@pytest.mark.parametrize("scale", EVERY)
def test_what_is_drawn_over_a_matrix_is_seen_on_every_colour(scale: ColourScale) -> None:
    over = np.array([int(scale.over[k : k + 2], 16) for k in (1, 3, 5)])
    assert np.linalg.norm(scale.colours(FINE) - over.astype(float), axis=1).min() > 60


@pytest.mark.parametrize("transform", TRANSFORMS)
def test_transforms_keep_the_order_and_the_ends(transform: str) -> None:
    places = colour_scale("paper", transform).positions(FINE)
    assert (places[0], places[-1]) == (0, 1)
    assert (np.diff(places) >= 0).all()
    inverse = {"linear": lambda p: p, "square root": lambda p: p**2, "log": lambda p: 10 ** (3 * p - 3)}[transform]
    assert inverse(places) == pytest.approx(np.maximum(FINE, LOG_FLOOR if transform == "log" else 0))


def test_values_outside_lie_at_the_ends() -> None:
    assert PAPER.positions(np.array([-2.0, 2.0])).tolist() == [0, 1]


@pytest.mark.parametrize("scale", EVERY)
def test_tick_labels_are_their_values_and_both_ends_have_one(scale: ColourScale) -> None:
    labels = scale.ticks()
    for value, label in labels.items():
        assert float(label.removeprefix("≤ ").replace("−", "-")) == value
    assert scale.positions(np.array(list(labels)[:2])).tolist() == [0, 1]


@pytest.mark.parametrize("scale", EVERY)
def test_the_browser_gets_plain_data(scale: ColourScale) -> None:
    data = json.loads(json.dumps(scale.to_dict()))
    values = [value for value, _ in data["ticks"]]
    assert values == sorted(scale.ticks())
    assert scale.positions(np.array(values[:1] + values[-1:])).tolist() == [0, 1]
    assert ["#" + bytes(stop).hex() for stop in data["stops"]] == list(scale.stops)


def test_a_scale_takes_another_transform() -> None:
    for name in SCALES:
        for transform in TRANSFORMS:
            changed = colour_scale(name, transform)
            assert (changed.transform, changed.stops) == (transform, colour_scale(name).stops)


def test_unknown_names_are_refused_with_those_there_are() -> None:
    with pytest.raises(InputError, match=r"'rainbow'.*light paper"):
        colour_scale("rainbow")
    with pytest.raises(InputError, match=r"'cubic'.*square root"):
        colour_scale("paper", "cubic")
