"""Say which state may follow which, as tables that the machines and scripts obey."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from sessions.resources import conversations
from sessions.resources.answers import State

ANSWER: Final[Mapping[State, frozenset[State]]] = {
    State.STATE_UNSPECIFIED: frozenset({State.IN_PROGRESS}),
    State.IN_PROGRESS: frozenset({State.STREAMING, State.SUCCEEDED, State.FAILED}),
    State.STREAMING: frozenset({State.SUCCEEDED, State.FAILED}),
    State.SUCCEEDED: frozenset(),
    State.FAILED: frozenset(),
}
"""What may follow each state of an answer (guide/answer-life-cycle.md)."""

CONVERSATION: Final[Mapping[conversations.State, frozenset[conversations.State]]] = {
    conversations.State.STATE_UNSPECIFIED: frozenset({conversations.State.IN_PROGRESS}),
    conversations.State.IN_PROGRESS: frozenset({conversations.State.COMPLETED}),
    conversations.State.COMPLETED: frozenset({conversations.State.IN_PROGRESS}),
}
"""What may follow each state of a conversation; its owner moves it (guide/conversations.md)."""


def is_terminal(state: State) -> bool:
    """Tell whether an answer in *state* never changes again."""
    return not ANSWER[state]
