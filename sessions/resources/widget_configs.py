"""``WidgetConfig``, what a chat on a page begins with.

Its name and ``displayName`` are those of the public API (discoveryengine), which configures a
widget of another kind; the other fields are this service's own.
"""

from __future__ import annotations

from sessions.resources.base import Resource


class WidgetContact(Resource):
    """How to reach a person: a sentence, and an address of http(s), mailto or tel."""

    text: str = ""
    uri: str = ""


class WidgetConfig(Resource):
    """What the chat of a data store or engine begins with.

    ``starterQuestions`` are some that may be asked first. ``contact`` is where a person is reached.
    ``languageCodes`` are the languages of the portal, the first its own; none leaves it open.
    """

    name: str = ""
    display_name: str = ""
    starter_questions: tuple[str, ...] = ()
    contact: WidgetContact | None = None
    language_codes: tuple[str, ...] = ()


class GetWidgetConfigRequest(Resource):
    """Read it in the language ``languageCode`` (BCP 47), as far as it has texts in it."""

    name: str = ""
    language_code: str = ""
