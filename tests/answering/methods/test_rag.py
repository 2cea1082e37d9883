"""What may be held against facts."""

from __future__ import annotations

import pytest

from service.answering.methods import check_grounding, rag
from sessions.errors import InvalidArgument
from sessions.resources.augmentations import CorroborateContentRequest, Fact
from sessions.resources.contents import Content, Part


def test_facts_of_a_corroboration_are_bounded() -> None:
    content = Content(parts=(Part(text="The fee is 3 euros."),))
    long = Fact(summary="x" * (check_grounding.FACT + 1))
    with pytest.raises(InvalidArgument, match=r"facts\[1\]\.summary: at most 10000 characters"):
        rag.corroborate(
            CorroborateContentRequest(content=content, facts=(Fact(summary="fee"), long))
        )
