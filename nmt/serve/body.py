"""Reading of a request's body into a record."""

from __future__ import annotations

from typing import TypeVar

from starlette.requests import ClientDisconnect, Request

from nmt.records import as_record, parse_object
from nmt.serve.refusal import Refusal

Record = TypeVar("Record")

_JSON = "application/json"


async def read_body(request: Request, cls: type[Record], most_bytes: int) -> Record:
    """Read a request's JSON object as a record.

    The content type must be JSON: a web page of another origin may send plain text unasked, but not JSON.

    Raises:
        Refusal: 413 for a body of more than ``most_bytes``, 415 for another content type, 499 for a client that left.
        InputError: the body is not such an object; the sentence names the key.
    """
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != _JSON:
        raise Refusal(415, f"the body must be JSON, with the header Content-Type: {_JSON}")
    too_large = Refusal(413, f"the body has more than {most_bytes:,} bytes, which is the limit")
    stated = request.headers.get("content-length", "")
    if stated.isdecimal() and int(stated[:20]) > most_bytes:
        raise too_large
    body = bytearray()
    try:
        async for part in request.stream():
            body += part
            if len(body) > most_bytes:
                raise too_large
    except ClientDisconnect:
        raise Refusal(499, "the client left before its request was complete") from None
    return as_record(cls, parse_object(bytes(body), "the body"))
