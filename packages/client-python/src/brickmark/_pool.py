"""Sends requests with the standard library, over connections that are kept open."""

from __future__ import annotations

import http.client
import selectors
import socket
import ssl
import threading
import time
from base64 import b64encode
from collections import defaultdict
from contextlib import suppress
from typing import NamedTuple
from urllib.parse import SplitResult, unquote, urlsplit
from urllib.request import getproxies, proxy_bypass

from ._attempts import connection_error, timeout_error
from ._request import Request
from ._response import Response

MAX_IDLE_SECONDS = 60
"""Shorter than the API keeps an idle connection open."""


class Route(NamedTuple):
    """Where a connection leads: to the service, or to a proxy that connects to it."""

    scheme: str
    netloc: str
    proxy: str | None


class Cancelled(Exception):
    """The request was cancelled. Nobody waits for it any more."""


class Cancellation:
    """Cancels a request that another thread is sending, by closing its connection."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._is_cancelled = False
        self._socket: socket.socket | None = None

    def watch(self, opened: socket.socket | None) -> None:
        """Sets which connection to close. Raises `Cancelled` if it's too late."""
        with self._lock:
            if self._is_cancelled:
                raise Cancelled
            self._socket = opened

    def cancel(self) -> None:
        with self._lock:
            self._is_cancelled = True
            if self._socket is not None:
                with suppress(OSError):
                    # Not the method of an SSL socket, which takes the connection away from the thread that reads it.
                    socket.socket.shutdown(self._socket, socket.SHUT_RDWR)


class Pool:
    """Sends requests from any number of threads, and keeps their connections for the next ones.

    Proxies come from `HTTP_PROXY`, `HTTPS_PROXY`, `ALL_PROXY` and `NO_PROXY`, as in most programs.
    """

    def __init__(self, ssl_context: ssl.SSLContext | None) -> None:
        self._ssl_context = ssl_context
        self._proxies = getproxies()
        self._lock = threading.Lock()
        self._idle: defaultdict[Route, list[tuple[float, http.client.HTTPConnection]]] = defaultdict(list)
        self._is_closed = False

    def send(self, request: Request, cancellation: Cancellation | None = None) -> Response:
        """Sends a request once. Raises `APIConnectionError` if there is no complete response."""
        cancellation = cancellation or Cancellation()
        parts = urlsplit(request.url)
        route = Route(parts.scheme, parts.netloc, self._proxy_for(parts))
        connection = self._take_idle(route, request.timeout) or self._open(route, request)
        is_reusable = False
        try:
            cancellation.watch(connection.sock)
            response, is_reusable = _exchange(connection, route, parts, request)
            cancellation.watch(None)
        except TimeoutError as cause:
            raise timeout_error(request, maybe_charged=True) from cause
        except (OSError, http.client.HTTPException) as cause:
            raise connection_error(request, maybe_charged=True) from cause
        finally:
            self._give_back(route, connection, is_reusable)
        return response

    def close(self) -> None:
        """Closes the connections that aren't in use, and the others when their requests have ended."""
        with self._lock:
            self._is_closed = True
            idle = [connection for entries in self._idle.values() for _, connection in entries]
            self._idle.clear()
        for connection in idle:
            connection.close()

    def _proxy_for(self, parts: SplitResult) -> str | None:
        proxy = self._proxies.get(parts.scheme) or self._proxies.get("all")
        if not proxy or proxy_bypass(parts.netloc.rpartition("@")[2]):
            return None
        return proxy if "://" in proxy else f"http://{proxy}"

    def _take_idle(self, route: Route, timeout: float) -> http.client.HTTPConnection | None:
        """Returns the connection that was used last. Those that the service has closed are dropped."""
        while True:
            with self._lock:
                entries = self._idle.get(route)
                if not entries:
                    return None
                idle_since, connection = entries.pop()
            if time.monotonic() - idle_since < MAX_IDLE_SECONDS and not _is_readable(connection.sock):
                connection.timeout = timeout
                connection.sock.settimeout(timeout)
                return connection
            connection.close()

    def _open(self, route: Route, request: Request) -> http.client.HTTPConnection:
        connection = self._create(route, request)
        try:
            connection.connect()
        except (OSError, http.client.HTTPException) as cause:
            connection.close()
            error = timeout_error if isinstance(cause, TimeoutError) else connection_error
            raise error(request, maybe_charged=False) from cause
        return connection

    def _create(self, route: Route, request: Request) -> http.client.HTTPConnection:
        """Creates a connection to the service, or to the proxy: with HTTPS through a tunnel."""
        first_hop = urlsplit(route.proxy) if route.proxy else urlsplit(f"//{route.netloc}")
        if route.proxy and first_hop.scheme != "http":
            raise ValueError(f'Only proxies with http:// are supported, not "{first_hop.scheme}://".')
        host, port = first_hop.hostname or "", first_hop.port or (80 if route.proxy else None)
        if route.scheme == "http":
            return http.client.HTTPConnection(host, port, timeout=request.timeout)
        connection = http.client.HTTPSConnection(host, port, timeout=request.timeout, context=self._ssl_context)
        if route.proxy:
            service = urlsplit(f"//{route.netloc}")
            connection.set_tunnel(service.hostname or "", service.port, _proxy_headers(route.proxy))
        return connection

    def _give_back(self, route: Route, connection: http.client.HTTPConnection, is_reusable: bool) -> None:
        with self._lock:
            if is_reusable and not self._is_closed:
                self._idle[route].append((time.monotonic(), connection))
                return
        connection.close()


def _exchange(
    connection: http.client.HTTPConnection, route: Route, parts: SplitResult, request: Request
) -> tuple[Response, bool]:
    """Returns the response, and whether the connection can be used again."""
    target = parts.path + (f"?{parts.query}" if parts.query else "")
    headers = dict(request.headers)
    if route.proxy and route.scheme == "http":
        target = f"{route.scheme}://{route.netloc}{target}"
        headers.update(_proxy_headers(route.proxy))
    connection.request(request.method, target, request.body, headers)
    response = connection.getresponse()
    body = response.read()
    received = {name.lower(): value for name, value in response.getheaders()}
    return Response(response.status, received, body), not response.will_close


def _proxy_headers(proxy: str) -> dict[str, str]:
    parts = urlsplit(proxy)
    if parts.username is None:
        return {}
    credentials = f"{unquote(parts.username)}:{unquote(parts.password or '')}".encode()
    return {"proxy-authorization": f"Basic {b64encode(credentials).decode()}"}


def _is_readable(opened: socket.socket) -> bool:
    """Whether an idle connection has something to read, which is its end."""
    with selectors.DefaultSelector() as selector:
        selector.register(opened, selectors.EVENT_READ)
        return bool(selector.select(0))
