"""Python client of the Brickmark API: values of sets and minifigs, retail prices, and your collections and sales."""

from . import _types as types
from ._async_client import AsyncBrickmark
from ._batch import batch_cost
from ._client import Brickmark
from ._errors import (
    APIConnectionError,
    APITimeoutError,
    BadRequestError,
    BrickmarkError,
    InternalError,
    InvalidApiKeyError,
    MissingApiKeyError,
    NotFoundError,
    QuotaExceededError,
    RateLimit,
    TierRequiredError,
    UnexpectedResponseError,
)
from ._options import RequestEvent, ResponseEvent
from ._pages import AsyncPages, Page, Pages
from ._response import Meta, Response, Result
from ._types import SDK_VERSION as __version__
from ._webhook import WebhookVerificationError, verify_webhook

__all__ = [
    "APIConnectionError",
    "APITimeoutError",
    "AsyncBrickmark",
    "AsyncPages",
    "BadRequestError",
    "Brickmark",
    "BrickmarkError",
    "InternalError",
    "InvalidApiKeyError",
    "Meta",
    "MissingApiKeyError",
    "NotFoundError",
    "Page",
    "Pages",
    "QuotaExceededError",
    "RateLimit",
    "RequestEvent",
    "Response",
    "ResponseEvent",
    "Result",
    "TierRequiredError",
    "UnexpectedResponseError",
    "WebhookVerificationError",
    "__version__",
    "batch_cost",
    "types",
    "verify_webhook",
]
