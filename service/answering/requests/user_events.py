"""Read what users did, and refuse events that do not say it."""

from __future__ import annotations

import datetime as dt
from typing import Final
from urllib.parse import unquote_plus

from msgspec import structs

from service.answering.requests import field_checks
from sessions import names
from sessions.codec import json_codec
from sessions.errors import InvalidArgument
from sessions.resources.user_events import Feedback, FeedbackType, UserEvent

MAX_LENGTH: Final = 2_000_000
"""Characters of an event in a query string."""
ADD_FEEDBACK: Final = "add-feedback"
"""The type of the event by which somebody says what they think of an answer."""
MAX_COMMENT: Final = 4_000
"""Characters of a comment: some 600 words, and more than a field of a chat shows."""
MAX_REASONS: Final = 10
"""Reasons of one feedback: as many as there are."""


def check(event: UserEvent, *, field: str) -> UserEvent:
    """Return *event* with its time.

    Raises:
        InvalidArgument: it does not say what happened to whom.
    """
    if not event.event_type:
        where = f"{field}.eventType"
        raise InvalidArgument(f"{where}: say what happened, such as search", field=where)
    if not 1 <= len(event.user_pseudo_id) <= field_checks.MAX_USER:
        where = f"{field}.userPseudoId"
        raise InvalidArgument(f"{where}: give 1 to {field_checks.MAX_USER} characters", field=where)
    _check_names(event, field)
    if event.event_type == ADD_FEEDBACK:
        _check_feedback(event.feedback or Feedback(), f"{field}.feedback")
    return structs.replace(event, event_time=event.event_time or dt.datetime.now(dt.UTC))


def check_imported(event: UserEvent, *, field: str) -> UserEvent:
    """Return *event*, which happened before it is imported.

    Raises:
        InvalidArgument: as `check`, or it does not say when that was.
    """
    if event.event_time is None:
        where = f"{field}.eventTime"
        raise InvalidArgument(f"{where}: say when it happened", field=where)
    return check(event, field=field)


def _check_feedback(feedback: Feedback, field: str) -> None:
    """Refuse feedback that says neither yes nor no, or of no answer."""
    if feedback.feedback_type is FeedbackType.FEEDBACK_TYPE_UNSPECIFIED:
        where = f"{field}.feedbackType"
        raise InvalidArgument(f"{where}: say LIKE or DISLIKE", field=where)
    about = feedback.conversation_info
    if about is None or not about.session:
        where = f"{field}.conversationInfo.session"
        raise InvalidArgument(f"{where}: name the session of the answer", field=where)
    names.checked(about.session, names.SESSION, field=f"{field}.conversationInfo.session")
    if about.question_index < 0:
        where = f"{field}.conversationInfo.questionIndex"
        raise InvalidArgument(f"{where}: give 0 for the first question, or more", field=where)
    field_checks.check_at_most(len(feedback.comment), MAX_COMMENT, f"{field}.comment", "characters")
    field_checks.check_at_most(len(feedback.reasons), MAX_REASONS, f"{field}.reasons", "reasons")


def _check_names(event: UserEvent, field: str) -> None:
    """Refuse names and ids of resources that no resource can have."""
    conversation = event.feedback.conversation_info if event.feedback else None
    documents = [("documents", event.documents)]
    documents += [(f"panels[{at}].documents", one.documents) for at, one in enumerate(event.panels)]
    if event.panel:
        documents.append(("panel.documents", event.panel.documents))
    named = {"engine": event.engine, "dataStore": event.data_store}
    if conversation:
        named["feedback.conversationInfo.session"] = conversation.session
    for where, infos in documents:
        for at, info in enumerate(infos):
            named[f"{where}[{at}].id"] = info.id or ""
            named[f"{where}[{at}].name"] = info.name or ""
    for where, name in named.items():
        names.check_forbidden(name, field=f"{field}.{where}")


def parse(text: str) -> UserEvent:
    """Read an event that a browser sent in a query string, encoded once or twice; see `check`.

    Raises:
        InvalidArgument: it is no event.
    """
    field = "userEvent"
    if not text.strip() or len(text) > MAX_LENGTH:
        raise InvalidArgument(f"{field}: give one event, URL-encoded", field=field)
    json = text if text.lstrip().startswith("{") else unquote_plus(text)
    try:
        return json_codec.decode(UserEvent, json.encode())
    except InvalidArgument as exc:
        path = f"{field}.{exc.field}" if exc.field else field
        raise InvalidArgument(f"{field}: {exc.message}", field=path, reason=exc.reason) from exc
