"""Builds requests."""

from __future__ import annotations

import json
import platform
import re
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import quote, urlencode

from ._options import Options
from ._types import ENDPOINTS, SDK_VERSION

USER_AGENT = f"brickmark-python/{SDK_VERSION} python/{platform.python_version()} {platform.system().lower()}"


@dataclass(frozen=True)
class Request:
    method: str
    url: str
    headers: Mapping[str, str]
    body: bytes | None
    timeout: float


def build_operation(options: Options, operation: str, parameters: Mapping[str, object]) -> Request:
    """Builds the request of an operation. Path parameters are taken out of `parameters`; None is left out."""
    method, path = ENDPOINTS[operation]
    rest = {name: value for name, value in parameters.items() if value is not None}
    filled = re.sub(r"\{(\w+)\}", lambda match: quote(str(rest.pop(match[1])), safe=""), path)
    if method == "POST":
        return build_request(options, method, filled, body=rest)
    return build_request(options, method, filled, query=rest)


def build_request(
    options: Options,
    method: str,
    path: str,
    *,
    query: Mapping[str, object] | None = None,
    body: object = None,
    byte_range: tuple[int, int] | None = None,
) -> Request:
    """Builds any request. A path that starts with `/api/` is one of the service, any other one of this API version."""
    if not path.startswith("/"):
        raise ValueError(f'path must start with /, e.g. "/catalog/themes", but is "{path}".')
    base = options.base_url.removesuffix("/api/v1") if path.startswith("/api/") else options.base_url
    given = {name: str(value) for name, value in (query or {}).items() if value is not None}
    headers = {
        "authorization": f"Bearer {options.api_key}",
        "accept": "application/json",
        "user-agent": USER_AGENT,
        **options.headers,
    }
    if byte_range is not None:
        headers["range"] = f"bytes={byte_range[0]}-{byte_range[1]}"
    if body is not None:
        headers["content-type"] = "application/json"
    return Request(
        method,
        base + path + (f"?{urlencode(given)}" if given else ""),
        headers,
        None if body is None else json.dumps(body).encode(),
        options.timeout,
    )
