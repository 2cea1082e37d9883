"""The program that fits how likely it is the second section that answers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from service.generation.extraction import alternatives
from tests.training import fit_alternatives
from tests.training.fit_alternatives import Pair

pytestmark = pytest.mark.anyio

PAGE = """\
# Permits

All about permits.

## Cards

A card for a permit costs forty dollars.

## Stickers

A sticker for a permit costs fifty dollars.
"""


async def test_it_reads_pairs_of_which_one_answers(tmp_path: Path) -> None:
    document: dict[str, Any] = {"doc_id": "p", "portal": "town", "title": "Permits", "text": PAGE}
    turns: list[Any] = [
        {"query": "How much does it cost for a permit?", "portal": "town", "answer": None}
        | {"gold": [{"text": f"A {one} for a permit costs {price} dollars."}]}
        for one, price in (("card", "forty"), ("sticker", "fifty"))
    ]
    for name, rows in (("corpora", [document | {"mime": "text/markdown"}]), ("turns", turns)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "all.jsonl").write_text("\n".join(map(json.dumps, rows)), "utf-8")
    pairs = await fit_alternatives.read(tmp_path)
    assert [one.second for one in pairs] == [False, True]
    assert {len(one.features) for one in pairs} == {len(alternatives.WEIGHTS)}


def test_it_fits_to_which_of_the_two_answers() -> None:
    rest = (0.0,) * (len(alternatives.WEIGHTS) - 1)
    pairs = [Pair("town", (gap, *rest), gap < 1) for gap in (0.0, 0.2, 0.5, 1.5, 2.0)]
    weights = fit_alternatives.fit(pairs)
    assert weights[1] < 0
    likely = [fit_alternatives.likelihood(weights, one) for one in pairs]
    assert likely == sorted(likely, reverse=True)


def test_each_portal_is_judged_by_what_saw_nothing_of_it() -> None:
    rest = (0.0,) * len(alternatives.WEIGHTS)
    pairs = [Pair("town", rest, True)] * 3 + [Pair("county", rest, False)] * 3
    judged = list(fit_alternatives.unseen(pairs))
    assert all(second is (likely < 0.5) for likely, second in judged)
