"""The laws of the stream hold for a reader, whatever it does and whatever happens to the log."""

from __future__ import annotations

import asyncio
from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from streaming.reading import entry_queue
from streaming.reading.element_reader import ElementReader
from tests.streaming.reading.reading_doubles import ANSWER, STARTED, Memory, Reader, story

PIECES = st.lists(st.text(min_size=1, max_size=5), max_size=6)


ACTS: Final = (
    *("tell", "tell", "tell", "tell", "read", "read", "lose"),
    *("fail over", "mend"),  # Redis lost what it had acknowledged; the owner has it still
    *("anew", "go on"),  # another owner, who has what is in the log
)


@settings(max_examples=300)
@given(pieces=PIECES, data=st.data())
def test_the_laws_hold_whatever_a_reader_does(pieces: list[str], data: st.DataObject) -> None:
    """Lost and resumed, slow, after a failover, written anew and continued, in any order."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(entry_queue, "ROOM", 450)  # two pieces, and the reader falls behind
        asyncio.run(_whatever(pieces, data))


async def _whatever(pieces: list[str], data: st.DataObject) -> None:
    memory = Memory()
    reader = Reader()
    attached: ElementReader | None = None
    events = story(*pieces)
    memory.tell(events[0])
    epoch, first, n, lost = 1, 1, 1, 0  # n were told, from first on in this epoch
    while n < len(events) - 1 and epoch < 5:
        act = data.draw(st.sampled_from(ACTS))
        if act in {"tell", "mend"} and lost:
            memory.mend(*events[n - lost : n], epoch=epoch)
            lost = 0
        if act == "tell":
            memory.tell(events[n], epoch=epoch)
            n += 1
        elif act == "fail over" and not lost:
            lost = data.draw(st.integers(0, n - first))
            memory.fail_over(lost)
        elif act in {"anew", "go on"}:
            epoch, n, lost = epoch + 1, 1 if act == "anew" else n - lost, 0
            first = n
            memory.tell(STARTED, epoch=epoch, reset=act == "anew")
        elif act == "read":
            attached = attached or ElementReader(memory.sources, ANSWER, reader.position)
            reader.take(await attached.take(0))
        elif act == "lose" and attached:
            attached.close()
            attached = None
    memory.mend(*events[n - lost : n], epoch=epoch)
    memory.tell(*events[n:], epoch=epoch)
    attached = attached or ElementReader(memory.sources, ANSWER, reader.position)
    while not attached.done:
        reader.take(await attached.take(0))
    attached.close()
    assert reader.final == memory.stored[ANSWER]
    assert reader.text == memory.stored[ANSWER].answer_text
    assert reader.citations == memory.stored[ANSWER].citations
