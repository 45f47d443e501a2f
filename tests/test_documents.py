"""The documents: a log has a line for each finding, links lead somewhere, and nothing grows past its size."""

import re
import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
LOG = ROOT / "docs" / "log"
DOCUMENTS = sorted(
    path
    for path in (
        *ROOT.glob("*.md"),
        *(ROOT / "docs").rglob("*.md"),
        *(ROOT / home / "README.md" for home in ("aligners", "benchmarks", "experiments", "release")),
    )
    if path.name != "CHANGELOG.md"
)
LONGEST = {"README.md": 1000, "CONTRIBUTING.md": 2500}
"""Words at most; the others have 7,500, as much as the longest reference."""


@pytest.mark.parametrize("path", sorted(LOG.glob("*.md")), ids=lambda path: path.stem)
def test_a_log_has_a_line_for_each_finding_newest_first(path: Path) -> None:
    about, *entries = re.split(r"^## ", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    assert about.endswith("Newest first.\n\n")
    titles = [re.fullmatch(r"(\d{4}-\d\d-\d\d · .+)\n\n(?:- .+\n)+\n?", entry) for entry in entries]
    assert [entry for entry, title in zip(entries, titles, strict=True) if title is None] == []
    dates = [entry[:10] for entry in entries]
    assert dates == sorted(dates, reverse=True)
    assert f"(log/{path.name})" in (ROOT / "docs" / "log.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_links_lead_somewhere(path: Path) -> None:
    for target in re.findall(r"\]\((?!https?:|#|mailto:)([^)#\s]+)", path.read_text(encoding="utf-8")):
        assert (path.parent / target).exists(), target


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_a_document_stays_within_its_size(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").split()) <= LONGEST.get(path.relative_to(ROOT).as_posix(), 7500)


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_files_that_a_document_names_are_there(path: Path) -> None:
    """The log tells of what was; capital letters stand for names."""
    if path.parent == LOG:
        return
    named = re.findall(
        r"`((?:nmt|tests|trials|pages|docs|testsets|\.ci)/[a-z0-9_./-]+)`", path.read_text(encoding="utf-8")
    )
    assert [name for name in named if not (ROOT / name).exists() and not (ROOT / f"{name}.py").exists()] == []


CODE = re.compile(r"^```(?:console|python|text)\n.*?^```$|(?:^    [^\n]*\n)+", re.MULTILINE | re.DOTALL)
KOREAN = sorted(path for path in DOCUMENTS if path.suffixes[-2:] == [".ko", ".md"] and "glossary" not in path.name)


@pytest.mark.parametrize("path", KOREAN, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_a_korean_document_has_the_code_of_the_english_one(path: Path) -> None:
    """Whose code is run by other tests; it may have more, as the Korean model is more to its readers."""
    korean, english = (
        [*map(str.rstrip, CODE.findall(each.read_text(encoding="utf-8")))]
        for each in (path, path.with_name(path.name.replace(".ko.", ".")))
    )
    assert len(english) > 3
    assert [block for block in english if block not in korean] == []
    assert {block.split("|")[0].strip() for block in korean if block not in english} <= {
        '$ echo "나는 어제 사과를 먹었다."'
    }


@pytest.mark.parametrize("path", KOREAN, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_a_korean_document_uses_the_words_of_the_glossary(path: Path) -> None:
    """Those that it puts in brackets are not used, and no sentence ends in the plain form."""
    glossary = (ROOT / "docs" / "glossary.ko.md").read_text(encoding="utf-8")
    avoided = re.findall(r"^\|[^|]*\|[^|(]*\(([^)]*)\) \|", glossary, re.MULTILINE)
    assert len(avoided) > 5
    prose = CODE.sub("", path.read_text(encoding="utf-8"))
    assert [word for word in avoided if word in prose] == []
    assert re.findall(r"[가-힣]다\.(?=\s)", re.sub(r"니다\.", "", prose)) == []


def test_figures_in_documents_are_those_of_the_stored_results() -> None:
    """Where a comment says which figure follows; .ci/figures.py --write writes them."""
    script = runpy.run_path(str(ROOT / ".ci" / "figures.py"))
    for name in script["DOCUMENTS"]:
        text = (ROOT / name).read_text(encoding="utf-8")
        assert len(script["FIGURE"].findall(text)) > 20
        assert text.count("<!-- -->") == len(script["FIGURE"].findall(text)), "a comment without its kind"
        assert script["renewed"](text) == text
    old = "<!-- bleu rnnsearch-50 newstest2014 -->9.9 / 9.9<!-- -->"
    assert script["renewed"](old) == old.replace("9.9 / 9.9", "8.8 / 26.2")
