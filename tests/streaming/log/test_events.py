"""What neighbouring events become one."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from streaming.log import events
from streaming.log.events import joined

text_events = st.sampled_from(["a", "b", "é"]).map(lambda text: events.TextAppended(text=text))
other_events = st.just(events.RelatedFound(("q",)))


@given(st.lists(text_events | other_events, max_size=12))
def test_only_neighbouring_text_is_joined(told: list[events.AnswerEvent]) -> None:
    result = joined(told)

    def spelled(sequence: Sequence[events.AnswerEvent]) -> str:
        return "".join(e.text if isinstance(e, events.TextAppended) else "|" for e in sequence)

    assert spelled(result) == spelled(told)
    kinds = [type(event) for event in result]
    assert (events.TextAppended, events.TextAppended) not in itertools.pairwise(kinds)
