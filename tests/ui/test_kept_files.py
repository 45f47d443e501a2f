"""Alignment files on Look: the address names them, so reload and link bring them back, and Remove takes them away."""

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from nmt.alignments.formats import FORMATS
from nmt.alignments.policy import Policy
from nmt.answers.uploads import UploadStore
from nmt.results import Alignment
from nmt.texts import APP
from nmt.ui.look.files import DIRECTIONS
from tests.alignments.formats.test_other_programs import SAMPLES, SOURCES
from tests.ui.look.explore.test_files_of_others import upload
from tests.ui.look.explore.test_page import explore, panels, weights

pytestmark = pytest.mark.usefixtures("random_checkpoints")
FILES = "import-files"
PAIR = Alignment(source=("the", "cat"), target=("le", "chat"), weights=np.eye(2, dtype=np.float32))
CSV = FORMATS["csv"].write([PAIR], Policy(), "")


def titles(at: AppTest) -> list[str]:
    return [panel["title"] for panel in panels(at)]


def address(at: AppTest) -> dict[str, list[str]]:
    values = {name: at.query_params[name] for name in at.query_params if name.startswith("import")}
    return {name: [value] if isinstance(value, str) else [*value] for name, value in values.items()}


def linked(at: AppTest) -> AppTest:
    """The page of a reader who opens this one's link."""
    return explore(**address(at))


def said(at: AppTest) -> str:
    return " ".join(element.value for kind in (at.warning, at.info, at.markdown, at.caption) for element in kind)


def remove(at: AppTest, name: str) -> AppTest:
    key = next(key for key in address(at)[FILES] if f"file {name}\n".encode() in (UploadStore().find(key, "") or b""))
    return at.button(key=f"{FILES}-{key}").click().run()


def test_a_link_brings_files_and_remove_takes_one() -> None:
    at = upload(explore(), FILES, ("a.csv", CSV), ("b.csv", CSV))
    assert titles(at) == ["a", "b"]
    assert len(set(address(at)[FILES])) == 2
    there = linked(at)
    assert titles(there) == ["a", "b"]
    assert titles(remove(there, "a.csv")) == ["b"]
    assert titles(at.run()) == ["a", "b"]  # whose reader has it still


def test_a_file_that_its_own_list_drops_is_gone() -> None:
    at = upload(explore(), FILES, ("a.csv", CSV), ("b.csv", CSV))
    at = upload(at, FILES, ("b.csv", CSV))
    assert titles(at) == titles(linked(at)) == ["b"]
    assert titles(upload(linked(at), FILES, ("c.csv", CSV))) == ["b", "c"]


def test_an_address_of_before_shows_what_was_then(monkeypatch: pytest.MonkeyPatch) -> None:
    at = upload(explore(), FILES, ("a.csv", CSV))
    before = address(at)
    at = upload(at, FILES, ("a.csv", CSV), ("b.csv", CSV))
    assert titles(at) == ["a", "b"]
    at.query_params[FILES] = before[FILES]
    monkeypatch.setattr("nmt.ui.address.travelled", lambda: True)  # by Back
    assert titles(at.run()) == ["a"]


def test_a_file_that_is_added_before_the_browser_knows_the_others_leaves_them() -> None:
    at = upload(explore(), FILES, ("a.csv", CSV), ("b.csv", CSV))
    del at.query_params[FILES]
    at = upload(at, FILES, ("a.csv", CSV), ("b.csv", CSV), ("c.csv", CSV))
    assert titles(at) == titles(linked(at)) == ["a", "b", "c"]


@pytest.mark.parametrize("key", ["0" * 40, "no key"])
def test_a_file_that_nobody_has_is_named(key: str) -> None:
    at = explore(**{FILES: [key]})
    assert APP.file_gone in said(at)
    assert not address(at)


def test_an_upload_of_another_kind_is_no_file() -> None:
    key = UploadStore().keep(b'{"test": {}}', "somebody")
    assert APP.file_gone in said(explore(**{FILES: [key]}))


def test_a_link_brings_the_words_beside_a_file() -> None:
    sample = next(sample for sample in SAMPLES.values() if sample.given.source and not sample.given.target)
    at = upload(explore(), FILES, ("a.out", sample.text))
    at = upload(at, "import-source-file", ("words.en", "".join(f"{line}\n" for line in SOURCES)))
    assert titles(at) == titles(linked(at)) == ["a"]
    assert panels(linked(at))[0]["source"] == panels(at)[0]["source"]


def test_a_link_brings_the_sentence_and_what_was_said_of_links() -> None:
    at = upload(explore(), FILES, ("gold.pharaoh", "1-1\n1-2\n"))
    given = {"import-sentence": "2", "import-source": "a b c", "import-base": "1", "import-direction": DIRECTIONS[1]}
    (panel,) = panels(explore(**address(at), **given))
    assert panel["source"] == ["a", "b", "c"]
    assert weights(panel).nonzero() == ([0], [1])


def test_the_field_says_how_long_files_are_kept() -> None:
    assert APP.kept_on_disk.format(days=30, megabytes=500) in said(explore())
