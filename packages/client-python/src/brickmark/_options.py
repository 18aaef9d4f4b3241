"""Options of a client, checked and completed from the environment."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlsplit

from ._errors import BrickmarkError, MissingApiKeyError


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


@dataclass(frozen=True)
class Options:
    api_key: str
    base_url: str
    timeout: float
    max_retries: int
    retry_maybe_charged: bool
    max_retry_after: float
    headers: Mapping[str, str]
    on_request: Callable[[RequestEvent], None] | None
    on_response: Callable[[ResponseEvent], None] | None

    def __post_init__(self) -> None:
        if urlsplit(self.base_url).scheme not in ("http", "https"):
            raise ValueError(f'base_url must start with http:// or https://, but is "{self.base_url}".')

    def override(self, headers: Mapping[str, str] | None, **given: Any) -> Options:
        """Returns a copy with those options that aren't None. Headers are added."""
        changes = {name: value for name, value in given.items() if value is not None}
        return replace(self, headers={**self.headers, **(headers or {})}, **changes)


def resolve_api_key(given: str | None) -> str:
    """Returns the key, or that of the environment."""
    key = os.environ.get("BRICKMARK_API_KEY", "") if given is None else given
    if not key:
        message = "No API key. Pass `api_key`, or set the environment variable BRICKMARK_API_KEY."
        raise MissingApiKeyError("MissingApiKey", message)
    return key


def resolve_base_url(given: str | None) -> str:
    """Returns the base URL, or that of the environment.

    There is no default, so that a key is never sent to whatever listens on this machine.
    """
    url = given if given is not None else os.environ.get("BRICKMARK_BASE_URL", "")
    if not url:
        raise ValueError("No base URL. Pass `base_url`, or set the environment variable BRICKMARK_BASE_URL.")
    return url.rstrip("/")
