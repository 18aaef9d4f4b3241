"""How the asynchronous client sends a request: with httpx if it's installed, otherwise on threads."""

from __future__ import annotations

import asyncio
import ssl
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Protocol

from ._pool import Cancellation, Cancelled, Pool
from ._request import Request
from ._response import Response

MAX_CONCURRENT = 10
"""As many requests of a key as the API runs at a time."""


class AsyncTransport(Protocol):
    async def send(self, request: Request) -> Response:
        """Sends a request once. If it's cancelled, its connection is closed."""
        ...

    async def close(self) -> None: ...


def create_async_transport(ssl_context: ssl.SSLContext | None) -> AsyncTransport:
    """Creates the transport that this environment allows."""
    try:
        from ._httpx_transport import HttpxTransport
    except ImportError:
        return ThreadTransport(ssl_context)
    return HttpxTransport(ssl_context, MAX_CONCURRENT)


class ThreadTransport:
    """Sends requests with the standard library, on threads of its own."""

    def __init__(self, ssl_context: ssl.SSLContext | None) -> None:
        self._pool = Pool(ssl_context)
        self._threads = ThreadPoolExecutor(MAX_CONCURRENT, thread_name_prefix="brickmark")
        # Not the queue of the threads: a thread could take a request that is just being cancelled, and send it.
        self._slots = asyncio.Semaphore(MAX_CONCURRENT)

    async def send(self, request: Request) -> Response:
        cancellation = Cancellation()

        def send() -> Response | None:
            with suppress(Cancelled):
                return self._pool.send(request, cancellation)
            return None

        async with self._slots:
            try:
                response = await asyncio.get_running_loop().run_in_executor(self._threads, send)
            except asyncio.CancelledError:
                cancellation.cancel()
                raise
        assert response is not None, "only a cancelled request has no response"
        return response

    async def close(self) -> None:
        self._threads.shutdown(wait=False)
        self._pool.close()
