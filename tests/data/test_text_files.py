"""What a file is: markup is read by its segments, other kinds are refused with one sentence, plain text is never."""

import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from nmt.data.corpus import read_text as corpus_text
from nmt.data.text_files import HYPOTHESIS, LOOKED_AT, REFERENCE, SOURCE, Side, refuse_other_kinds
from nmt.data.uploads import Upload, lines_of, pairs_of, read_text
from nmt.errors import InputError

TMX = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE tmx SYSTEM "tmx14.dtd">
<tmx version="1.4"><header segtype="sentence" srclang="en-GB" datatype="plaintext"/><body>
<tu><tuv xml:lang="en-GB"><seg>Salt &amp; <bpt i="1">&lt;b&gt;</bpt>pepper<ept i="1">&lt;/b&gt;</ept>.</seg></tuv>
<tuv xml:lang="fr_FR"><seg>Du sel <hi>et</hi>
  du poivre.</seg></tuv></tu>
<tu><tuv xml:lang="en-GB"><seg>Alone.</seg></tuv></tu>
<tu><tuv xml:lang="fr_FR"><seg>Assez.</seg></tuv><tuv xml:lang="en-GB"><seg>Enough.</seg></tuv></tu>
</body></tmx>
"""
DATASET = """<?xml version='1.0' encoding='utf-8'?>
<dataset id="mine">
<doc origlang="de" id="bread.1">
<src lang="de"><p><seg id="1">Brot &lt; Kuchen.</seg></p><p><seg id="2">Butter.</seg></p></src>
<ref lang="en" translator="A"><p><seg id="1">Bread &lt; cake.</seg><seg id="2">Butter.</seg></p></ref>
<ref lang="en" translator="B"><p><seg id="1">Bread below cake.</seg><seg id="2">The butter.</seg></p></ref>
<hyp lang="en" system="ours"><p><seg id="1">Bread cake.</seg><seg id="2">Butters.</seg></p></hyp>
</doc>
<doc origlang="de" id="milk.2"><src lang="de"><p><seg id="1">Milch.</seg></p></src>
<ref lang="en" translator="A"><p><seg id="1">Milk.</seg></p></ref>
<ref lang="en" translator="B"><p><seg id="1">The milk.</seg></p></ref>
<hyp lang="en" system="ours"><p><seg id="1">Milks.</seg></p></hyp></doc>
</dataset>
"""
REFSET = """<refset setid="mine" srclang="any" trglang="fr">
<DOC docid="a" sysid="one"><hl><seg id=1> L'île & la mer &amp; AT&T, 3 < 5 . </seg></hl>
<seg id="2">Deux</seg></DOC>
<doc docid="b" sysid="one"><seg id="1">Trois
lignes</seg></doc>
<doc docid="a" sysid="two"><seg id=1>Autre.</seg><seg id="2">Paire</seg></doc>
<doc docid="b" sysid="two"><seg id="1">Fin</seg></doc>
</refset>
"""


def read(text: str, side: Side = SOURCE, language: str = "") -> list[list[str]]:
    return [list(column) for column in read_text(Upload("f", text.encode()), side=side, language=language).columns]


READ: dict[str, tuple[str, Side, str, list[list[str]]]] = {
    "TMX, its source": (TMX, SOURCE, "", [["Salt & pepper.", "Alone.", "Enough."]]),
    "TMX, the other": (TMX, REFERENCE, "", [["Du sel et du poivre.", "", "Assez."]]),
    "TMX, turned": (TMX, SOURCE, "fr", [["Du sel et du poivre.", "", "Assez."]]),
    "TMX, turned target": (TMX, REFERENCE, "en", [["Salt & pepper.", "Alone.", "Enough."]]),
    "dataset, source": (DATASET, SOURCE, "", [["Brot < Kuchen.", "Butter.", "Milch."]]),
    "dataset, references": (
        DATASET,
        REFERENCE,
        "",
        [["Bread < cake.", "Butter.", "Milk."], ["Bread below cake.", "The butter.", "The milk."]],
    ),
    "dataset, system": (DATASET, HYPOTHESIS, "", [["Bread cake.", "Butters.", "Milks."]]),
    "refset of two": (
        REFSET,
        REFERENCE,
        "",
        [["L'île & la mer & AT&T, 3 < 5 .", "Deux", "Trois lignes"], ["Autre.", "Paire", "Fin"]],
    ),
    "srcset without end tags": (
        '<srcset setid="x">\n<doc docid="d">\n<seg id=1>Ein\n<seg id=2>Zwei\n</doc>',
        SOURCE,
        "",
        [["Ein", "Zwei"]],
    ),
    "a system's set": (
        '<tstset setid="x">\n<doc docid="d" sysid="s">\n<seg id="1">A b</seg></doc></tstset>',
        HYPOTHESIS,
        "",
        [["A b"]],
    ),
    "segments alone": ('<seg id="1">Eins</seg>\n<seg id="2">Zwei</seg>\n', SOURCE, "", [["Eins", "Zwei"]]),
    "references between tabs": (
        "a\tb\tc\n\nd\te\tf\n",
        REFERENCE,
        "",
        [["a", "", "d"], ["b", "", "e"], ["c", "", "f"]],
    ),
}


@pytest.mark.parametrize("case", READ)
def test_segments_and_columns_are_read_in_order(case: str, tmp_path: Path) -> None:
    text, side, language, columns = READ[case]
    assert read(text, side, language) == columns
    if len(columns) == 1:
        (tmp_path / "f").write_text(text, "utf-8")
        assert [line.text for line in corpus_text(tmp_path / "f", side, language)] == columns[0]


def test_segments_keep_the_documents_that_they_are_from() -> None:
    for text, side in ((DATASET, SOURCE), (DATASET, REFERENCE)):
        assert read_text(Upload("f", text.encode()), side=side).documents == ("bread.1", "bread.1", "milk.2")
    assert read_text(Upload("f", REFSET.encode()), side=REFERENCE).documents == ("a", "a", "b")
    assert read_text(Upload("f", TMX.encode())).documents == ()


def test_a_language_must_be_there_once() -> None:
    with pytest.raises(InputError, match=r"has texts in en-gb, fr-fr, but must have one in de$"):
        read(TMX, REFERENCE, "de")


def test_one_file_of_both_sides_is_a_corpus() -> None:
    both = pairs_of([Upload("f", TMX.encode())], languages=("fr", "en"))
    assert both == [("Du sel et du poivre.", "Salt & pepper."), ("", "Alone."), ("Assez.", "Enough.")]


ENTITIES = (
    '<?xml version="1.0"?><!DOCTYPE tmx [<!ENTITY a {}>]>'
    '<tmx><body><tu><tuv xml:lang="en"><seg>&a;</seg></tuv></tu></body></tmx>'
)
REFUSED: dict[str, tuple[str, Side, str]] = {
    "a web page": ('<!DOCTYPE html>\n<p lang="en">Hello.\n', SOURCE, "is a web page"),
    "a web page without a head": ('<html lang="en"><p>Hello.', SOURCE, "is a web page"),
    "paragraphs of one": ("<p>Good.</p>\n<p>Better.</p>\n<div>Best.</div>\n", SOURCE, "is markup"),
    "lines of one": ("Good.<br>\nBetter.<br/>\n", SOURCE, "is markup"),
    "a table of one": ("<table>\n<tr><td>a</td></tr>\n</table>\n", SOURCE, "is markup"),
    "XLIFF": ('<?xml version="1.0"?>\n<xliff version="1.2"><file/></xliff>', SOURCE, "is XML (<xliff>)"),
    "a feed": ('<?xml version="1.0"?><rss><channel/></rss>', SOURCE, "is XML (<rss>)"),
    "half a TMX": (TMX[:-30], SOURCE, "is damaged XML"),
    "an entity": (ENTITIES.format('"aaa"'), SOURCE, "is XML with entities"),
    "an entity of a file": (ENTITIES.format('SYSTEM "file:///etc/hosts"'), SOURCE, "is XML with entities"),
    "no segments": (
        '<srcset setid="x">\n<doc docid="d">\nHello.\n</doc></srcset>',
        SOURCE,
        "is markup without segments",
    ),
    "references as a source": (REFSET, SOURCE, "has segments of <ref>, not of <src>"),
    "a source as a translation": (
        '<srcset setid="x">\n<seg id="1">a</seg></srcset>',
        HYPOTHESIS,
        "has segments of <src>",
    ),
    "no system": (re.sub("<hyp.*</hyp>", "", DATASET), HYPOTHESIS, "has segments of <ref>, <src>, not of <hyp>"),
    "two systems": (
        DATASET.replace("</doc>", '<hyp system="b"><seg>x</seg></hyp></doc>'),
        HYPOTHESIS,
        "has the texts of 2",
    ),
    "a third language": (TMX.replace("fr_FR", "de", 1), REFERENCE, "has texts in en-gb, de, fr-fr; which one is meant"),
    "JSON lines": ('{"src": "Hello."}\n{"src": "Bye."}\n', SOURCE, "is JSON"),
    "a JSON list": ('["Hello.", "Bye."]', SOURCE, "is JSON"),
    "JSON on many lines": ('[\n  {\n    "en": "Hello."\n  }\n]\n', SOURCE, "is JSON"),
    "dictionaries of Python": ("{'translation': {'en': 'a'}}\n{'translation': {'en': 'b'}}\n", SOURCE, "is JSON"),
    "an n-best list": ("0 ||| a b ||| LM= -1 ||| -1\n\n1 ||| c ||| LM= -2 ||| -2\n", HYPOTHESIS, "is an n-best list"),
    "our own n-best list": (
        "0 ||| a ||| -1.000000 ||| -0.500000\n0 ||| b ||| -2.0 ||| -1.0\n",
        HYPOTHESIS,
        "is an n-best list",
    ),
    "fairseq's H lines": ("H-0\t-0.31\tBonjour.\nH-1\t-0.2\tOui.\n", HYPOTHESIS, "is the log of a decoder"),
    "all of fairseq's lines": (
        "INFO: x\nS-0\ta\nT-0\tb\nH-0\t-1\tc\nP-0\t-1 -1\nGenerate: BLEU4 = 3\n",
        HYPOTHESIS,
        "is the log",
    ),
    "OpenNMT's log": ("\nSENT 1: ['a']\nPRED 1: b\nPRED SCORE: -1.2\n", HYPOTHESIS, "is the log of a decoder"),
    "text and links": ("a b ||| 0-0 1-1\nc d ||| 0-1 1-0\n", REFERENCE, "has fields with |||"),
    "both languages": ("a b ||| c d\ne ||| f\n", SOURCE, "has fields with |||"),
    "marks at both ends": ("<s> a b </s>\n<s> c </s>\n", HYPOTHESIS, "has marks such as <s>"),
    "marks at the end": ("a b </s>\nc </s>\n", REFERENCE, "has marks such as <s>"),
    "marks in capitals": ("<BOS> a <EOS>\n<BOS> b <EOS>\n", HYPOTHESIS, "has marks such as <s>"),
    "a language before each line": (">>fra<< a\n>>fra<< b\n", SOURCE, "has marks such as <s>"),
    "marks of BERT": ("[CLS] a [SEP]\n[CLS] b [SEP]\n", SOURCE, "has marks such as <s>"),
    "padding": ("<pad> a b</s><pad>\n<pad> c</s>\n", HYPOTHESIS, "has marks such as <s>"),
    "links": ("0-0 1-1\n0-0 1-2 2p1\n", SOURCE, "is a file of links"),
    "CSV": ('"Hello.","Bonjour."\n"Bye, you.","Au revoir."\n', SOURCE, "is a table (CSV)"),
    "columns": ("a\tb\nc\td\n", SOURCE, "is a table: its lines have tabs"),
    "numbered lines": ("1\tHello.\n2\tBye.\n", HYPOTHESIS, "is a table: its lines have tabs"),
    "a word a line": ("I\tPRP\nsleep\tVBP\n\nyou\tPRP\n", SOURCE, "is a table: its lines have tabs"),
    "uneven references": ("a\tb\nc\td\te\n", REFERENCE, ", line 2: the columns between tabs are 3, but 2 in the first"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_no_text_is_refused_by_name(case: str, tmp_path: Path) -> None:
    """In an upload; and a side that is read as it streams, a side of a corpus."""
    text, side, message = REFUSED[case]
    with pytest.raises(InputError, match=f"^f{'' if message[0] == ',' else ' '}{re.escape(message)}"):
        read_text(Upload("f", text.encode()), side=side)
    (tmp_path / "f").write_text(text, "utf-8")
    with pytest.raises(InputError):
        list(corpus_text(tmp_path / "f", side))


PLAIN: dict[str, Sequence[str]] = {
    "bars": ("red | blue", "a | b", "cat file | head"),
    "bars of one line": ("what ||| means", "is unclear", "to us"),
    "bold": ("<b>Hello</b> world",),
    "all bold": ("<b>Yes</b>", "<i>No</i>", '<a href="x">Perhaps</a>'),
    "numbers": ("1 apple", "2 pears", "3 plums"),
    "list numbers": ("1. Apples", "2. Pears"),
    "results": ("2-1", "0-0", "3-2 after extra time"),
    "a tab": ("one\ttab",),
    "some tabs": ("one\ttab", "none", "none", "none"),
    "an unknown word": ("[UNK] sleeps.", "[UNK]"),
    "notes": ("[1] Smith 2010", "[2]", "[Applause]"),
    "quotations": ('"Yes," he said.', '"No," she said.', '"Why", "how"'),
    "placeholders": ("{name} has {count} files", "{0} files", "%s files"),
    "lists of numbers": ("[1]", "[2, 3]"),
    "signs": ("< 5 people", "<3 you", "a > b", "<joe@example.org> wrote:"),
    "addresses": ("<http://example.org>", "<https://example.org/a>"),
    "a sentence on tags": ("<html> is a tag.",),
    "another": ("<seg> is a tag of TMX.", "<s> begins a sentence, </s> ends it, in files."),
    "visas": ("H-2 visas are rare.", "H-1 visas are not.", "T-shirts are."),
    "headings": ("# One", "## Two"),
    "marks in a text": ("Use <s> here.", "And </s> there."),
    "blanks": ("", " ", "\t"),
    "nothing": (),
}


@pytest.mark.parametrize("case", PLAIN)
def test_ordinary_text_is_never_taken_for_something_else(case: str, tmp_path: Path) -> None:
    lines = PLAIN[case]
    refuse_other_kinds(lines, "f")
    if any(line.strip() for line in lines):
        text = "".join(f"{line}\n" for line in lines)
        assert lines_of(Upload("f", text.encode()), side=HYPOTHESIS) == tuple(lines)
        (tmp_path / "f").write_text(text, "utf-8", newline="\n")
        assert [line.text for line in corpus_text(tmp_path / "f")] == [*lines]


@pytest.mark.parametrize("odd", ["0 ||| a ||| b", "a\tb", "<s> a </s>", '{"a": 1}x', "H-0\ta", "<p>a</p>"])
def test_a_tenth_of_odd_lines_is_still_a_text(odd: str) -> None:
    refuse_other_kinds(["a sentence"] * 9 + [odd], "f")


def test_a_large_text_is_told_by_its_beginning_and_read_to_its_end(tmp_path: Path) -> None:
    lines = [f"sentence {k}" for k in range(LOOKED_AT + 5)]
    (tmp_path / "f").write_text("\n".join(lines), "utf-8")
    assert [line.text for line in corpus_text(tmp_path / "f")] == lines


def test_references_with_few_tabs_are_one_column() -> None:
    assert read("a\tb\nc\nd\n", REFERENCE) == [["a\tb", "c", "d"]]
