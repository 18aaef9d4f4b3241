"""Sends requests with the standard library, with retries."""

from __future__ import annotations

import http.client
import json
import os
import platform
import random
import re
import ssl
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from typing import Any, Generic, TypeVar
from urllib.parse import quote, urlencode, urljoin, urlsplit

from ._errors import (
    APIConnectionError,
    APITimeoutError,
    BrickmarkError,
    MissingApiKeyError,
    RateLimit,
    UnexpectedResponseError,
    error_class,
)
from ._types import RETRYABLE_STATUSES, SDK_VERSION

T = TypeVar("T")

DEFAULT_BASE_URL = "http://127.0.0.1:8080/api/v1"


@dataclass(frozen=True)
class Meta:
    """Response metadata: request ID, API version and remaining quota."""

    request_id: str
    api_version: str
    rate_limit: RateLimit


@dataclass(frozen=True)
class Response:
    """The raw response. Header names are in lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes


@dataclass(frozen=True)
class Result(Generic[T]):
    """Response data, exactly as the API sent it, with its metadata and the raw response."""

    data: T
    meta: Meta
    response: Response


@dataclass(frozen=True)
class RequestEvent:
    """One attempt to send a request. The first is number 1."""

    method: str
    url: str
    attempt: int


@dataclass(frozen=True)
class ResponseEvent:
    """How an attempt ended: with a response, or with an error."""

    method: str
    url: str
    attempt: int
    duration: float
    """Seconds."""
    status: int | None
    request_id: str | None
    error: BrickmarkError | None


class Transport:
    """Holds the options of a client and sends its requests."""

    def __init__(
        self,
        *,
        api_key: str | None,
        base_url: str | None,
        timeout: float,
        max_retries: int,
        retry_maybe_charged: bool,
        max_retry_after: float,
        headers: Mapping[str, str] | None,
        ssl_context: ssl.SSLContext | None,
        on_request: Callable[[RequestEvent], None] | None,
        on_response: Callable[[ResponseEvent], None] | None,
    ) -> None:
        key = os.environ.get("BRICKMARK_API_KEY", "") if api_key is None else api_key
        if not isinstance(key, str) or key == "":
            message = "No API key. Pass `api_key`, or set the environment variable BRICKMARK_API_KEY."
            raise MissingApiKeyError("MissingApiKey", message)
        url = base_url if base_url is not None else os.environ.get("BRICKMARK_BASE_URL", DEFAULT_BASE_URL)
        self.base_url = url.rstrip("/")
        if urlsplit(self.base_url).scheme not in ("http", "https"):
            raise ValueError(f'base_url must start with http:// or https://, but is "{url}".')
        self._timeout = timeout
        self._max_retries = max_retries
        self._retry_maybe_charged = retry_maybe_charged
        self._max_retry_after = max_retry_after
        self._ssl_context = ssl_context
        self._on_request = on_request
        self._on_response = on_response
        self._headers = {
            "authorization": f"Bearer {key}",
            "accept": "application/json",
            "user-agent": f"brickmark-python/{SDK_VERSION} python/{platform.python_version()} {platform.system().lower()}",
            **(headers or {}),
        }

    def send(self, method: str, path: str, parameters: Mapping[str, object]) -> Result[Any]:
        """Sends an operation. Path parameters are taken out of `parameters`; None is left out."""
        rest = {name: value for name, value in parameters.items() if value is not None}
        filled = re.sub(r"\{(\w+)\}", lambda match: quote(str(rest.pop(match[1])), safe=""), path)
        body = None
        if method == "POST":
            body = json.dumps(rest).encode()
        elif rest:
            filled += "?" + urlencode({name: str(value) for name, value in rest.items()})
        attempt = 0
        maybe_charged = False
        while True:
            attempt += 1
            try:
                return self._send_once(method, self.base_url + filled, body, attempt)
            except BrickmarkError as error:
                maybe_charged = error.maybe_charged = error.maybe_charged or maybe_charged
                wait = self._retry_delay(error, attempt)
                if wait is None:
                    raise
            time.sleep(wait)

    def _send_once(self, method: str, url: str, body: bytes | None, attempt: int) -> Result[Any]:
        if self._on_request:
            self._on_request(RequestEvent(method, url, attempt))
        started_at = time.monotonic()

        def report(status: int | None, request_id: str | None, error: BrickmarkError | None) -> None:
            if self._on_response:
                duration = time.monotonic() - started_at
                self._on_response(ResponseEvent(method, url, attempt, duration, status, request_id, error))

        try:
            result = self._parse(self._fetch(method, url, body), url)
        except BrickmarkError as error:
            report(error.status, error.request_id, error)
            raise
        report(result.response.status, result.meta.request_id, None)
        return result

    def _fetch(self, method: str, url: str, body: bytes | None) -> Response:
        """Opens a connection per request, so that it's known whether a failed one ever reached the service."""
        parts = urlsplit(url)
        connection: http.client.HTTPConnection
        if parts.scheme == "https":
            connection = http.client.HTTPSConnection(parts.netloc, timeout=self._timeout, context=self._ssl_context)
        else:
            connection = http.client.HTTPConnection(parts.netloc, timeout=self._timeout)
        headers = dict(self._headers)
        if body is not None:
            headers["content-type"] = "application/json"
        try:
            try:
                connection.connect()
            except OSError as cause:
                raise self._connection_error(cause, maybe_charged=False) from cause
            try:
                connection.request(method, parts.path + (f"?{parts.query}" if parts.query else ""), body, headers)
                response = connection.getresponse()
                content = response.read()
            except (OSError, http.client.HTTPException) as cause:
                raise self._connection_error(cause, maybe_charged=True) from cause
        finally:
            connection.close()
        return Response(response.status, {name.lower(): value for name, value in response.getheaders()}, content)

    def _connection_error(self, cause: Exception, *, maybe_charged: bool) -> APIConnectionError:
        if isinstance(cause, TimeoutError):
            message = f"{self.base_url} did not respond within {self._timeout:g} s."
            return APITimeoutError("APITimeoutError", message, maybe_charged=maybe_charged)
        message = f"{self.base_url} could not be reached, or the connection was lost."
        return APIConnectionError("APIConnectionError", message, maybe_charged=maybe_charged)

    def _parse(self, response: Response, url: str) -> Result[Any]:
        """Parses a response; raises the matching error if it isn't a success."""
        try:
            body: Any = json.loads(response.body)
        except ValueError:
            body = None
        status, headers = response.status, response.headers
        if 200 <= status < 300 and isinstance(body, dict) and "data" in body and "meta" in body:
            return Result(body["data"], _meta(body["meta"]), response)
        error = body.get("error") if isinstance(body, dict) else None
        if not isinstance(error, dict) or "code" not in error:
            error = None
        details: dict[str, Any] = {
            "status": status,
            "request_id": headers.get("x-request-id"),
            "rate_limit": _rate_limit(headers),
            "retry_after": _retry_after(headers.get("retry-after")),
            # The API's own errors are free unless they say otherwise. Those of a proxy don't say.
            "maybe_charged": status >= 500
            and (error is None or status not in RETRYABLE_STATUSES or headers.get("x-charged") == "maybe"),
            "docs_url": _docs_url(headers.get("link"), url),
        }
        if error is not None:
            raise error_class(error["code"])(error["code"], error["message"], **details)
        # A proxy in front of an unavailable service responds in its own format.
        if status >= 500:
            raise error_class("InternalError")("InternalError", f"{self.base_url} responded with {status}.", **details)
        message = f"{self.base_url} responded with {status}, but not in the format of the API. "
        raise UnexpectedResponseError(
            "UnexpectedResponse", message + "Check the base URL: it ends in /api/v1.", **details
        )

    def _retry_delay(self, error: BrickmarkError, attempt: int) -> float | None:
        """Seconds to wait before the next attempt; None if there is none."""
        if attempt > self._max_retries or not error.is_retryable:
            return None
        if error.maybe_charged and not self._retry_maybe_charged:
            return None
        # 50 to 100 % of the delay, so that clients that failed together don't retry together.
        jitter = random.uniform(0.5, 1)
        if error.retry_after is None:
            return 0.25 * 2.0 ** (attempt - 1) * jitter
        return None if error.retry_after > self._max_retry_after else error.retry_after + 0.25 * jitter


def _meta(meta: Mapping[str, Any]) -> Meta:
    limit = meta["rate_limit"]
    rate_limit = RateLimit(limit["limit"], limit["remaining"], _parse_time(limit["reset"]))
    return Meta(meta["request_id"], meta["api_version"], rate_limit)


def _rate_limit(headers: Mapping[str, str]) -> RateLimit | None:
    reset = headers.get("x-ratelimit-reset")
    if reset is None:
        return None
    return RateLimit(int(headers["x-ratelimit-limit"]), int(headers["x-ratelimit-remaining"]), _parse_time(reset))


def _parse_time(text: str) -> datetime:
    # Python 3.10 doesn't know the suffix Z.
    return datetime.fromisoformat(text.replace("Z", "+00:00"))


def _retry_after(value: str | None) -> float | None:
    """Parses `Retry-After`, which proxies may send as a date instead of seconds."""
    if value is None:
        return None
    if value.isdecimal():
        return float(value)
    try:
        return max(0.0, (parsedate_to_datetime(value) - datetime.now(timezone.utc)).total_seconds())
    except (TypeError, ValueError):
        return None


def _docs_url(link: str | None, url: str) -> str | None:
    """Returns the address in `Link: </docs/errors#BadRequest>; rel="help"`."""
    match = re.search(r'<([^>]+)>; rel="help"', link or "")
    return urljoin(url, match[1]) if match else None
