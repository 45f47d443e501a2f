"""?"""

import lzma
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import pytest

from nmt.data.corpora.parallel import share
from nmt.errors import InputError
from release.corpora import laws
from release.corpora.laws import read_document

ENGLISH = """<?xml version="1.0" encoding="utf-8"?>
<Statute lims:pit-date="2017-06-19" xml:lang="en" xmlns:lims="http://justice.gc.ca/lims">
<Identification><ShortTitle>Lighthouse Act</ShortTitle></Identification>
<Body lims:fid="1">
<Heading level="1"><Label>PART 1</Label><TitleText>Lighthouses at Sea</TitleText></Heading>
<Heading level="2"><TitleText>Short Title</TitleText></Heading>
<Section lims:fid="2"><MarginalNote>Short title</MarginalNote><Label>1</Label>
<Text>We call this Act the <XRefExternal reference-type="act" link="L-1">Lighthouse Act</XRefExternal>.</Text>
<HistoricalNote><HistoricalNoteSubItem>1999, c. 1</HistoricalNoteSubItem></HistoricalNote></Section>
<Section lims:fid="3"><Label>2.1</Label><Text>Some words of this lamp law:</Text>
<Definition><Text><DefinedTermEn>keeper</DefinedTermEn> means a person who keeps a lamp
 lit; (<DefinedTermFr>gardien</DefinedTermFr> or <DefinedTermFr>gardienne</DefinedTermFr>)</Text></Definition>
<Definition><Text><DefinedTermEn>lamp</DefinedTermEn> means</Text>
<Paragraph><Label>(a)</Label><Text>an oil lamp, or</Text></Paragraph>
<Paragraph><Label>(b)</Label><Text>a candle. (<DefinedTermFr>lampe</DefinedTermFr>)</Text></Paragraph></Definition>
</Section>
<Section><Label>3</Label>
<Subsection><MarginalNote>Keepers</MarginalNote><Label>(1)</Label><Text>A keeper shall</Text>
<Paragraph><Label>(a)</Label><Text>light the lamp</Text>
<Subparagraph><Label>(i)</Label><Text>in fog, and</Text></Subparagraph>
<Subparagraph><Label>(ii)</Label><Text>at night,</Text></Subparagraph>
<ContinuedParagraph><Text>without being told; and</Text></ContinuedParagraph></Paragraph>
<Paragraph><Label>(b)</Label><Text>sleep by day<FootnoteRef idref="x">1</FootnoteRef><Footnote id="x"><Text>if
possible</Text></Footnote>.</Text></Paragraph>
<ContinuedSectionSubsection><Text>Both are duties.</Text></ContinuedSectionSubsection></Subsection>
<Subsection><Label>(2)</Label><Text><Repealed>[Repealed, 2001, c. 2, s. 3]</Repealed></Text></Subsection></Section>
<Section><Label>4</Label><Text>This comes once.</Text></Section>
<Section><Label>4</Label><Text>This comes again.</Text></Section>
<Section><Text>This has no label.</Text></Section>
<Section type="amending"><Label>5</Label><AmendedText>
<Section><Label>9</Label><Text>Quoted.</Text></Section></AmendedText></Section></Body>
<Schedule><Section><Label>77</Label><Text>A form to fill in.</Text></Section></Schedule></Statute>
"""

FRENCH = """<Regulation xml:lang="fr"><Body>
<Section><Label>2.1</Label><Text>Quelques mots de cette loi des lampes :</Text>
<Definition><Text><DefinedTermFr>gardienne</DefinedTermFr> ou <DefinedTermFr>gardien</DefinedTermFr> Personne qui garde
une lampe allumée. (<DefinedTermEn>keeper</DefinedTermEn>)</Text></Definition>
<Definition><Text><DefinedTermFr>lampe</DefinedTermFr> Selon le cas :</Text>
<Paragraph><Label>a)</Label><Text>lampe à huile;</Text></Paragraph>
<Paragraph><Label>b)</Label><Text>bougie. (<DefinedTermEn>lamp</DefinedTermEn>)</Text></Paragraph></Definition>
</Section></Body></Regulation>
"""


def write_document(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "a.xml"
    path.write_text(text, encoding="utf-8")
    return path


def test_all_texts_by_their_label_paths(tmp_path: Path) -> None:
    """By hand: every text of the body, and nothing that is no law."""
    document = read_document(write_document(tmp_path, ENGLISH))
    assert document.language == "en"
    assert document.texts == {
        "^1/1": "Lighthouses at Sea",
        "^1/2": "Short Title",
        "1": "We call this Act the Lighthouse Act.",
        "2.1": "Some words of this lamp law:",
        "2.1/keeper=gardien,gardienne": "keeper means a person who keeps a lamp lit;",
        "2.1/lamp=lampe": "lamp means",
        "2.1/lamp=lampe/a": "an oil lamp, or",
        "2.1/lamp=lampe/b": "a candle.",
        "3/1": "A keeper shall",
        "3/1/a": "light the lamp",
        "3/1/a/i": "in fog, and",
        "3/1/a/ii": "at night,",
        "3/1/a/+1": "without being told; and",
        "3/1/b": "sleep by day.",
        "3/1/+1": "Both are duties.",
    }


def test_french_labels_and_terms_give_the_same_paths(tmp_path: Path) -> None:
    document = read_document(write_document(tmp_path, FRENCH))
    assert document.language == "fr"
    assert document.texts == {
        "2.1": "Quelques mots de cette loi des lampes :",
        "2.1/keeper=gardien,gardienne": "gardienne ou gardien Personne qui garde une lampe allumée.",
        "2.1/lamp=lampe": "lampe Selon le cas :",
        "2.1/lamp=lampe/a": "lampe à huile;",
        "2.1/lamp=lampe/b": "bougie.",
    }


BOMB = """<!DOCTYPE Statute [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;">]>
<Statute xml:lang="en"><Body><Section><Label>1</Label><Text>&b;</Text></Section></Body></Statute>"""
FILE = """<!DOCTYPE Statute [<!ENTITY a SYSTEM "file:///etc/hostname">]>
<Statute xml:lang="en"><Body><Section><Label>1</Label><Text>&a;</Text></Section></Body></Statute>"""


@pytest.mark.parametrize(
    "text", [BOMB, FILE, "<!DOCTYPE Statute><Statute xml:lang='en'/>", "<Statute xml:lang='en'><Body>", "", "no XML"]
)
def test_what_no_law_looks_like_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(InputError, match=r"a\.xml .*XML"):
        read_document(write_document(tmp_path, text))


@pytest.mark.parametrize("text", ["<html xml:lang='en'/>", "<Statute/>", "<Statute xml:lang='de'/>"])
def test_other_documents_are_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(InputError, match=r"a\.xml .*Statute.*Regulation"):
        read_document(write_document(tmp_path, text))


def test_a_law_without_a_body_has_no_texts(tmp_path: Path) -> None:
    assert read_document(write_document(tmp_path, "<Statute xml:lang='en-CA'/>")).texts == {}


def write(folder: Path, name: str, language: str, sections: Mapping[str, str]) -> None:
    body = "".join(f"<Section><Label>{n}</Label><Text>{text}</Text></Section>" for n, text in sections.items())
    path = folder / f"{name}.xml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f'<Regulation xml:lang="{language}"><Body>{body}</Body></Regulation>', encoding="utf-8")


def act(folder: Path, name: str, english: Mapping[str, str], french: Mapping[str, str]) -> None:
    write(folder, f"eng/acts/{name}", "en", english)
    write(folder, f"fra/lois/{name}", "fr", french)


def read(folder: Path, name: str) -> list[tuple[str, str]]:
    sides = [lzma.decompress((folder / f"{name}.{side}.xz").read_bytes()).decode() for side in ("en", "fr")]
    return list(zip(*(side.split("\n")[:-1] for side in sides), strict=True))


def document(split: str) -> str:
    """A name whose document goes into the split."""
    bounds = {"dev": (0, laws.DEV_SHARE), "test": (laws.DEV_SHARE, laws.DEV_SHARE + laws.TEST_SHARE)}
    low, high = bounds.get(split, (laws.DEV_SHARE + laws.TEST_SHARE, 1))
    return next(name for name in map(str, range(2000)) if low <= share(f"eng/acts/{name}") < high)


@pytest.fixture
def out(tmp_path: Path) -> Path:
    (tmp_path / "out").mkdir()
    return tmp_path / "out"


def test_sections_are_matched_by_label_and_filtered(tmp_path: Path, out: Path) -> None:
    pairs = {
        "1": ("The keeper’s lamp is lit.", "La lampe du gardien est allumée."),
        "2": ("Only here in English.", None),
        "3": (None, "Seulement ici en français."),
        "4": ("[Repealed, 2001, c. 2]", "[Abrogé, 2001, ch. 2]"),
        "5": ("Short", "Bref"),
        "6": ("A word " + "and a word " * 60, "Un mot " + "et un mot " * 60),
        "7": ("Fish swim.", "Il est interdit de pêcher dans les eaux du canal sans permis de la ville."),
        "8": ("Same in both.", "Same in both."),
        "9": ("1 + 2 = 3 (4) 5", "1 + 2 = 3 (4) 6"),
        "10": ("Мы все здесь.", "Nous voilà tous réunis."),
        "11": ("The keeper’s lamp is lit.", "La lampe du gardien est allumée."),
        "12": ("A dose of 5 μg is given.", "On donne une dose de 5 μg."),
    }
    english = {n: en for n, (en, _) in pairs.items() if en}
    act(tmp_path, document("train"), english, {n: fr for n, (_, fr) in reversed(pairs.items()) if fr})
    built = laws.build(tmp_path, out)
    kept = [("The keeper's lamp is lit.", pairs["1"][1]), pairs["12"]]
    assert read(out, "pairs") == read(out, "train") == kept
    assert {reason: count for reason, count in built.dropped.items() if count} == {
        "label in one language": 2,
        "remark": 1,
        "length": 2,
        "ratio": 1,
        "characters": 3,
        "repeated": 1,
    }


def test_whole_documents_are_held_out(tmp_path: Path, out: Path) -> None:
    for split in ("train", "dev", "test"):
        texts = {str(n): f"This is rule {n} of {split}." for n in range(5)} | {"9": "This stands in all of them."}
        if split != "train":
            texts["10"] = "This is held out twice."
        act(tmp_path, document(split), texts, {n: f"Ceci, {split}. " + text for n, text in texts.items()})
    built = laws.build(tmp_path, out)
    assert {split.name: split.pairs for split in built.splits} == {"train": 6, "dev": 5, "test": 6, "pairs": 20}
    for split, more in (("dev", []), ("test", ["This is held out twice."])):
        assert [en for en, _ in read(out, split)] == [f"This is rule {n} of {split}." for n in range(5)] + more
    assert +Counter(built.dropped) == {"English side known": 3}


@pytest.mark.parametrize(
    ("english", "french", "dropped"),
    [
        ("We sail.", "Naviguons tous.", {}),
        ("Word " * 140, "Mot " * 140, {}),
        ("Word " * 140, "Mot " * 141, {"length": 1}),
        ("ab cd", "abcde fghij klmno pqr", {}),  # 26 = 2.6 · 10, with five characters more on each side
        ("ab cd", "abcde fghij klmno pqrs", {"ratio": 1}),
        ("Bad day 2!", "ab cde1234", {}),
        ("Bad day 2!", "ab cd12345", {"characters": 1}),
        ("[Repealed]", "Le texte [abrogé]", {"remark": 1}),
        ("The text [repealed]", "Le texte [abrogé]", {}),
        ("See it (or )", "Le voir ( ou)", {}),
    ],
)
def test_limits_of_what_is_a_pair(
    tmp_path: Path, out: Path, english: str, french: str, dropped: Mapping[str, int]
) -> None:
    act(tmp_path, "a", {"1": english}, {"1": french})
    built = laws.build(tmp_path, out)
    assert +Counter(built.dropped) == dropped
    assert len(read(out, "pairs")) == 1 - len(dropped)


def test_no_more_is_held_out_than_wanted(tmp_path: Path, out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert (laws.DEV_PAIRS, laws.TEST_PAIRS) == (2000, 3003)
    monkeypatch.setattr(laws, "TEST_PAIRS", 7)
    texts = {str(n): f"This is rule {n}." for n in range(30)}
    act(tmp_path, document("test"), texts, {n: "Ceci. " + text for n, text in texts.items()})
    built = laws.build(tmp_path, out)
    found = [en for en, _ in read(out, "test")]
    assert len(set(found)) == 7
    assert +Counter(built.dropped) == {"more than is held out": 23}
    assert found == sorted(found, key=list(texts.values()).index), "in the order of the document"


def test_regulations_are_named_differently_in_the_two_languages(tmp_path: Path, out: Path) -> None:
    names = [
        ("SOR-2002-227", "DORS-2002-227"),
        ("SI-2000-1", "TR-2000-1"),
        ("C.R.C.,_c._10", "C.R.C.,_ch._10"),
    ]
    for number, (english, french) in enumerate(names):
        write(tmp_path, f"eng/regulations/{english}", "en", {"1": f"Number {number} is here."})
        write(tmp_path, f"fra/reglements/{french}", "fr", {"1": f"Le numéro {number} est ici."})
    write(tmp_path, "eng/regulations/SOR-2003-1", "en", {"1": "Nobody has translated this."})
    built = laws.build(tmp_path, out)
    assert built.dropped["document in one language"] == 1
    assert sorted(read(out, "pairs")) == [(f"Number {n} is here.", f"Le numéro {n} est ici.") for n in range(3)]


def test_a_document_that_cannot_be_read_is_named(tmp_path: Path, out: Path) -> None:
    act(tmp_path, "good", {"1": "This can be read."}, {"1": "Ceci se lit bien."})
    act(tmp_path, "bad", {"1": "This & that."}, {"1": "Ceci et cela."})
    built = laws.build(tmp_path, out)
    (sentence,) = built.unreadable
    assert "bad.xml" in sentence
    assert [split.pairs for split in built.splits if split.name == "pairs"] == [1]


def test_the_worst_pairs_by_score_are_dropped(tmp_path: Path, out: Path) -> None:
    """Ten pairs, so three go: those whose larger score of two is largest."""
    texts = {str(n): f"This is rule {n}." for n in range(10)}
    act(tmp_path, document("train"), texts, {n: "Ceci. " + text for n, text in texts.items()})
    forward = [0.1, 9.0, 0.1, 0.1, 0.1, 0.1, 0.1, 2.0, 0.1, 0.1]
    reverse = [0.2, 0.2, 0.2, 5.0, 0.2, 0.2, 0.2, 2.0, 0.2, 1.9]
    files = []
    for name, scores in (("forward", forward), ("reverse", reverse)):
        files.append(tmp_path / name)
        files[-1].write_text("".join(f"{score}\n" for score in scores))
    built = laws.build(tmp_path, out, files)
    worst = sorted(range(10), key=lambda n: max(forward[n], reverse[n]))[-3:]
    assert [en for en, _ in read(out, "train")] == [texts[str(n)] for n in range(10) if n not in worst]
    assert len(read(out, "pairs")) == 10
    assert built.dropped["score"] == 3


@pytest.mark.parametrize(
    ("text", "message"), [("1\n2\n3\n", "/scores .*3 scores.*2 pairs"), ("1\nx\n", "/scores, line 2")]
)
def test_scores_that_do_not_fit(tmp_path: Path, out: Path, text: str, message: str) -> None:
    act(tmp_path, "a", {"1": "One thing here.", "2": "Two things here."}, {"1": "Une chose.", "2": "Deux choses ici."})
    (tmp_path / "scores").write_text(text)
    with pytest.raises(InputError, match=message):
        laws.build(tmp_path, out, [tmp_path / "scores"])


def test_a_folder_without_laws(tmp_path: Path, out: Path) -> None:
    with pytest.raises(InputError, match=r"eng/acts.*fra/lois"):
        laws.build(tmp_path, out)
