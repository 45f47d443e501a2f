"""Archives laid out as the sites publish them, with sentences of our own."""

import gzip
import html
import io
import tarfile
import zipfile
from collections.abc import Mapping

from nmt.data.corpora.get import MULTI30K_SPLITS
from release.corpora import wmt14

_KITES = {
    "fr": "J'ai réparé {} cerfs-volants.",
    "de": "Ich habe {} Drachen repariert.",
    "ja": "凧を{}枚直しました。",
    "ko": "나는 연을 {}개 고쳤다.",
}


def tatoeba_zip(language: str = "fr") -> bytes:
    member = {"fr": "fra-eng/fra.txt", "de": "deu.txt", "ja": "jpn.txt", "ko": "kor.txt"}[language]
    lines = (f"I mended {n} kites.\t{_KITES[language].format(n)}\tCC-BY 2.0\n" for n in range(400))
    return zip_of({"_about.txt": "whose sentences these are", member: "".join(lines)})


def zip_of(members: Mapping[str, str]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def gold_archives() -> dict[str, bytes]:
    """Content by file name: each set has two linked sentences of three words, of which the first English word is linked
    with the second of the other language, surely, and the second with the first, as a possibility where the set has
    such."""
    numbered = {side: f"<s snum=0001> {text} </s>\n<s snum=0002> {text} </s>\n" for side, text in _WORDS.items()}
    answers = "".join(f"000{n} 1 2 S\n000{n} 2 1 P\n" for n in (1, 2))
    shared_task = {"test/test.e": numbered["en"], "test/test.f": numbered["fr"], "answers/test.wa.nonullalign": answers}
    story = "AlibiWordAlignments-main/ali/LeVent_TheWind/"
    return {
        "English-French.test.tar.gz": _tar(
            "x.tgz", {f"English-French/{name}": text.encode("latin-1") for name, text in shared_task.items()}
        ),
        "AlibiWordAlignments.zip": zip_of(
            {
                f"{story}LeVent_sents.txt": "".join(f"{n}\t{_WORDS['fr']}\n" for n in range(3)),
                f"{story}TheWind_sents.txt": "".join(f"{n}\t{_WORDS['en']}\n" for n in range(3)),
                f"{story}links.txt": "0\t1-0 0p1 \n1\t\n2\t1-0 0p1 \n",
                "AlibiWordAlignments-main/scripts/notes.txt": "no story",
            }
        ),
        "German-English_WordAlignment.zip": zip_of(
            {"x/test.de": f"{_WORDS['de']}\n" * 2, "x/test.en": f"{_WORDS['en']}\n" * 2, "x/de-en.wa": "2-1 1-2\n" * 2}
        ),
        "kftt-alignments.tar.gz": _tar(
            "x.tgz",
            {
                "kftt-alignments/data/english-test.txt": f"{_WORDS['en']}\n".encode() * 2,
                "kftt-alignments/data/japanese-test.txt": f"{_WORDS['ja']}\n".encode() * 2,
                "kftt-alignments/data/align-test.txt": b"1-0 0-1\n" * 2,
            },
        ),
    }


_WORDS = {"en": "kites fly .", "fr": "volent été .", "de": "fliegen drachen .", "ja": "飛ぶ 凧 。"}


def multi30k_files() -> dict[str, bytes]:
    """Content by file name; each split has as many lines as its name has letters."""
    texts = {
        "en": "A kite over the {}, {}.",
        "fr": "Un cerf-volant sur {},\u00a0 {}. ",
        "de": "Ein Drachen bei {}, {}.",
    }
    return {
        f"{stem}.{language}.gz": gzip.compress("".join(text.format(stem, n) + "\n" for n in range(len(stem))).encode())
        for stem in MULTI30K_SPLITS.values()
        for language, text in texts.items()
    }


def laws_zip(documents: int = 40) -> bytes:
    """As GitHub packs the repository: all in one folder, with files beside the laws."""
    buffer = io.BytesIO()
    texts = {"eng/acts": ("en", "Kite number {} flies."), "fra/lois": ("fr", "Le cerf-volant numéro {} vole.")}
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("laws-lois-xml-0597/README.md", "laws")
        archive.writestr("laws-lois-xml-0597/annual/en/1.xml", "not XML")
        for folder, (language, text) in texts.items():
            for n in range(documents):
                section = f"<Section><Label>1</Label><Text>{text.format(n)}</Text></Section>"
                law = f'<Statute xml:lang="{language}"><Body>{section}</Body></Statute>'
                archive.writestr(f"laws-lois-xml-0597/{folder}/K-{n}.xml", law)
    return buffer.getvalue()


def wmt14_archives() -> dict[str, bytes]:
    """Content by file name. Sentences are "name, number"; News Commentary has a blank line, UN a byte that is not
    UTF-8."""
    members: dict[str, dict[str, bytes]] = {}
    for name, texts in wmt14.TRAINING.items():
        for language in ("en", "fr"):
            text = "".join(f"{name} {language}, {n}\n" for n in range(3)).encode()
            text += {"news-commentary": b"\n", "un": b"un \xff\n"}.get(name, b"")
            member = texts.members[language]
            packed = gzip.compress(text) if member.endswith(".gz") else text
            members.setdefault(texts.archive, {})[member] = packed
    for year, texts in wmt14.NEWS_TESTS.items():
        for language in ("en", "fr"):
            segments = (html.escape(f"news & {language} {year}, {n}") for n in range(2))
            sgm = "".join(f'<seg id="{n}">{segment}</seg>\n' for n, segment in enumerate(segments, start=1))
            members.setdefault(texts.archive, {})[texts.members[language]] = f"<doc>\n{sgm}</doc>\n".encode()
    return {archive: _tar(archive, found) for archive, found in members.items()}


def _tar(name: str, members: Mapping[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz" if name.endswith(".tgz") else "w") as archive:
        for member, content in members.items():
            entry = tarfile.TarInfo(member)
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
    return buffer.getvalue()
