"""Counts the attempts to send a request, reports them, and decides whether there is another one."""

from __future__ import annotations

import random
import time

from ._errors import APIConnectionError, APITimeoutError, BrickmarkError
from ._options import Options, RequestEvent, ResponseEvent
from ._request import Request


class Attempts:
    """The attempts of one request."""

    def __init__(self, options: Options, request: Request) -> None:
        self._options = options
        self._request = request
        self._attempt = 0
        self._maybe_charged = False
        self._started_at = 0.0

    def start(self) -> None:
        self._attempt += 1
        if self._options.on_request:
            self._options.on_request(RequestEvent(self._request.method, self._request.url, self._attempt))
        self._started_at = time.monotonic()

    def succeed(self, status: int, request_id: str) -> None:
        self._report(status, request_id, None)

    def fail(self, error: BrickmarkError) -> float | None:
        """Returns how many seconds to wait before the next attempt; None if there is none."""
        self._report(error.status, error.request_id, error)
        self._maybe_charged = error.maybe_charged = error.maybe_charged or self._maybe_charged
        if self._attempt > self._options.max_retries or not error.is_retryable:
            return None
        if self._maybe_charged and not self._options.retry_maybe_charged:
            return None
        # 50 to 100 % of the delay, so that clients that failed together don't retry together.
        jitter = random.uniform(0.5, 1)
        if error.retry_after is None:
            return 0.25 * 2.0 ** (self._attempt - 1) * jitter
        return None if error.retry_after > self._options.max_retry_after else error.retry_after + 0.25 * jitter

    def abandon(self) -> None:
        """Reports an attempt that was cancelled."""
        self._report(None, None, None)

    def _report(self, status: int | None, request_id: str | None, error: BrickmarkError | None) -> None:
        if self._options.on_response is None:
            return
        duration = time.monotonic() - self._started_at
        event = ResponseEvent(
            self._request.method, self._request.url, self._attempt, duration, status, request_id, error
        )
        self._options.on_response(event)


def connection_error(request: Request, *, maybe_charged: bool) -> APIConnectionError:
    """Creates the error of a request without a complete response."""
    message = f"{_origin(request)} could not be reached, or the connection was lost."
    return APIConnectionError("APIConnectionError", message, maybe_charged=maybe_charged)


def timeout_error(request: Request, *, maybe_charged: bool) -> APITimeoutError:
    """Creates the error of a request that took too long."""
    message = f"{_origin(request)} did not respond within {request.timeout:g} s."
    return APITimeoutError("APITimeoutError", message, maybe_charged=maybe_charged)


def _origin(request: Request) -> str:
    return "/".join(request.url.split("/", 3)[:3])
