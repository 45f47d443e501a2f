from pathlib import Path

import pytest

from nmt.data.corpora.laws_xml import read_document
from nmt.errors import InputError

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


def write(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "a.xml"
    path.write_text(text, encoding="utf-8")
    return path


def test_all_texts_by_their_label_paths(tmp_path: Path) -> None:
    """By hand: every text of the body, and nothing that is no law."""
    document = read_document(write(tmp_path, ENGLISH))
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
    document = read_document(write(tmp_path, FRENCH))
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


@pytest.mark.parametrize("text", [BOMB, FILE, "<Statute xml:lang='en'><Body>", "", "no XML"])
def test_what_no_law_looks_like_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(InputError, match=r"a\.xml .*XML"):
        read_document(write(tmp_path, text))


@pytest.mark.parametrize("text", ["<html xml:lang='en'/>", "<Statute/>", "<Statute xml:lang='de'/>"])
def test_other_documents_are_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(InputError, match=r"a\.xml .*Statute.*Regulation"):
        read_document(write(tmp_path, text))


def test_a_law_without_a_body_has_no_texts(tmp_path: Path) -> None:
    assert read_document(write(tmp_path, "<Statute xml:lang='en-CA'/>")).texts == {}
