"""Build the documentation as a site that opens from disk, and check it: no warning, no link that leads nowhere, nothing
from the network, at most 25 MB.

    .venv/bin/python .ci/site.py [FOLDER]      (default build/site; open its index.html)

The front page translates: the site contains the HTML page of a released run, as `jointly page` writes it.
"""

import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

ROOT = Path(__file__).resolve().parent.parent
RUN = ROOT / "checkpoints" / "rnnsearch-en-fr"
LARGEST = 25_000_000
"""Bytes of the whole site."""
FRONT = """\
<!doctype html>
<html lang="en">
<title>Jointly</title>
<meta charset="utf-8">
<meta http-equiv="refresh" content="0; url=docs/index.html">
<a href="docs/index.html">Jointly</a>
</html>
"""
LINKS = {"a": "href", "link": "href", "img": "src", "script": "src", "iframe": "src", "source": "src"}


class Page(HTMLParser):
    """What a page is linked to, and the places in it that can be linked to."""

    def __init__(self, text):
        super().__init__()
        self.links, self.places = [], {""}
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        found = dict(attrs)
        self.places.add(found.get("id") or "")
        target = found.get(LINKS.get(tag))
        if target:
            self.links.append((tag, target))


def build(folder):
    """Write the site; a sentence about what is wrong, or None."""
    folder.mkdir(parents=True, exist_ok=True)
    page = [sys.executable, "-m", "nmt", "page", RUN, "--title", "English to French", "--out", folder / "jointly.html"]
    sphinx = [sys.executable, "-m", "sphinx", "--fresh-env", "--fail-on-warning", "--keep-going", "--quiet"]
    sphinx += ["-c", ROOT / "docs", "-d", f"{folder}-doctrees", ROOT, folder]
    for command in (page, sphinx):
        if subprocess.run(command, cwd=ROOT, stdout=subprocess.DEVNULL, check=False).returncode:
            return f"{command[2]} failed."
    (folder / "index.html").write_text(FRONT, encoding="utf-8")
    return None


def faults(folder):
    """What a reader without a network would miss, a line each."""
    pages = {
        path: Page(path.read_text(encoding="utf-8")) for path in folder.rglob("*.html") if path.stat().st_size < 2e6
    }
    found = []
    for path, page in pages.items():
        for tag, target in page.links:
            parts = urlsplit(target)
            if parts.scheme or parts.netloc:
                if tag not in ("a", "link") and parts.scheme != "data":
                    found.append(f"{path.relative_to(folder)}: {target} would be loaded from the network")
                continue
            other = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if not other.is_file():
                found.append(f"{path.relative_to(folder)}: {target} is not there")
            elif parts.fragment and other in pages and unquote(parts.fragment) not in pages[other].places:
                found.append(f"{path.relative_to(folder)}: {target} has no such place")
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    if size > LARGEST:
        found.append(f"the site has {size / 1e6:.1f} MB, more than {LARGEST / 1e6:.0f}")
    return found


def main(folder):
    folder = Path(folder).resolve()
    problem = build(folder)
    found = [problem] if problem else faults(folder)
    if found:
        return "\n".join(found)
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    print(f"{folder / 'index.html'}: {size / 1e6:.1f} MB")
    return None


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:] or [ROOT / "build" / "site"]))
