import base64
import hashlib
import hmac
import json
import time

import pytest

from brickmark import WebhookVerificationError, verify_webhook

KEY = b"k" * 32
SECRET = "whsec_" + base64.b64encode(KEY).decode()
BODY = json.dumps({"type": "test", "timestamp": "2026-01-01T00:00:00.000Z", "data": {}})


def sign(body: str = BODY, age: int = 0, key: bytes = KEY) -> dict[str, str]:
    timestamp = str(int(time.time()) - age)
    digest = hmac.new(key, f"msg_1.{timestamp}.{body}".encode(), hashlib.sha256).digest()
    signature = "v1," + base64.b64encode(digest).decode()
    return {"Webhook-Id": "msg_1", "Webhook-Timestamp": timestamp, "Webhook-Signature": f"v1,bm8= {signature}"}


def test_returns_the_event_of_a_signed_message() -> None:
    assert verify_webhook(BODY, sign(), SECRET) == json.loads(BODY)
    assert verify_webhook(BODY.encode(), sign(), SECRET)["type"] == "test"


def test_the_type_of_an_event_says_what_its_data_has() -> None:
    data = {"reason": "$39.99 ≤ your $42.00", "price_usd": 39.99}
    body = json.dumps({"type": "alert.price_at_most", "timestamp": "2026-01-01T00:00:00.000Z", "data": data})
    event = verify_webhook(body, sign(body), SECRET)
    # Type checkers reject both lines without the comparison.
    assert event["type"] != "test"
    assert event["data"]["reason"].startswith("$39.99")


@pytest.mark.parametrize(
    ("body", "headers", "reason"),
    [
        (BODY + " ", sign(), "No signature"),
        (BODY, sign(key=b"x" * 32), "No signature"),
        (BODY, sign(age=1000), "too old"),
        (BODY, sign(age=-1000), "too old"),
        (BODY, {**sign(), "Webhook-Timestamp": "soon"}, "too old"),
        (BODY, {}, "missing"),
    ],
)
def test_rejects_what_it_cannot_trust(body: str, headers: dict[str, str], reason: str) -> None:
    with pytest.raises(WebhookVerificationError, match=reason):
        verify_webhook(body, headers, SECRET)


def test_says_if_the_secret_is_not_one() -> None:
    with pytest.raises(ValueError, match="whsec_"):
        verify_webhook(BODY, sign(), "my secret")
