"""The labelled questions can be read, and what they say of their documents is so."""

from __future__ import annotations

import collections
import functools
from typing import Final

import pytest

from tests.questions import asking, labels
from tests.questions.labels import PORTALS, Question

# The others are read by a test: it takes a second, in each process of a test run.
HERE: Final = [
    (portal, question)
    for portal in PORTALS
    if asking.folder_of(portal) is not None
    for question in labels.read(portal)
]


@functools.cache
def texts(portal: str) -> dict[str, str]:
    """Return what was read of each document of *portal*."""
    return {i: labels.plain(text) for i, text in asking.opened(portal).texts.items()}


@pytest.mark.parametrize("portal", PORTALS)
def test_no_two_questions_of_a_portal_have_one_id(portal: str) -> None:
    counted = collections.Counter(question.id for question in labels.read(portal))
    assert not [one for one, count in counted.items() if count > 1]


def test_a_wrong_label_is_named() -> None:
    with pytest.raises(ValueError, match="either documents, or reply, or refuse"):
        Question(id="a", kind=labels.Kind.DATE, ask="When?")


def test_the_guide_at_least_is_held_against_its_labels() -> None:
    """Other portals are where COLLOQUY_EVALUATION has them."""
    assert any(portal == asking.OURS for portal, _ in HERE)


@pytest.mark.parametrize(
    ("portal", "question"), HERE, ids=[f"{portal}-{question.id}" for portal, question in HERE]
)
def test_the_documents_exist_and_hold_the_block_that_answers(
    portal: str, question: Question
) -> None:
    read = texts(portal)
    for names in filter(None, (question.documents, question.also)):
        found = [text for document, text in read.items() if labels.is_named(document, names)]
        assert len(found) >= len(names)
    first, last = map(labels.plain, question.block.partition(labels.GAP)[::2])
    held = [
        text
        for document, text in read.items()
        if labels.is_named(document, (*question.documents, *question.also))
    ]
    assert not held or any(first in text and last in text[text.index(first) :] for text in held)


@pytest.mark.parametrize(
    ("said", "plain"),
    [
        ("**Select** “Delete”", 'select "delete"'),
        ("run `colloquy`\n  serve", "run colloquy serve"),
        ("5–10\u00a0days", "5-10 days"),
        ("It’s _ROWID_", "it's _rowid_"),
    ],
)
def test_texts_are_compared_without_what_only_dresses_them(said: str, plain: str) -> None:
    assert labels.plain(said) == plain
