"""What it costs to check a text."""

from __future__ import annotations

from service.answering.methods import check_grounding
from sessions.resources.check_grounding import CheckGroundingRequest, GroundingFact
from tests.answering.processor_time import cpu


def test_a_fact_costs_what_its_length_tells() -> None:
    def check(count: int) -> None:
        facts = tuple(
            GroundingFact(fact_text="".join(f"Aa {at}.{n} b. " for n in range(300)))
            for at in range(count)
        )
        request = CheckGroundingRequest(answer_candidate="Aa b c. " * 200, facts=facts)
        check_grounding.check(request)
        check_grounding.support(request)

    check(1)
    assert cpu(lambda: check(20)) < 200 * max(cpu(lambda: check(2)), 1e-3) / 2
