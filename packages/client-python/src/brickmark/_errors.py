"""Errors. Every request error is a `BrickmarkError`; there is one subclass per code of the API."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from ._types import RETRYABLE_STATUSES


@dataclass(frozen=True)
class RateLimit:
    """Quota for the current day."""

    limit: int
    remaining: int
    reset: datetime


class BrickmarkError(Exception):
    """Base class of all request errors."""

    def __init__(
        self,
        code: str,
        message: str,
        *,
        status: int | None = None,
        request_id: str | None = None,
        rate_limit: RateLimit | None = None,
        retry_after: float | None = None,
        maybe_charged: bool = False,
        docs_url: str | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        """Machine-readable code from the API, or `APIConnectionError`, `APITimeoutError` or `UnexpectedResponse`."""
        self.message = message
        self.status = status
        """HTTP status, if there was a response."""
        self.request_id = request_id
        """Request ID, for support."""
        self.rate_limit = rate_limit
        self.retry_after = retry_after
        """Seconds to wait before retrying, from `Retry-After`."""
        self.maybe_charged = maybe_charged
        """Whether the request, or an earlier attempt to send it, may have been charged although it failed."""
        self.docs_url = docs_url
        """Page that explains the code."""

    @property
    def is_retryable(self) -> bool:
        """Whether sending the same request again may succeed.

        If `retry_after` is set, wait that long first. If `maybe_charged` is set, it may cost credits again. The client
        has already retried up to `max_retries` times.
        """
        if self.status is None:
            return isinstance(self, APIConnectionError)
        # A 429 without Retry-After isn't ours: a proxy may limit requests by rules we don't know.
        return self.status >= 500 or (self.status in RETRYABLE_STATUSES and self.retry_after is not None)


class BadRequestError(BrickmarkError):
    """400: the path, a parameter or the body is invalid. Free."""


class MissingApiKeyError(BrickmarkError):
    """401: no key was sent."""


class InvalidApiKeyError(BrickmarkError):
    """401: the key is unknown, expired or revoked."""


class TierRequiredError(BrickmarkError):
    """403: the account does not have the Reseller plan."""


class NotFoundError(BrickmarkError):
    """404: not found. Costs as much as a success."""


class QuotaExceededError(BrickmarkError):
    """429: daily quota exceeded. See `rate_limit.reset` and `retry_after`. Free."""


class InternalError(BrickmarkError):
    """5xx: server error, after all retries. Free, unless `maybe_charged`."""


class APIConnectionError(BrickmarkError):
    """No complete response, after all retries. See `__cause__`, and `maybe_charged`: the request may have arrived."""


class APITimeoutError(APIConnectionError):
    """No complete response within `timeout`, after all retries."""


class UnexpectedResponseError(BrickmarkError):
    """Not a Brickmark API response. The base URL is probably wrong."""


_CLASSES: dict[str, type[BrickmarkError]] = {
    "BadRequest": BadRequestError,
    "MissingApiKey": MissingApiKeyError,
    "InvalidApiKey": InvalidApiKeyError,
    "TierRequired": TierRequiredError,
    "NotFound": NotFoundError,
    "QuotaExceeded": QuotaExceededError,
    "InternalError": InternalError,
}


def error_class(code: str) -> type[BrickmarkError]:
    """Returns the class of a code. Codes unknown to this version are a plain `BrickmarkError`."""
    return _CLASSES.get(code, BrickmarkError)
