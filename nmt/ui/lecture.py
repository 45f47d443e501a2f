"""Scenes that a reader adds to the lecture: sentences as Look shows them. The address of Present has the scenes."""

import json
from dataclasses import dataclass
from typing import Annotated, cast

import streamlit as st
from pydantic import Field

from nmt.errors import InputError
from nmt.records import as_record, parse_json, to_data
from nmt.texts import LOOK
from nmt.ui.address import go_to, write_address
from nmt.ui.inputs import MOST_BEAM, MOST_TOGETHER
from nmt.ui.tasks import Unknown

SCENE = "look"
"""The parameter of Present's address. Each value is a scene."""
_MOST_SCENES = 12
_ADDED, _NOW, _BROUGHT, OPENS = "lecture", "lecture-now", "lecture-brought", "lecture-opens"
"""Keys of the session's state: the scenes that were added, the scene that Look shows, a scene that Present took along
although nobody added it, and whether the reader asked for the lecture."""


@dataclass(frozen=True, kw_only=True)
class LectureScene:
    """A sentence as Look shows it, with all choices that determine its translations.

    Attributes:
        sentences: the sentences that are translated as one.
        changes: the reader's changes, as values of the address of Look.
    """

    sentences: Annotated[tuple[str, ...], Field(min_length=1, max_length=MOST_TOGETHER)]
    models: Annotated[tuple[str, ...], Field(min_length=1)]
    changes: tuple[str, ...] = ()
    beam: Annotated[int, Field(ge=1, le=MOST_BEAM)] = 12
    unknown: Unknown = "keep"

    @property
    def packed(self) -> str:
        """The scene as a value of the address."""
        return json.dumps(to_data(self), ensure_ascii=False, separators=(",", ":"))


def unpacked_scene(value: str) -> LectureScene | None:
    """The scene that an address carries. None for any other text, and for a scene with a blank sentence."""
    try:
        scene = as_record(LectureScene, parse_json(value, SCENE))
    except InputError:
        return None
    return scene if all(map(str.split, scene.sentences)) else None


def name_of(number: int) -> str:
    """Name of the reader's scene ``number``, from 1, as the parameter ``scene`` of Present's address has it."""
    return f"look-{number}"


def added_scenes() -> list[str]:
    """The scenes of this session's lecture, as values of the address."""
    return cast(list[str], st.session_state.setdefault(_ADDED, []))


def follow_scene(scene: str, *, typed: bool) -> None:
    """Open the lecture at the scene that Look shows, if the reader asked for it. ``typed``: whether the sentence is the
    reader's own. Present then takes the scene along, even if nobody added it."""
    added = added_scenes()
    st.session_state[_NOW] = scene if typed else ""
    if st.session_state.pop(OPENS, False) and scene in added:
        go_to("pages/present.py", {SCENE: added, "scene": name_of(added.index(scene) + 1)})


def toggle_scene(scene: str) -> None:
    """Add a scene to the lecture, or remove it if the lecture has it."""
    added = added_scenes()
    if scene in added:
        added.remove(scene)
    elif scene:
        added[:] = [*added, scene][-_MOST_SCENES:]


def offered(scene: str) -> list[dict[str, str]]:
    """Data of the buttons under the picture: one adds or removes the scene, one opens the lecture that has it. [] if
    Look shows no scene."""
    if scene not in added_scenes():
        return [{"kind": "scene", "text": LOOK.to_lecture}] if scene else []
    return [{"kind": "scene", "text": LOOK.from_lecture}, {"kind": "lecture", "text": LOOK.open_lecture}]


def take_scenes() -> None:
    """Write the session's scenes, and the scene that ``follow_scene`` remembers, into the address of Present. If the
    address already has scenes, these become the session's scenes."""
    listed = [value for value in st.query_params.get_all(SCENE) if unpacked_scene(value)][:_MOST_SCENES]
    added, now = added_scenes(), st.session_state.get(_NOW, "")
    if listed:
        added[:] = [value for value in listed if value != st.session_state.get(_BROUGHT)]
        return
    st.session_state[_BROUGHT] = now if now not in added else ""
    brought = [value for value in (*added, st.session_state[_BROUGHT]) if value][:_MOST_SCENES]
    if brought:
        write_address(**{SCENE: brought})
