"""Parses responses."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from typing import Any, Generic, TypeVar, cast
from urllib.parse import urljoin

from ._errors import RateLimit, UnexpectedResponseError, error_class
from ._types import RETRYABLE_STATUSES

T = TypeVar("T")


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


def parse_response(response: Response, base_url: str) -> Result[Any]:
    """Parses a response; raises the matching error if it isn't a success."""
    body = _parse_object(response.body)
    status, headers = response.status, response.headers
    if 200 <= status < 300 and "data" in body and "meta" in body:
        return Result(body["data"], _meta(body["meta"]), response)
    error = _as_object(body.get("error"))
    is_ours = "code" in error
    details: dict[str, Any] = {
        "status": status,
        "request_id": headers.get("x-request-id"),
        "rate_limit": _rate_limit(headers),
        "retry_after": _retry_after(headers.get("retry-after")),
        # The API's own errors are free unless they say otherwise. Those of a proxy don't say.
        "maybe_charged": status >= 500
        and (not is_ours or status not in RETRYABLE_STATUSES or headers.get("x-charged") == "maybe"),
        "docs_url": _docs_url(headers.get("link"), base_url),
    }
    if is_ours:
        raise error_class(error["code"])(error["code"], error.get("message", ""), **details)
    # A proxy in front of an unavailable service responds in its own format.
    if status >= 500:
        raise error_class("InternalError")("InternalError", f"{base_url} responded with {status}.", **details)
    message = f"{base_url} responded with {status}, but not in the format of the API. "
    raise UnexpectedResponseError("UnexpectedResponse", message + "Check the base URL: it ends in /api/v1.", **details)


def parse_part(response: Response, base_url: str) -> Result[bytes]:
    """Returns a part of a file; raises the matching error if there is none."""
    if response.status != 206:
        parse_response(response, base_url)
        raise UnexpectedResponseError("UnexpectedResponse", f"{base_url} responded with JSON instead of a file.")
    headers = response.headers
    rate_limit = _rate_limit(headers)
    assert rate_limit is not None, "the API says how many credits are left"
    meta = Meta(headers["x-request-id"], headers["x-api-version"], rate_limit)
    return Result(response.body, meta, response)


def _parse_object(body: bytes) -> dict[str, Any]:
    try:
        return _as_object(json.loads(body))
    except ValueError:
        return {}


def _as_object(value: object) -> dict[str, Any]:
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


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


def _docs_url(link: str | None, base_url: str) -> str | None:
    """Returns the address in `Link: </docs/errors#BadRequest>; rel="help"`."""
    match = re.search(r'<([^>]+)>; rel="help"', link or "")
    return urljoin(base_url, match[1]) if match else None
