"""Fields for files. The server keeps a file under its hash, and the address names it, so that a link brings it back."""

import json
import os
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import streamlit as st

from nmt.answers.uploads import DAYS, IN_MEMORY, ON_DISK
from nmt.errors import InputError
from nmt.files import changed_at
from nmt.texts import APP, say
from nmt.ui.address import Choice, notify
from nmt.ui.resources import find_upload, give_up_upload, keep_upload, upload_store

_HEAD = b"file "
"""Beginning of a file in the store. The file's name and a line break follow."""


@dataclass(frozen=True)
class KeptFile:
    """A file that a reader uploaded, or a file on disk.

    Attributes:
        file_id: key of the file in the store, a hash of name and content. For a file on disk: path and time of change.
    """

    file_id: str
    name: str
    data: bytes = field(repr=False)


@dataclass
class _Field:
    """A field of files.

    Attributes:
        files: the files that the address names, by their keys in the store.
        listed: by number of the upload, the key of each file that the browser lists in the field.
    """

    files: dict[str, KeptFile] = field(default_factory=dict)
    listed: dict[str, str] = field(default_factory=dict)


def files_of_start(most: int, refuse: Callable[[str, InputError], None]) -> list[KeptFile]:
    """The files that ``jointly app FILE …`` names.

    Args:
        most: largest number of bytes of a file. Of a larger file, one byte more is read.
        refuse: called with the name of a file that cannot be read, and the reason.
    """
    files = []
    for path in filter(Path.is_file, map(Path, json.loads(os.environ.get("JOINTLY_FILES", "[]")))):
        try:
            files.append(_on_disk(path, changed_at(path), most))
        except OSError as error:
            refuse(path.name, InputError(say("errors.cannot_be_read", file=path, reason=str(error))))
    return files


@st.cache_resource(max_entries=8, show_spinner=False)
def _on_disk(path: Path, stamp: int, most: int) -> KeptFile:
    with path.open("rb") as file:
        return KeptFile(f"{path} {stamp}", path.name, file.read(most + 1))


def ask_kept(
    title: str, key: str, about: str, megabytes: int, refuse: Callable[[str, InputError], None]
) -> list[KeptFile]:
    """Ask for files. A file is shown until the reader removes it or comes back to an address without it.

    Args:
        key: key of the field, and name of the parameter that names the files.
        about: explains the field.
        megabytes: largest size of a file.
        refuse: called with the name of a file that the store refuses, and the reason.
    """
    now: _Field = st.session_state.setdefault(f"{key}-kept", _Field())
    choice, before = Choice.of(key, []), now.listed
    now.listed = {}
    for upload in st.file_uploader(title, accept_multiple_files=True, key=key, max_upload_size=megabytes, help=about):
        try:
            now.listed[upload.file_id] = before.get(upload.file_id) or _keep(upload.name, upload.getvalue())
        except InputError as error:
            refuse(upload.name, error)
    named = dict.fromkeys([*st.query_params.get_all(key), *choice.chosen, *now.listed.values()])
    files = {name: file for name in named if (file := now.files.get(name) or _read(name)) is not None}
    gone = {before[number] for number in before.keys() - now.listed.keys()}
    new = [name for number, name in now.listed.items() if number not in before]
    if choice.read(files):
        notify(APP.file_gone)
    stay = [name for name in choice.chosen if name in files and name not in gone]
    chosen = list(dict.fromkeys([*stay, *new]))
    now.files = {name: files[name] for name in chosen}
    choice.write(chosen)
    for name in chosen:
        if name not in now.listed.values():
            with st.container(horizontal=True, vertical_alignment="center"):
                st.text(files[name].name)
                st.button(APP.remove, key=f"{key}-{name}", on_click=_remove, args=(key, name), icon=":material/delete:")
    return [*now.files.values()]


def how_kept() -> str:
    """Return the sentence on uploads: where the server keeps them, for how long, and who can open them."""
    memory = upload_store().in_memory
    megabytes = (IN_MEMORY if memory else ON_DISK) // 1_000_000
    return (APP.kept_in_memory if memory else APP.kept_on_disk).format(days=DAYS, megabytes=megabytes)


def _keep(name: str, data: bytes) -> str:
    return keep_upload(_HEAD + " ".join(name.splitlines()).encode() + b"\n" + data)


def _read(key: str) -> KeptFile | None:
    """The file of a key. None if the store has no file under this key."""
    stored = find_upload(key)
    if stored is None or not stored.startswith(_HEAD):
        return None
    name, _, data = stored.removeprefix(_HEAD).partition(b"\n")
    return KeptFile(file_id=key, name=name.decode(), data=data)


def _remove(key: str, name: str) -> None:
    choice = Choice.of(key, [])
    choice.choose([other for other in choice.chosen if other != name])
    give_up_upload(name)
