"""Reads exports: gzipped NDJSON, in parts."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator
from typing import Any

from . import _types as types
from ._errors import NotFoundError
from ._options import Options
from ._request import Request, build_request

PART_BYTES = 4 * 1024 * 1024
"""A request for a part of an export costs a credit per MiB, so parts may have any number of them."""


def find_export(data: types.ExportsData, dataset: str) -> types.Export:
    for file in data["exports"]:
        if file["dataset"] == dataset:
            return file
    raise NotFoundError("NotFound", f"There is no export of {dataset} yet. Exports are written every night.")


def build_parts(options: Options, file: types.Export) -> Iterator[Request]:
    """Builds the requests for all parts of a file."""
    for start in range(0, file["bytes"], PART_BYTES):
        end = min(start + PART_BYTES, file["bytes"]) - 1
        yield build_request(options, "GET", file["path"], byte_range=(start, end))


class RowReader:
    """Decompresses a file as it arrives, and parses its lines."""

    def __init__(self) -> None:
        self._gzip = zlib.decompressobj(wbits=31)
        self._rest = b""

    def feed(self, part: bytes) -> Iterator[dict[str, Any]]:
        lines = (self._rest + self._gzip.decompress(part)).split(b"\n")
        self._rest = lines.pop()
        for line in lines:
            yield json.loads(line)
