"""Recipes: full configurations of runs, read from recipes.toml.

Paper: 4.2, A.2.3, B.2, Table 2
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from nmt.config import Config
from nmt.errors import InputError
from nmt.files import read_toml
from nmt.texts import say


@dataclass(frozen=True, kw_only=True)
class Recipe:
    """An entry of recipes.toml. about: description, in a sentence or two. model, training: the settings that differ
    from those of the recipe ``base`` or, without it, from the defaults."""

    about: str
    base: str = ""
    model: Mapping[str, Any] = field(default_factory=dict)
    training: Mapping[str, Any] = field(default_factory=dict)


RECIPES = read_toml(dict[str, Recipe], Path(__file__).with_suffix(".toml"))


def recipe(name: str) -> Config:
    """Return the recipe called ``name``. InputError, with all names, if there is none."""
    if name not in RECIPES:
        raise InputError(say("errors.no_recipe", recipe=name, recipes=", ".join(RECIPES)))
    return Config.from_dict({"recipe": name, **_settings(RECIPES[name])})


def _settings(chosen: Recipe) -> dict[str, dict[str, Any]]:
    base = _settings(RECIPES[chosen.base]) if chosen.base else {"model": {}, "training": {}}
    return {"model": base["model"] | dict(chosen.model), "training": base["training"] | dict(chosen.training)}
