"""Splits batches, so that no item is charged twice, and merges their results."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from . import _types as types
from ._errors import BadRequestError
from ._response import Result

BATCH_SIZE = 100
"""Maximum number of items per batch request."""


def split_batch(sets: Iterable[str], minifigs: Iterable[str]) -> list[dict[str, list[str]]]:
    """Splits items into batches without duplicates (`1` and `1-1`, `HBR001` and `hbr001`)."""
    for name, numbers in (("sets", sets), ("minifigs", minifigs)):
        if isinstance(numbers, str):
            raise TypeError(f'{name} must be a list of numbers, e.g. {name}=["{numbers}"].')
    items = [("sets", number) for number in _unique(sets, lambda number: number.removesuffix("-1"))]
    items += [("minifigs", number) for number in _unique(minifigs, str.lower)]
    batches: list[dict[str, list[str]]] = []
    for start in range(0, len(items), BATCH_SIZE):
        batch: dict[str, list[str]] = {"sets": [], "minifigs": []}
        for kind, number in items[start : start + BATCH_SIZE]:
            batch[kind].append(number)
        batches.append(batch)
    return batches


def merge_batches(batches: list[Result[types.BatchData]]) -> Result[types.BatchData]:
    """Merges the results of a batch that was sent in parts."""
    if not batches:
        raise BadRequestError("BadRequest", "Pass at least one number in `sets` or `minifigs`.")
    data: types.BatchData = {
        "sets": [item for batch in batches for item in batch.data["sets"]],
        "minifigs": [item for batch in batches for item in batch.data["minifigs"]],
        "summary": {
            "requested": sum(batch.data["summary"]["requested"] for batch in batches),
            "found": sum(batch.data["summary"]["found"] for batch in batches),
        },
    }
    return Result(data, batches[-1].meta, batches[-1].response)


def batch_cost(sets: Iterable[str] = (), minifigs: Iterable[str] = ()) -> int:
    """Returns the cost of a batch in credits: one per unique item."""
    return sum(len(batch["sets"]) + len(batch["minifigs"]) for batch in split_batch(sets, minifigs))


def _unique(numbers: Iterable[str], normalize: Callable[[str], str]) -> list[str]:
    found: dict[str, str] = {}
    for given in numbers:
        number = given.strip()
        if number:
            found.setdefault(normalize(number), number)
    return list(found.values())
