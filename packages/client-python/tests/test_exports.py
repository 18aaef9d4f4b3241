"""Exports, from a server that sends a file in parts."""

from __future__ import annotations

import asyncio
import gzip
import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from brickmark import AsyncBrickmark, Brickmark, NotFoundError, UnexpectedResponseError
from brickmark import _exports as exports
from servers import BODY, ApiHandler, serve

ROWS = [{"set_number": f"{number}-1", "title": "ä" * (number % 7)} for number in range(90000, 90500)]
FILE = gzip.compress("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in ROWS).encode())
PATH = "/api/extensions/v1/exports/sets-20260627T040000Z.ndjson.gz"


class ExportHandler(ApiHandler):
    """Serves `GET /exports` and the file. A file named "json" isn't one."""

    ranges: list[str]

    def do_GET(self) -> None:
        if self.path == "/api/extensions/v1/exports":
            entries = [("sets", PATH), ("minifigs", PATH + "/json")]
            listed = [{"dataset": name, "path": path, "bytes": len(FILE)} for name, path in entries]
            return self._respond(200, json.dumps({**json.loads(BODY), "data": {"exports": listed}}).encode())
        if self.path != PATH:
            return self._respond(200, BODY)
        match = re.fullmatch(r"bytes=(\d+)-(\d+)", self.headers["range"])
        assert match is not None
        self.ranges.append(match[0])
        return self._respond(206, FILE[int(match[1]) : int(match[2]) + 1])

    def _respond(self, status: int, body: bytes) -> None:
        self.send_response(status)
        self.send_header("content-length", str(len(body)))
        self.send_header("x-request-id", "r-1")
        self.send_header("x-api-version", "1")
        self.send_header("x-ratelimit-limit", "1000")
        self.send_header("x-ratelimit-remaining", "990")
        self.send_header("x-ratelimit-reset", "2026-06-28T00:00:00.000Z")
        self.end_headers()
        self.wfile.write(body)


@pytest.fixture
def base_url(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    monkeypatch.setattr(exports, "PART_BYTES", 1000)
    monkeypatch.setattr(ExportHandler, "ranges", [], raising=False)
    with serve(ExportHandler) as port:
        yield f"http://127.0.0.1:{port}/api/v1"


def test_reads_every_row_in_parts(base_url: str) -> None:
    with Brickmark("bmk_live_test", base_url=base_url) as brickmark:
        assert list(brickmark.read_export("sets")) == ROWS
    last = len(FILE) - 1
    assert ExportHandler.ranges[0] == "bytes=0-999"
    assert ExportHandler.ranges[-1] == f"bytes={last // 1000 * 1000}-{last}"


def test_reads_no_further_than_it_is_asked(base_url: str) -> None:
    with Brickmark("bmk_live_test", base_url=base_url) as brickmark:
        assert next(brickmark.read_export("sets")) == ROWS[0]
    assert ExportHandler.ranges == ["bytes=0-999"]


def test_reads_asynchronously(base_url: str, async_transport: str) -> None:
    async def read() -> list[dict[str, Any]]:
        async with AsyncBrickmark("bmk_live_test", base_url=base_url) as brickmark:
            return [row async for row in brickmark.read_export("sets")]

    assert asyncio.run(read()) == ROWS


def test_reports_what_is_missing(base_url: str) -> None:
    with Brickmark("bmk_live_test", base_url=base_url) as brickmark:
        with pytest.raises(NotFoundError, match="no export of prices"):
            next(brickmark.read_export("prices"))
        with pytest.raises(UnexpectedResponseError, match="instead of a file"):
            next(brickmark.read_export("minifigs"))
