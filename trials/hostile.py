"""Hostile names, cards, texts and hypotheses in a real browser, and a websocket of a page of another origin."""

import socket
from pathlib import Path
from random import Random
from urllib.parse import urlencode, urlsplit

from playwright.sync_api import Page

from nmt.data.vocabulary import Shortlist
from release.checksums import write_checksums
from tests.oracles import random_run as toys
from trials.app import chromium_page, served
from trials.at_rest import SETTLED
from trials.trial import Cases, Trial, must

_SCRIPT = "<img src=x onerror=window.hit=1><script>window.hit=1</script>"
_CARD = f"""# Card

{_SCRIPT} [link](javascript:window.hit=1) ![picture](https://a.example/x.png)
<iframe srcdoc="<script>parent.hit=1</script>"></iframe>
<svg onload=window.hit=1> <a href="javascript:window.hit=1">a</a> <style>body{{display:none}}</style>
"""
_WORDS = (
    "<img/src=x/onerror=window.hit=1>",
    "<svg/onload=window.hit=1>",
    "</script><script>window.hit=1</script>",
    "${window.hit=1}",
)
_NAMES = ("a<img src=x onerror=window.hit=1>b", "b\"'><svg onload=window.hit=1>")
_PAGES = (
    *((place, {}) for place in ("", "look", "length", "learn", "present")),
    *(("models", {"show": part}) for part in ("cards", "scores", "trainings", "train", "use")),
)
_SEEN = """() => {
  const deep = root => [...root.querySelectorAll("*")].flatMap(e => [e, ...e.shadowRoot ? deep(e.shadowRoot) : []]);
  const given = (e, name) => e.getAttribute(name) ?? "";
  const bad = deep(document).filter(e => (e.tagName === "IMG" && /^x$|a\\.example/.test(given(e, "src")))
    || (e.tagName === "A" && /^javascript/i.test(given(e, "href")))
    || [...e.attributes].some(a => /^on/.test(a.name) && /hit/.test(a.value)));
  return [window.hit ?? 0, bad.map(e => e.outerHTML.slice(0, 200)), getComputedStyle(document.body).display];
}"""
"""Whether a script ran, elements that a text has made, and how the page is displayed."""


def _make(runs: Path) -> None:
    """Runs whose names, cards and words are scripts."""
    for name in (*_NAMES, "plain"):
        folder = toys.random_run(runs / name)
        for side, words in (("source", toys.ENGLISH), ("target", toys.FRENCH)):
            Shortlist([*words[: -len(_WORDS)], *_WORDS]).save(folder, side)
        (folder / "README.md").write_text(_CARD, encoding="utf-8")
        (folder / "dictionary.tsv").write_text(f"cat\t{_WORDS[0]}\t3\t1.000\n", encoding="utf-8")
        write_checksums(folder)


def _harmless(page: Page, asked: list[str]) -> None:
    hit, bad, display = page.evaluate(_SEEN)
    must(not hit, "a script ran")
    must(not bad, f"elements of the text: {bad}")
    must(display != "none", "a style of the card holds")
    must(not [each for each in asked if "a.example" in each], f"asked for {asked[-3:]}")


def _run(random: Random, cases: Cases, folder: Path) -> None:
    runs = folder / "runs"
    _make(runs)
    upload = folder / "a<img src=x onerror=window.hit=1>.txt"
    upload.write_text(f"{_SCRIPT}\n{_WORDS[0]} reads .\n", encoding="utf-8")
    with served(folder) as server:
        address = server.address
        _websockets(cases, address)
        with chromium_page() as page:
            asked: list[str] = []
            page.on("request", lambda request: asked.append(request.url))
            page.on("dialog", lambda dialog: dialog.dismiss())
            for place, query in _PAGES:
                whole = {"s": f"the cat {_SCRIPT}", "models": [*_NAMES, "plain"], "runs": list(_NAMES)} | query
                with cases.case(f"{place}, {query}"):
                    page.goto(f"{address}/{place}?{urlencode(whole, doseq=True)}")
                    page.wait_for_function(SETTLED, timeout=90_000)
                    for opened in page.query_selector_all("[data-testid=stExpander] summary")[:5]:
                        opened.evaluate("summary => summary.click()")  # also one that is drawn anew or out of sight
                    page.wait_for_function(SETTLED, timeout=90_000)
                    for field in page.query_selector_all("input[type=file]")[:2]:
                        field.set_input_files(str(upload))
                    page.wait_for_timeout(1500)
                    _harmless(page, asked)


def _websockets(cases: Cases, address: str) -> None:
    """Ask for a websocket as a browser does for a page of an origin; none but the app's own gets one."""
    port = urlsplit(address).port
    for origin, taken in (
        (f"http://127.0.0.1:{port}", True), (f"http://localhost:{port}", True), ("https://a.example", False),
        (f"http://a.example:{port}", False), ("null", False), (f"http://127.0.0.1.a.example:{port}", False),
        (f"http://localhost.a.example:{port}", False), ("file://", False),
    ):  # fmt: skip
        with (
            cases.case(f"a websocket of {origin}"),
            socket.create_connection(("127.0.0.1", port), timeout=20) as connection,
        ):
            head = (
                f"GET /_stcore/stream HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: Upgrade\r\n"
                "Upgrade: websocket\r\n"
                f"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\nOrigin: {origin}\r\n\r\n"
            )
            connection.sendall(head.encode())
            status = connection.recv(4096).split(b"\r\n")[0].decode()
            must(("101" in status) is taken, f"{status!r} for {origin}")


TRIAL = Trial(
    name="hostile",
    tried="names of runs, cards, words of a model, typed sentences and names of uploaded files that are scripts, on "
    "every page in Chromium; websockets of eight origins",
    holds="no script runs; no element, style, request comes from a text; only its own origin gets a websocket",
    run=_run,
    pieces=1,
    ci=1,
    seconds=900,
    case_seconds=120,
    megabytes=2000,
)
