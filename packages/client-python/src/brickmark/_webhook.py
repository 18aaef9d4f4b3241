"""Verifies the signatures of webhooks."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import time
from collections.abc import Mapping
from typing import cast

from ._types import WebhookEvent


class WebhookVerificationError(Exception):
    """The message isn't from Brickmark, was changed on the way, or is too old."""


def verify_webhook(
    body: str | bytes, headers: Mapping[str, str], secret: str, *, tolerance_seconds: float = 300
) -> WebhookEvent:
    """Verifies the signature of a webhook and returns its event. Its `type` says what `data` has.

    `body` must be the body exactly as it arrived: parse it only afterwards. `tolerance_seconds` is how old a message
    may be, so that nobody can send a recorded one again. Raises `WebhookVerificationError` if the message can't be
    trusted.
    """
    values = {name.lower(): value for name, value in headers.items()}
    message_id = values.get("webhook-id", "")
    timestamp = values.get("webhook-timestamp", "")
    signatures = values.get("webhook-signature", "")
    if not (message_id and timestamp and signatures):
        raise WebhookVerificationError("The webhook headers are missing.")
    if not timestamp.isdigit() or abs(time.time() - int(timestamp)) > tolerance_seconds:
        raise WebhookVerificationError("The message is too old, or its time is wrong.")
    try:
        key = base64.b64decode(secret.removeprefix("whsec_"), validate=True)
    except binascii.Error:
        raise ValueError("The secret must be that of the endpoint, starting with whsec_.") from None
    text = body if isinstance(body, bytes) else body.encode()
    digest = hmac.new(key, f"{message_id}.{timestamp}.".encode() + text, hashlib.sha256).digest()
    expected = "v1," + base64.b64encode(digest).decode()
    if not any(hmac.compare_digest(signature.encode(), expected.encode()) for signature in signatures.split(" ")):
        raise WebhookVerificationError("No signature matches. Check the secret, and that the body is unchanged.")
    return cast(WebhookEvent, json.loads(text))
