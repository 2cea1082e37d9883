"""The portal that the service speaks for, as its operator describes it."""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from typing import Annotated, Final

import msgspec

from service.language import content_terms, detection, stemming, words
from service.portal.data_store_policy import STORE, DataStorePolicy
from service.portal.localized_text import Text, Wording, check_languages
from service.portal.token_issuer import TokenIssuer
from service.redaction.redactor import KINDS
from sessions import names

_MOST_GROUPS: Final = 2_000
"""Groups of synonyms: each word of a query is looked up in them, not the query in each."""
_MOST_PHRASES: Final = 1_000
"""Banned phrases: each run of words of a text is looked up once for each length of them."""
_MOST_EXAMPLES: Final = 1_000
"""Examples of ignored queries: each query is held against all of them."""
_MOST_DATA_STORES: Final = 1_000
"""Data stores with a policy of their own."""
_KINDS: Final = ", ".join(KINDS)

Phrase = Annotated[str, msgspec.Meta(min_length=1, max_length=80)]


class Contact(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where a visitor finds a person."""

    text: Wording = ""
    """How to reach somebody, as a sentence; without it one is made of what follows."""

    url: Wording = ""
    """The page to turn to, ``https://…``."""

    phone: str = ""
    email: str = ""

    def __post_init__(self) -> None:
        check_languages(self.text)
        check_languages(self.url)
        for url in [self.url] if isinstance(self.url, str) else self.url.values():
            if url and not re.fullmatch(r"https?://\S+", url):
                raise ValueError(f"'{url}' is no address; give one such as https://www.example.org")
        if self.email and not re.fullmatch(r"[^@\s]+@[^@\s]+", self.email):
            raise ValueError(f"'{self.email}' is no email address")
        if len(self.phone) > 80 or len(self.email) > 254:
            raise ValueError("phone or email is too long")


class Replies(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is replied to a query that asks the documents nothing; "" is our own wording."""

    greeting: Wording = ""
    """To "hello"."""
    wellbeing: Wording = ""
    """To "how are you?"."""
    thanks: Wording = ""
    """To "thank you"."""
    goodbye: Wording = ""
    """To "bye"."""
    distress: Wording = ""
    """To "I do not want to live anymore", where no page names a crisis line."""
    human: Wording = ""
    """To "I want to speak to a human"."""
    help: Wording = ""
    """To "help"."""
    identity: Wording = ""
    """To "who are you?" and "are you a robot?"."""
    abilities: Wording = ""
    """To "what can you do?"."""
    acknowledgement: Wording = ""
    """To "ok", "yes" and "no" where nothing was asked."""
    complaint: Wording = ""
    """To "you are useless"."""
    small_talk: Wording = ""
    """To other chat, such as "tell me a joke"."""
    unclear: Wording = ""
    """To what has no clear intent, such as "asdfgh"."""

    def __post_init__(self) -> None:
        for field in self.__struct_fields__:
            check_languages(getattr(self, field))


class IgnoredQueries(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A class of queries that the portal does not answer, such as those for legal advice."""

    name: Annotated[str, msgspec.Meta(min_length=1, max_length=80)]
    """What the operator calls the class; visitors do not see it."""

    examples: Annotated[tuple[Text, ...], msgspec.Meta(min_length=1)]
    """A query that has all telling words of one example, in any form and order, is of the class."""

    reply: Wording = ""
    """What such a query is told behind the fallback text; "" adds nothing."""

    def __post_init__(self) -> None:
        check_languages(self.reply)
        for example in self.examples:
            if not content_terms.of(example, detection.detect(example)):
                raise ValueError(f"'{example}' has no word that tells one query from another")


class Redaction(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What of the words of people is masked before it is stored, searched or told to a model."""

    mask: tuple[str, ...] = ()
    """Kinds of personal data, of `redactor.KINDS`."""

    def __post_init__(self) -> None:
        for kind in self.mask:
            if kind not in KINDS:
                raise ValueError(f"'{kind}' is nothing that is masked; give some of {_KINDS}")


class Portal(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, dict=True):
    """The portal that the service speaks for; by default one without a name."""

    name: Annotated[str, msgspec.Meta(max_length=80)] = ""
    """What visitors call the portal, as in "Welcome to the help of …"."""

    contact: Contact = msgspec.field(default_factory=Contact)
    replies: Replies = msgspec.field(default_factory=Replies)

    synonyms: tuple[Annotated[tuple[Phrase, ...], msgspec.Meta(min_length=2)], ...] = ()
    """Groups of words and phrases that mean the same to a search, in any case of letters."""

    banned_phrases: tuple[Phrase, ...] = ()
    """Words and phrases that neither a query nor an answer may have."""

    ignored_queries: tuple[IgnoredQueries, ...] = ()
    """Classes of queries that are not answered."""

    redaction: Redaction = Redaction()
    """What people type and nobody is to keep."""

    data_stores: tuple[DataStorePolicy, ...] = ()
    """Policies of single data stores, engines and corpora."""

    token_issuers: tuple[TokenIssuer, ...] = ()
    """Who signs tokens of users beside this service."""

    def policy(self, name: str) -> DataStorePolicy | None:
        """Return the policy of what the resource of this canonical *name* lies in.

        None where it lies in no data store, engine or corpus, or in one without a policy. A policy
        by the full name goes before one by the id.
        """
        if not self.data_stores or (found := STORE.match(name)) is None:
            return None
        policies, store = self._policies, found[0]
        by_id = policies.get(names.last_id(store)) if "/dataStores/" in store else None
        return policies.get(store, by_id)

    def session_days(self, parent: str, otherwise: float) -> float:
        """Return for how many days sessions of *parent* are kept, 0 for ever."""
        policy = self.policy(parent)
        return otherwise if policy is None or policy.session_days is None else policy.session_days

    def event_days(self, data_store: str) -> float | None:
        """Return for how many days at most events of *data_store* are kept, None for any."""
        policy = self.policy(data_store)
        return policy.event_days if policy else None

    @functools.cached_property
    def origins(self) -> frozenset[str]:
        """The origins of pages that may use single data stores."""
        return frozenset(page for each in self.data_stores for page in each.origins)

    @functools.cached_property
    def _policies(self) -> Mapping[str, DataStorePolicy]:
        return {names.canonical(policy.name): policy for policy in self.data_stores}

    def __post_init__(self) -> None:
        if len(self.data_stores) > _MOST_DATA_STORES:
            raise ValueError(f"data_stores: give at most {_MOST_DATA_STORES:,}")
        issuers = {one.issuer for one in self.token_issuers}
        if len(issuers) < len(self.token_issuers):
            raise ValueError("token_issuers: an issuer is there twice; give each one table")
        if len(self._policies) < len(self.data_stores):
            raise ValueError("data_stores: a name is there twice; join what is said of it")
        if len(self.banned_phrases) > _MOST_PHRASES:
            raise ValueError(f"banned_phrases: give at most {_MOST_PHRASES:,}")
        for phrase in self.banned_phrases:
            found = words.words(phrase)
            if not found:
                raise ValueError(f"banned_phrases: '{phrase}' has no word")
            if any(len(word.encode()) > stemming.LONGEST for word in found):
                raise ValueError(f"banned_phrases: '{phrase}' has a word that is too long")
        if sum(len(one.examples) for one in self.ignored_queries) > _MOST_EXAMPLES:
            raise ValueError(f"ignored_queries: give at most {_MOST_EXAMPLES:,} examples in all")
        self._check_synonyms()

    def _check_synonyms(self) -> None:
        if len(self.synonyms) > _MOST_GROUPS:
            raise ValueError(f"synonyms: give at most {_MOST_GROUPS} groups")
        seen = set[str]()
        for group in self.synonyms:
            for phrase in {" ".join(phrase.lower().split()) for phrase in group}:
                if not phrase:
                    raise ValueError("synonyms: a phrase is empty")
                if phrase in seen:
                    raise ValueError(f"synonyms: '{phrase}' is in two groups; join them")
                seen.add(phrase)
