"""Waiting for results, for as long as the client stays connected."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from concurrent.futures import Future
from typing import TypeVar

from starlette.requests import Request

from nmt.serve.refusal import Refusal

Result = TypeVar("Result")


async def results_of(request: Request, futures: Sequence[Future[Result]]) -> list[Result]:
    """Wait for all results of a request whose body has been read. If the client leaves, or one of them fails, the
    others are cancelled.

    Raises Refusal (499) for a client that left, and what the first one that fails raises.
    """
    results = asyncio.create_task(_results(futures))
    left = asyncio.create_task(_left(request))
    try:
        await asyncio.wait((results, left), return_when=asyncio.FIRST_COMPLETED)
        if not results.done():
            raise Refusal(499, "the client left before its answer was complete")
        return results.result()
    finally:
        results.cancel()
        left.cancel()
        for future in futures:
            future.cancel()


async def _results(futures: Sequence[Future[Result]]) -> list[Result]:
    return [await asyncio.wrap_future(future) for future in futures]


async def _left(request: Request) -> None:
    """Return when the client has closed the connection."""
    while (await request.receive())["type"] != "http.disconnect":
        pass
