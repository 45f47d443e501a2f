"""A server on this machine that behaves like those that corpora come from, and like some that misbehave."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import cast


@dataclass
class Site:
    """The files of the server, its faults, and the requests so far.

    Attributes:
    files: content by path.
    cut_after: bytes after which an answer to this path ends, as long as there are any; one is taken each time.
    plain: paths for which ranges are ignored.
    tags: the ETag by path ("one" unless given).
    answers: status by path, in place of the file.
    requests: path and Range header ("" if none) of all requests so far.
    """

    address: str = ""
    files: dict[str, bytes] = field(default_factory=dict)
    cut_after: dict[str, list[int]] = field(default_factory=dict)
    plain: set[str] = field(default_factory=set)
    tags: dict[str, str] = field(default_factory=dict)
    answers: dict[str, int] = field(default_factory=dict)
    requests: list[tuple[str, str]] = field(default_factory=list)

    def url(self, path: str) -> str:
        return f"{self.address}/{path}"


class _Server(ThreadingHTTPServer):
    site: Site


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        site = cast(_Server, self.server).site
        path, wanted = self.path.lstrip("/"), self.headers.get("Range", "")
        site.requests.append((path, wanted))
        if path in site.answers or path not in site.files:
            self.send_response(site.answers.get(path, 404))
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        content, tag = site.files[path], f'"{site.tags.get(path, "one")}"'
        start = 0
        if wanted and path not in site.plain and self.headers.get("If-Range") == tag:
            start = int(wanted.removeprefix("bytes=").rstrip("-"))
        if start >= len(content) > 0:
            self.send_response(416)
            self.send_header("Content-Range", f"bytes */{len(content)}")
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        self.send_response(206 if start else 200)
        if start:
            self.send_header("Content-Range", f"bytes {start}-{len(content) - 1}/{len(content)}")
        self.send_header("ETag", tag)
        self.send_header("Content-Length", str(len(content) - start))
        self.end_headers()
        cuts = site.cut_after.get(path, [])
        self.wfile.write(content[start : start + cuts.pop(0)] if cuts else content[start:])
        self.close_connection = True

    def log_message(self, format: str, *args: object) -> None:
        pass


@contextmanager
def serving() -> Iterator[Site]:
    """A site that answers until the block ends."""
    server = _Server(("127.0.0.1", 0), _Handler)
    server.site = Site(f"http://127.0.0.1:{server.server_port}")
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield server.site
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
