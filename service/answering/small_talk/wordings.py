"""Word what is said in our own name, in the language of whoever asks: the operator's words first.

``wordings.toml`` holds our own. Without a wording in a language the English one is taken.
"""

from __future__ import annotations

import functools
import importlib.resources
import tomllib
from collections.abc import Mapping, Sequence

from service.answering.small_talk.kinds import Kind, SmallTalk
from service.portal import localized_text
from service.portal.portal import Portal


def reply(talk: SmallTalk, portal: Portal) -> str:
    """Return what is replied to *talk*: what the *portal* says, else our own words.

    Who asks for a person or is in distress is told the contact, in either case.
    """
    if talk.kind is Kind.REACH:
        return _reach(portal, talk.language)
    own = getattr(portal.replies, talk.kind.value)
    name = portal.name or _ours("portal", talk.language)
    if own:
        text = localized_text.in_language(own, talk.language)
    else:
        text = _ours(talk.kind.value, talk.language).format(portal=name)
    if talk.kind not in (Kind.DISTRESS, Kind.HUMAN, Kind.COMPLAINT):
        return text
    told = contact(portal, talk.language)
    if not told and not own and talk.kind is Kind.HUMAN:
        told = _ours("no_contact", talk.language).format(portal=name)
    return joined(text, told)


def _reach(portal: Portal, language: str) -> str:
    """Return how to reach a person, or that nobody told."""
    name = portal.name or _ours("portal", language)
    unknown = joined(_ours("reach", language), _ours("no_contact", language).format(portal=name))
    return contact(portal, language) or unknown


def in_danger(language: str) -> str:
    """Return what is said behind a page of the portal to somebody in distress."""
    return _ours("danger", language)


def contact(portal: Portal, language: str) -> str:
    """Return how to reach a person, in *language*; "" where the operator named no way."""
    named = portal.contact
    said = localized_text.in_language(named.text, language) if named.text else ""
    url = localized_text.in_language(named.url, language) if named.url else ""
    ways = ", ".join(way for way in (url, named.phone, named.email) if way)
    if not said:
        return _ours("contact", language).format(contact=ways) if ways else ""
    return joined(said, ways)


def unmentioned(words: Sequence[str], language: str) -> str:
    """Return that the documents do not mention *words*; "" where there are none."""
    separator = "、" if language == "zh" else ", "
    return _ours("unmentioned", language).format(words=separator.join(words)) if words else ""


def joined(*sentences: str) -> str:
    """Return *sentences* as one text, without those that are empty."""
    return " ".join(sentence for sentence in sentences if sentence)


def _ours(key: str, language: str) -> str:
    wordings = _wordings()[key]
    return wordings.get(language.partition("-")[0].lower()) or wordings["en"]


@functools.cache
def _wordings() -> Mapping[str, Mapping[str, str]]:
    """Read ``wordings.toml``."""
    file = importlib.resources.files("service.answering.small_talk").joinpath("wordings.toml")
    return tomllib.loads(file.read_text("utf-8"))
