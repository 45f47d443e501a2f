"""Archives laid out as the sites publish them, with sentences of our own."""

import gzip
import html
import io
import tarfile
import zipfile
from collections.abc import Mapping

from nmt.data.corpora import multi30k, wmt14


def tatoeba_zip() -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        lines = (f"I mended {n} kites.\tJ'ai réparé {n} cerfs-volants.\n" for n in range(400))
        archive.writestr("fra-eng/fra.txt", "".join(lines))
    return buffer.getvalue()


def multi30k_files() -> dict[str, bytes]:
    """Content by file name; each split has as many lines as its name has letters."""
    texts = {"en": "A kite over the {}, {}.", "fr": "Un cerf-volant sur {},\u00a0 {}. "}
    return {
        f"{stem}.{language}.gz": gzip.compress("".join(text.format(stem, n) + "\n" for n in range(len(stem))).encode())
        for stem in multi30k.SPLITS.values()
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
            member = texts.member(language)
            packed = gzip.compress(text) if member.endswith(".gz") else text
            members.setdefault(texts.archive, {})[member] = packed
    for year, texts in wmt14.NEWS_TESTS.items():
        for language in ("en", "fr"):
            segments = (html.escape(f"news & {language} {year}, {n}") for n in range(2))
            sgm = "".join(f'<seg id="{n}">{segment}</seg>\n' for n, segment in enumerate(segments, start=1))
            members.setdefault(texts.archive, {})[texts.member(language)] = f"<doc>\n{sgm}</doc>\n".encode()
    return {archive: _tar(archive, found) for archive, found in members.items()}


def _tar(name: str, members: Mapping[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz" if name.endswith(".tgz") else "w") as archive:
        for member, content in members.items():
            entry = tarfile.TarInfo(member)
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
    return buffer.getvalue()
