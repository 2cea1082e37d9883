"""No parser of native code lets anything out but what it read, or our own errors."""

from __future__ import annotations

import logging
import random
import secrets

import pytest

from tests.fuzz import targets

INPUTS = 100
"""How many of each parser are tried here; `./dev fuzz` tries more."""


@pytest.mark.parametrize("name", targets.TARGETS)
def test_a_parser_reads_or_refuses(name: str) -> None:
    logging.getLogger("service.corpus.parsing.parsing").setLevel(logging.CRITICAL)
    seed = secrets.randbelow(1 << 31)
    count = INPUTS // 5 if name == "tantivy-index" else INPUTS
    found = targets.fuzz(targets.TARGETS[name], random.Random(seed), lambda done: done < count)
    assert found.counts.total() == count
    assert not found.failures, f"seed {seed}: {found.failures[0]!r}"
    assert found.counts["read"], found.counts
