"""Read what the operator says of the portal: one TOML file, named by COLLOQUY_PORTAL."""

from __future__ import annotations

import functools
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Final, Literal

import msgspec

from service.language import content_terms, detection, stemming, words
from service.project_numbers import ProjectNumbers
from service.redaction.redactor import KINDS
from service.setting_values import exact_origins
from service.settings import SettingsError, variable
from sessions import names

_NO_NUMBERS: Final = ProjectNumbers()
_LARGEST: Final = 1 << 20
"""Bytes of a portal file: a hundred times what a long list of synonyms takes."""
_MOST_GROUPS: Final = 2_000
"""Groups of synonyms: each word of a query is looked up in them, not the query in each."""
_MOST_PHRASES: Final = 1_000
"""Banned phrases: each run of words of a text is looked up once for each length of them."""
_MOST_EXAMPLES: Final = 1_000
"""Examples of ignored queries: each query is held against all of them."""
_MOST_DATA_STORES: Final = 1_000
"""Data stores with a policy of their own."""
_STORE: Final = re.compile(rf"(?:{names.PARENT}|{names.RAG_CORPUS})")
_JWKS_URL: Final = re.compile(
    r"(?:https://[^\s/?#@]+|http://(?:localhost|127\.0\.0\.1|\[::1\])(?::[0-9]+)?)(?:[/?][^\s#]*)?"
)
"""Without TLS, whoever sits on the way could put keys of their own there."""
_TAG: Final = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]{2,8})*")
_PLACE: Final = re.compile(r"(?P<what>.*) - at `\$\.?(?P<where>[^`]*)`", re.DOTALL)

_KINDS: Final = ", ".join(KINDS)

Text = Annotated[str, msgspec.Meta(min_length=1, max_length=2_000)]
Days = Annotated[float, msgspec.Meta(ge=0, le=36_500)]
Phrase = Annotated[str, msgspec.Meta(min_length=1, max_length=80)]
Name = Annotated[str, msgspec.Meta(min_length=1, max_length=512)]
Wording = Text | dict[str, Text]
"""One text for everybody, or a text for each language (BCP 47): ``{en = "Hi", es = "Hola"}``."""


_Asked = Annotated[str, msgspec.Meta(min_length=1, max_length=200)]
Question = _Asked | dict[str, _Asked]
"""A `Wording` that is short enough for a button."""


class PortalError(SettingsError):
    """The portal file cannot be used; the message names file, field and remedy."""


class Contact(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where a visitor finds a person."""

    text: Wording = ""
    """How to reach somebody, as a sentence; without it one is made of what follows."""

    url: Wording = ""
    """The page to turn to, ``https://…``."""

    phone: str = ""
    email: str = ""

    def __post_init__(self) -> None:
        _check_languages(self.text)
        _check_languages(self.url)
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
            _check_languages(getattr(self, field))


class IgnoredQueries(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A class of queries that the portal does not answer, such as those for legal advice."""

    name: Annotated[str, msgspec.Meta(min_length=1, max_length=80)]
    """What the operator calls the class; visitors do not see it."""

    examples: Annotated[tuple[Text, ...], msgspec.Meta(min_length=1)]
    """A query that has all telling words of one example, in any form and order, is of the class."""

    reply: Wording = ""
    """What such a query is told behind the fallback text; "" adds nothing."""

    def __post_init__(self) -> None:
        _check_languages(self.reply)
        for example in self.examples:
            if not content_terms.of(example, detection.detect(example)):
                raise ValueError(f"'{example}' has no word that tells one query from another")


class DataStorePolicy(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What holds for one data store, engine or corpus beside what holds for all."""

    name: Annotated[str, msgspec.Meta(min_length=1, max_length=512)]
    """The full name of a data store, engine or corpus; or the id of a data store, in all
    projects."""

    origins: tuple[str, ...] = ()
    """The only pages of other sites that may use it; () leaves it to COLLOQUY_ORIGINS."""

    document_filter: Annotated[str, msgspec.Meta(max_length=8_192)] = ""
    """What a document of the data store has to match for people to see it, in the language of
    filters; ``ANY(claims.groups)`` stands for what the token of a person claims. "" hides none."""

    session_days: Days | None = None
    """Days for which its sessions and conversations are kept after their last use, 0 for ever, in
    the place of COLLOQUY_SESSION_DAYS."""

    event_days: Days | None = None
    """Days for which user events and queries are kept of it, where COLLOQUY_EVENT_DAYS are more."""

    visitors: bool = True
    """Whether who brings no credential may become a visitor of it, with COLLOQUY_ANONYMOUS."""

    starter_questions: Annotated[tuple[Question, ...], msgspec.Meta(max_length=8)] = ()
    """What a chat with it offers to ask first; () makes some of its documents."""

    languages: Annotated[tuple[str, ...], msgspec.Meta(max_length=50)] = ()
    """The languages that a chat with it speaks, the first where the reader's is none of them."""

    def __post_init__(self) -> None:
        for question in self.starter_questions:
            _check_languages(question)
        for tag in self.languages:
            _check_tag(tag)
        if "/" in self.name:
            if not _STORE.fullmatch(names.canonical(self.name)):
                raise ValueError(
                    f"'{self.name}' names no data store, engine or corpus; give its full name, "
                    "which begins with projects/, or the id of a data store"
                )
        elif names.is_forbidden(self.name):
            raise ValueError(f"'{self.name}' can be no id of a data store")
        exact_origins(self.origins)


class TokenIssuer(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Who signs tokens of users beside this service: the portal's back end, or an OIDC provider."""

    issuer: Name
    """The ``iss`` of its tokens."""

    audience: Name
    """What their ``aud`` is, or has among others."""

    algorithms: Annotated[
        tuple[Literal["EdDSA", "ES256", "RS256", "HS256"], ...], msgspec.Meta(min_length=1)
    ]
    """The only algorithms that they may be signed by."""

    data_stores: Annotated[tuple[Name, ...], msgspec.Meta(min_length=1, max_length=20)]
    """Full names of the data stores, engines and corpora, of one project, that they can be for."""

    public_key_file: str = ""
    """One to four public keys in PEM; relative to this file."""

    secret_file: str = ""
    """The secret of HS256, 32 bytes or more; relative to this file."""

    jwks_url: str = ""
    """Where an OIDC provider publishes its keys: https, or http on this machine."""

    subject_claim: Name = "sub"
    """The claim that has the id of the user."""

    data_stores_claim: Name = "dataStores"
    """The claim that names fewer of the data stores, where there is one."""

    claims: Annotated[dict[str, Name], msgspec.Meta(max_length=20)] = {}
    """For each claim that filters use, the claim of the token that has it."""

    def __post_init__(self) -> None:
        if [self.public_key_file, self.secret_file, self.jwks_url].count("") != 2:
            raise ValueError("give one of public_key_file, secret_file and jwks_url")
        if (self.algorithms == ("HS256",)) != bool(self.secret_file) or (
            "HS256" in self.algorithms and not self.secret_file
        ):
            raise ValueError("algorithms: HS256 goes with secret_file, alone, and nothing else")
        if self.jwks_url and not _JWKS_URL.fullmatch(self.jwks_url):
            raise ValueError("jwks_url: give an address that begins with https://")
        if self.issuer == "colloquy":
            raise ValueError("issuer: 'colloquy' is this service itself; choose another name")
        stores = [names.canonical(name) for name in self.data_stores]
        if not all(_STORE.fullmatch(name) for name in stores):
            raise ValueError("data_stores: give full names, which begin with projects/")
        if len({name.split("/")[1] for name in stores}) > 1:
            raise ValueError("data_stores: give those of one project, and a table for each project")


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
        if not self.data_stores or (found := _STORE.match(name)) is None:
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


def read(file: Path | None, numbers: ProjectNumbers = _NO_NUMBERS) -> Portal:
    """Return what *file* says of the portal; without a file, the portal that has only defaults.

    Projects that are named by their *numbers* there have their ids in what is returned.

    Raises:
        PortalError: the file cannot be read, or a field of it cannot be used.
    """
    if file is None:
        return Portal()
    try:
        with file.open("rb") as opened:
            data = opened.read(_LARGEST + 1)
        if len(data) > _LARGEST:
            raise ValueError(f"the file is larger than {_LARGEST:,} bytes")
        return numbers.resolve(msgspec.convert(tomllib.loads(data.decode("utf-8-sig")), Portal))
    except OSError as exc:
        raise _error(file, f"cannot be read ({exc.strerror}); name a file that can") from exc
    except UnicodeDecodeError as exc:
        raise _error(file, f"is not in UTF-8 (byte {exc.start}); save it in UTF-8") from exc
    except msgspec.ValidationError as exc:
        raise _error(file, _field(str(exc))) from exc
    except (ValueError, RecursionError) as exc:
        raise _error(file, f"is not TOML that can be used: {exc}") from exc


def in_language(wording: Wording, language: str) -> str:
    """Return *wording* in *language*, else in English, else in the first that it has."""
    if isinstance(wording, str):
        return wording
    by_tag = {tag.lower(): text for tag, text in wording.items()}
    base = language.lower().partition("-")[0]
    bases = {tag.partition("-")[0]: text for tag, text in reversed(by_tag.items())}
    candidates = (by_tag.get(language.lower()), bases.get(base), bases.get("en"))
    return next((text for text in candidates if text), next(iter(by_tag.values())))


def _check_languages(wording: Wording) -> None:
    """Refuse a *wording* whose keys name no languages, or that has none."""
    if isinstance(wording, str):
        return
    if not wording:
        raise ValueError("give a text for at least one language")
    for tag in wording:
        _check_tag(tag)


def _check_tag(tag: str) -> None:
    if not _TAG.fullmatch(tag):
        raise ValueError(f"'{tag}' is no language; give tags such as en, es or pt-BR")


def _field(complaint: str) -> str:
    """Return *complaint* of msgspec with its field in front, as it is written in the file."""
    if found := _PLACE.fullmatch(complaint):
        what = found["what"]
        where = re.sub(r"\[(\d+)\]", lambda at: f" number {int(at[1]) + 1}", found["where"])
        where = where.replace("[...]", ", one of its languages")
        return f"has a field that cannot be used: {where}: {what}; mend it or take it out"
    return f"cannot be used: {complaint}; mend it or take it out"


def _error(file: Path, problem: str) -> PortalError:
    return PortalError(f"{variable('portal')} is '{file}': the file {problem}")
