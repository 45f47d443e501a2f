"""The file: what it carries, what it may do, and which runs it refuses."""

import base64
import hashlib
import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

from nmt import native
from nmt.charts.style import line_style
from nmt.errors import InputError
from nmt.files import write_json
from nmt.page import collect, page_html
from nmt.page.payload import attributions
from nmt.runs.folder import RunInfo, list_runs, read_settings, write_settings
from nmt.runs.provenance import PROVENANCE
from nmt.texts import languages as known_languages
from tests.charts.node import ROOT
from tests.oracles.random_run import random_run
from tests.page.released import JS, released_run
from tests.programs import Commands, main


class _Page(HTMLParser):
    """Elements of a page: tags, addresses, and the texts of scripts and styles."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.addresses: list[str] = []
        self.policy = ""
        self.texts: list[tuple[str, str | None, str]] = []
        """Tag, id and text."""
        self._inside: tuple[str, str | None, str] | None = None
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        found = dict(attributes)
        self.tags.append(tag)
        self.addresses += [value for name in ("src", "href", "action") if (value := found.get(name))]
        if found.get("http-equiv") == "Content-Security-Policy":
            self.policy = found["content"] or ""
        if tag in ("script", "style"):
            self._inside = (tag, found.get("id"), "")

    def handle_data(self, data: str) -> None:
        if self._inside is not None:
            tag, name, text = self._inside
            self._inside = (tag, name, text + data)

    def handle_endtag(self, tag: str) -> None:
        if self._inside is not None:
            self.texts.append(self._inside)
            self._inside = None


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    folder = tmp_path_factory.mktemp("runs")
    return [
        released_run(folder / "search"),
        released_run(folder / "encdec", architecture="rnnencdec"),
        released_run(folder / "pieces", kind="bpe"),
    ]


def test_the_file_refers_to_nothing_outside_and_may_ask_for_nothing(runs: list[Path]) -> None:
    text = page_html(collect([str(run) for run in runs]), "<b>title</b>")
    page = _Page(text)
    assert page.addresses == []
    assert not {"b", "img", "link", "iframe", "object", "base"} & {*page.tags}
    assert not re.search(r"url\(|@import", text)
    rules = dict(rule.split(" ", 1) for rule in page.policy.split("; "))
    assert rules["default-src"] == rules["connect-src"] == rules["base-uri"] == rules["form-action"] == "'none'"
    assert rules["worker-src"] == "blob:"
    for tag, rule in (("style", "style-src"), ("script", "script-src")):
        ours = [each for each in page.texts if each[0] == tag and each[1] is None]  # the others are data
        digests = [base64.b64encode(hashlib.sha256(each[2].encode()).digest()).decode() for each in ours]
        allowed = {*rules[rule].split()} - {"'wasm-unsafe-eval'"}  # which lets scripts compile modules, not text
        assert allowed == {f"'sha256-{digest}'" for digest in digests}
        assert (len(allowed) < len(rules[rule].split())) == (tag == "script")


def test_the_module_was_built_from_its_source(runs: list[Path]) -> None:
    """Few have a compiler for it, so it is kept; .ci/page_engine.sh writes the checksum of the source at its end."""
    digest = hashlib.sha256(native.SOURCE.read_bytes()).hexdigest().encode()
    module = (JS.parent / "engine.wasm").read_bytes()
    assert module.endswith(b"source" + digest)
    assert len(module) < 58_000
    (carried,) = [text for _, name, text in _Page(page_html(collect([str(runs[0])]), "page")).texts if name == "data"]
    assert base64.b64decode(json.loads(carried)["engine"]) == module


def test_no_row_of_inputs_waits_for_another_in_the_module() -> None:
    """A row's inputs (v128.load32_splat) are used up before those of the next come, in two i32x4.dot_i16x8_s.

    If several rows' inputs are held, some have no register, and Firefox takes up to 1.8 times as long for a product.
    """
    rows = (JS.parent / "engine.wasm").read_bytes().split(b"\xfd\x09")
    assert max(row.count(b"\xfd\xba\x01") for row in rows) == 2


def test_the_weights_are_those_of_the_runs_and_shared_vocabularies_are_there_once(runs: list[Path]) -> None:
    payload = collect([str(run) for run in runs])
    carried = {name: text for _, name, text in _Page(page_html(payload, "page")).texts if name}
    for k, run in enumerate(runs):
        assert base64.b64decode(carried[f"weights-{k}"]) == (run / "model.safetensors").read_bytes()
    data = json.loads(carried["data"])
    assert len(data["vocabularies"]) == 4
    assert [run["source_vocabulary"] for run in data["runs"]] == [0, 0, 2]
    assert [run["sha256"] for run in data["runs"]] == [
        hashlib.sha256((run / "model.safetensors").read_bytes()).hexdigest() for run in runs
    ]


def test_each_place_for_a_text_has_one_in_every_language(runs: list[Path]) -> None:
    page = page_html(collect([str(run) for run in runs]), "page")
    places = re.findall(r'data-text="([\w-]+)"', page)
    (carried,) = [text for _, name, text in _Page(page).texts if name == "texts"]
    languages = json.loads(carried)["languages"]
    assert list(languages) == list(known_languages())
    for language in languages.values():
        assert {*places} <= language["texts"].keys()
        assert language.keys() == languages["en"].keys()
        assert language["texts"]["no_script"] in page


def test_corpora_are_named_with_their_terms_once(tmp_path: Path) -> None:
    texts = [f"{corpus}/train.{language}" for corpus in ("tatoeba", "mine") for language in ("en", "fr")]
    used = [
        {"source": one, "target": other, "source_sha256": "", "target_sha256": "", "repeat": 1, "read": 1, "kept": 1}
        for one, other in (texts[:2], texts[2:], texts[:2])
    ]
    provenance = {"train": used, "dev": [], "pairs_per_epoch": 3, "tokens": 9, "sessions": []}
    run = random_run(tmp_path / "before")
    write_json(run / PROVENANCE, {"format": 1, **provenance, "preparation": "", "initial": None})
    assert main(["release", "publish", str(run), str(tmp_path / "run"), "--weights", "int8"]) == 0
    tatoeba, mine = collect([str(tmp_path / "run")]).attributions
    assert "tatoeba.org" in tatoeba
    assert "Licence: CC BY 2.0 FR." in tatoeba
    assert mine == "mine. Licence: not known here."


def test_the_terms_of_every_corpus_of_the_released_runs_are_known() -> None:
    runs = [run for run in list_runs(ROOT / "checkpoints") if isinstance(run, RunInfo)]
    assert len(runs) > 20
    named = attributions(runs)
    assert [text for text in named if "not known" in text] == []
    assert len({*named}) == len(named)


def test_runs_that_a_page_cannot_have_are_refused(runs: list[Path], tmp_path: Path) -> None:
    with pytest.raises(InputError, match=f"named {runs[0].name}"):
        collect([str(runs[0]), str(runs[0])])
    with pytest.raises(InputError, match="8-bit integers"):
        collect([str(random_run(tmp_path / "fp32"))])
    with pytest.raises(InputError, match=r"^lstm .*unit"):
        collect([str(released_run(tmp_path / "lstm", unit="lstm"))])
    with pytest.raises(InputError, match=r"^dot .*score"):
        collect([str(released_run(tmp_path / "dot", score="dot"))])
    with pytest.raises(InputError, match=r"^forward .*encoder"):
        collect([str(released_run(tmp_path / "forward", encoder="forward"))])
    german = released_run(tmp_path / "german")
    (german / "checksums.json").unlink()
    write_settings(german, replace(read_settings(german), source_language="de"))
    with pytest.raises(InputError, match=r"\blanguage\b"):
        collect([str(runs[0]), str(german)])
    (runs[2] / "source.sentencepiece.model").write_bytes(b"damaged")
    with pytest.raises(InputError, match="other vocabularies"):
        collect([str(runs[2])])


def test_the_command_writes_the_file_and_says_what_is_in_it(runs: list[Path], tmp_path: Path, cli: Commands) -> None:
    out = tmp_path / "page.html"
    said = json.loads(cli.printed("page", str(runs[0]), str(runs[1]), "--out", str(out), "--beam", "3", "--json"))
    assert said == {
        "format": 1,
        "page": str(out),
        "runs": ["search", "encdec"],
        "bytes": out.stat().st_size,
    }
    text = out.read_text("utf-8")
    assert '"beam":3,"beams":[1,3,5,12]' in text
    offered = re.findall(r"<option( selected)?>(\d+)</option>", text)
    assert offered == [("", "1"), (" selected", "3"), ("", "5"), ("", "12")]
    (carried,) = [each for _, name, each in _Page(text).texts if name == "data"]
    assert json.loads(carried)["colours"] == {
        page: [line_style(number, dark=page == "dark").colour for number in range(2)] for page in ("light", "dark")
    }
    assert main(["page", str(tmp_path / "absent"), "--out", str(tmp_path / "other.html")]) == 2
    assert not (tmp_path / "other.html").exists()
