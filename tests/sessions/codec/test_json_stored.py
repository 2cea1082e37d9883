"""What is stored reads in this version and in others; our own messages read as they stand."""

from __future__ import annotations

import msgspec
import pytest

from sessions.codec import json_codec
from sessions.errors import Internal, InvalidArgument
from sessions.resources import answers, base, engines


def test_what_a_newer_version_stored_still_reads() -> None:
    stored = (
        b'{"name":"a","newer":{"x":1},"state":"NEWER","answerSkippedReasons":["NEWER",'
        b'"UNHELPFUL_ANSWER"],"citations":[{"endIndex":"4","newer":1}]}'
    )
    assert json_codec.load(answers.Answer, stored) == answers.Answer(
        name="a",
        answer_skipped_reasons=(answers.AnswerSkippedReason.UNHELPFUL_ANSWER,),
        citations=(answers.Citation(end_index="4"),),
    )


def test_an_entry_of_a_value_to_come_is_passed_over() -> None:
    stored = b'{"features":{"a":"NEWER","b":"FEATURE_STATE_ON"},"newer":1}'
    on = engines.FeatureState.FEATURE_STATE_ON
    assert json_codec.load(engines.Engine, stored) == engines.Engine(features={"b": on})


class Even(base.Resource):
    """A resource with a rule of its own."""

    numbers: tuple[base.Int32, ...] = ()

    def __post_init__(self) -> None:
        if len(self.numbers) % 2:
            raise ValueError("give pairs of numbers")


class Own(msgspec.Struct, omit_defaults=True):
    """A message of ours, not documented, with what no document has."""

    count: int = 0
    pair: tuple[str, int] = ("", 0)
    either: int | str = 0
    even: Even | None = None


def test_a_rule_of_a_resource_is_told_with_its_path() -> None:
    with pytest.raises(InvalidArgument) as refusal:
        json_codec.decode(Own, b'{"even": {"numbers": [1]}}')
    assert (refusal.value.field, refusal.value.message) == ("even", "even: give pairs of numbers")


def test_messages_of_our_own_are_read_as_they_stand() -> None:
    stored = b'{"count":3,"pair":["a",1],"either":"b","even":{"newer":1}}'
    assert json_codec.load(Own, stored) == Own(count=3, pair=("a", 1), either="b", even=Even())
    with pytest.raises(InvalidArgument) as refusal:
        json_codec.decode(Own, b'{"count": "3"}')
    assert refusal.value.field == "count"


@pytest.mark.parametrize("stored", [b"{", b"[]", b'{"name": 1}', b"\xff"])
def test_what_is_stored_and_damaged_is_our_fault(stored: bytes) -> None:
    with pytest.raises(Internal) as failure:
        json_codec.load(answers.Answer, stored)
    assert failure.value.reason == "STORED_DOCUMENT_DAMAGED"
