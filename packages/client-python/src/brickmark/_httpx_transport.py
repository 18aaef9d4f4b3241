"""Sends requests of the asynchronous client with httpx, from the extra `brickmark[httpx]`."""

from __future__ import annotations

import ssl

import httpx

from ._attempts import connection_error, timeout_error
from ._pool import MAX_IDLE_SECONDS
from ._request import Request
from ._response import Response


class HttpxTransport:
    """Sends requests in the event loop. Proxies come from the environment."""

    def __init__(self, ssl_context: ssl.SSLContext | None, max_connections: int) -> None:
        limits = httpx.Limits(max_connections=max_connections, keepalive_expiry=MAX_IDLE_SECONDS)
        self._client = httpx.AsyncClient(verify=ssl_context or True, limits=limits)

    async def send(self, request: Request) -> Response:
        # Waiting for one of the connections isn't limited: it depends on how many requests the program sends at once.
        timeout = httpx.Timeout(request.timeout, pool=None)
        try:
            response = await self._client.request(
                request.method, request.url, content=request.body, headers=dict(request.headers), timeout=timeout
            )
        except (httpx.ConnectTimeout, httpx.ConnectError, httpx.ProxyError) as cause:
            error = timeout_error if isinstance(cause, httpx.TimeoutException) else connection_error
            raise error(request, maybe_charged=False) from cause
        except httpx.TimeoutException as cause:
            raise timeout_error(request, maybe_charged=True) from cause
        except ssl.SSLCertVerificationError as cause:
            # Old versions of httpx don't turn it into a ConnectError.
            raise connection_error(request, maybe_charged=False) from cause
        except httpx.TransportError as cause:
            raise connection_error(request, maybe_charged=True) from cause
        return Response(response.status_code, dict(response.headers), response.content)

    async def close(self) -> None:
        await self._client.aclose()
