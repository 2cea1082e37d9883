"""The program that fits how blocks are ranked."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from service.generation.extraction import scoring
from tests.training import fit_block_weights

pytestmark = pytest.mark.anyio

PAGE = "# Permits\n\nA permit is blue.\n\n## Fees\n\nThe card for a permit costs forty dollars.\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with one document and two queries."""
    document: dict[str, Any] = {
        "doc_id": "p",
        "portal": "town",
        "title": "Permits",
        "text": PAGE,
    }
    document["mime"] = "text/markdown"
    turns: list[Any] = [
        {"query": "What are the fees of a permit?", "portal": "town", "answer": None}
        | {"gold": [{"text": "The card for a permit costs forty dollars."}]},
        {"query": "Which colour has a permit?", "portal": "town", "gold": [], "answer": "Blue."},
    ]
    for name, rows in (("corpora", [document]), ("turns", turns)):
        (tmp_path / name).mkdir()
        text = "\n".join(map(json.dumps, rows))
        (tmp_path / name / "all.jsonl").write_text(text, "utf-8")
    return tmp_path


async def test_it_reads_what_answers_and_fits_to_it(folder: Path) -> None:
    examples = await fit_block_weights.read(folder)
    assert [one.portal for one in examples] == ["town", "town"]
    assert {len(row) for one in examples for row in one.features} == {len(scoring.WEIGHTS) + 1}
    weights = fit_block_weights.fit(examples)
    assert fit_block_weights.judge(examples, weights) >= fit_block_weights.judge(
        examples, [0.0] * len(weights)
    )
