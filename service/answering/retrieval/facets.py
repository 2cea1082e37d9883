"""Count the values of fields over what a search found."""

from __future__ import annotations

import collections
from collections.abc import Sequence
from typing import Final

from service.answering.requests import search_validation
from service.answering.retrieval import document_ranking
from service.answering.retrieval.document_ranking import Item
from sessions.resources.search_requests import FacetKey, FacetSpec, Interval
from sessions.resources.search_results import Facet, FacetValue

_VALUES: Final = 20
_MOST: Final = 300


def count(spec: FacetSpec, items: Sequence[Item]) -> Facet:
    """Return the facet that *spec* asks for."""
    key = spec.facet_key or FacetKey()
    path = key.key.split(".")
    limit = min(spec.limit or _VALUES, _MOST)
    found = [list(document_ranking.values(item.struct_data, path)) for item in items]
    counted = _intervals(key, found) if key.intervals else _texts(key, found)
    return Facet(key=key.key, values=tuple(counted[:limit]))


def _intervals(key: FacetKey, found: Sequence[Sequence[object]]) -> list[FacetValue]:
    """Count in how many documents a number lies in each interval, in the order given."""
    return [
        FacetValue(interval=one, count=str(sum(any(_lies(v, one) for v in v_) for v_ in found)))
        for one in key.intervals
    ]


def _lies(value: object, interval: Interval) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    low, high, low_open, high_open = search_validation.bounds(interval)
    above = low is None or (value > low if low_open else value >= low)
    return above and (high is None or (value < high if high_open else value <= high))


def _texts(key: FacetKey, found: Sequence[Sequence[object]]) -> list[FacetValue]:
    """Count in how many documents each text occurs, by text unless another order is asked for."""
    counts = collections.Counter[str]()
    for values in found:
        counts.update({text for v in values if _wanted(text := _text(v), key)})
    field, _, direction = key.order_by.partition(" ")
    ranked = sorted(counts.items(), reverse=direction == "desc" and field == "value")
    if field == "count":
        ranked.sort(key=lambda one: one[1], reverse=direction == "desc")
    return [FacetValue(value=text, count=str(number)) for text, number in ranked]


def _text(value: object) -> str:
    """Return a value as text; what is an object has none."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value) if isinstance(value, str | int | float) else ""


def _wanted(text: str, key: FacetKey) -> bool:
    if not text or (key.restricted_values and text not in key.restricted_values):
        return False
    fold = str.casefold if key.case_insensitive else str
    own = fold(text)
    if key.prefixes and not own.startswith(tuple(fold(prefix) for prefix in key.prefixes)):
        return False
    return not key.contains or any(fold(part) in own for part in key.contains)
