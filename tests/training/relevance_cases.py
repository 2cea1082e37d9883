"""The queries that relevance is learnt from: what portals can answer, and what they cannot.

They are read from a folder with ``corpora/``, ``turns/`` and ``classify/out_of_domain``, as
JSON lines, and from the labelled questions of `tests.questions` where it has their ``portals/``.
"""

from __future__ import annotations

import collections
import gzip
import json
import random
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from service.corpus import stored_documents
from service.corpus.index import SearchContext
from service.corpus.parsing import prepared_documents
from service.corpus.parsing.document_sources import DocumentSource
from service.corpus.stored_documents import IndexContent, StoredChunk
from tests.questions import asking, labels, local_portals
from tests.questions.labels import Kind, Trait

MOST: Final = 160
"""Queries of a portal and a kind: more of one portal would outweigh the others."""
MADE_UP: Final = 30
"""Questions of a portal that are made to be about something else, of each kind."""
JUNK: Final = 20
"""Empty and short documents that are put beside each document of a small portal."""
_SMALL: Final = 400
_OPENING: Final = 300
_BEFORE: Final = (
    "hi, ", "hello there! ", "please help me: ", "my grandma can't figure this out, ",
    "quick question, ", "I'm so frustrated!! ", "hey, sorry to bother you, ",
)  # fmt: skip
_AFTER: Final = ("", "", " please help", " thanks!", " asap", " I have been trying for hours")
_NAMES: Final = (
    "iPhone Slack WhatsApp Shopify Salesforce TikTok Spotify Netflix Tesla Berlin Tokyo PayPal Zoom"
    " Jira Dropbox Instagram Kindle Alexa Zapier Notion WordPress Mailchimp Nairobi Norway Costco"
    " Uber Venmo Fitbit Minecraft Kubernetes"
).split()
_TAILS: Final = (" on my {}", " with {}", " in {}", " using {}", " for {}", " from {}", " to {}")
_THINGS: Final = (
    "toaster guitar pizza elephant bicycle sofa piano refrigerator puppy wedding salmon haircut"
    " tomato spaceship volcano yoga pancake umbrella carpet lawnmower trumpet perfume mattress"
).split()
"""What portals hardly name: a question about it is none of theirs."""
_EDITS: Final = "abcdefghijklmnopqrstuvwxyz"


class Case(NamedTuple):
    """A query put to a portal, and whether the portal is a place for it."""

    query: str
    context: SearchContext
    good: bool
    kind: str


class Portal(NamedTuple):
    """A portal: what it holds, and what it is asked."""

    name: str
    contents: Mapping[str, IndexContent]
    cases: Sequence[Case]


def portals(folder: Path, only: Collection[str] = ()) -> Iterator[Portal]:
    """Yield the portals of *folder*, each with its queries, and small ones among junk too.

    Those with the names *only*, where there are any.
    """
    for name, contents, cases in (*_of_corpora(folder, only), *_of_questions(folder, only)):
        chance = random.Random(name)
        some = [*_some(cases, chance)]
        some = [*_perturbed(some, chance), *_strange(some, contents, chance)]
        yield Portal(name, contents, some)
        if len(contents) <= _SMALL:
            mixed = {**contents, **_junk(JUNK * len(contents), chance)}
            beside = [case._replace(kind=f"{case.kind}, junk") for case in some[::3]]
            yield Portal(name, mixed, beside)


def _some(cases: Iterable[Case], chance: random.Random) -> Iterator[Case]:
    by_kind = collections.defaultdict[str, list[Case]](list)
    for case in cases:
        by_kind[case.kind].append(case)
    for each in by_kind.values():
        yield from chance.sample(each, min(MOST, len(each)))


def _of_corpora(
    folder: Path, only: Collection[str]
) -> Iterator[tuple[str, dict[str, IndexContent], list[Case]]]:
    put = rows(folder / "classify" / "out_of_domain.jsonl.gz")
    turns = [
        turn
        for path in sorted((folder / "turns").glob("*.jsonl.gz"))
        for turn in rows(path)
        if turn["answerability"] in ("answerable", "partial") and turn["gold"]
    ]
    for path in sorted((folder / "corpora").glob("*.jsonl.gz")):
        documents = collections.defaultdict[str, list[dict[str, Any]]](list)
        for document in rows(path):
            documents[document["portal"]].append(document)
        for portal, texts in documents.items():
            if only and portal not in only:
                continue
            own = [turn for turn in turns if turn["portal"] == portal]
            foreign = [
                one["text"] for one in put if one["portal"] == portal and not one["in_domain"]
            ]
            cases = [*_turns(own), *_foreign(foreign, own)]
            if cases:
                yield portal, dict(map(_prepared, texts)), cases


def _turns(turns: Sequence[Mapping[str, Any]]) -> Iterator[Case]:
    for turn in turns:
        kind = "follow-up" if turn["history"] else "first"
        yield Case(turn["query"], _context(turn["history"]), True, kind)


def _foreign(queries: Sequence[str], turns: Sequence[Mapping[str, Any]]) -> Iterator[Case]:
    """Yield foreign *queries*, alone and after what *turns* were about."""
    histories = [turn["history"] for turn in turns if turn["history"]]
    for at, query in enumerate(queries):
        yield Case(query, SearchContext(), False, "foreign")
        if histories:
            context = _context(histories[at * 7 % len(histories)])
            yield Case(query, context, False, "foreign follow-up")


def _context(history: Sequence[Mapping[str, str]]) -> SearchContext:
    said = [turn["text"] for turn in reversed(history) if turn["role"] == "user"]
    answered = [turn["text"] for turn in history if turn["role"] != "user"]
    return SearchContext(
        queries=tuple(said[:10]), answer=answered[-1][:_OPENING] if answered else ""
    )


def _of_questions(
    folder: Path, only: Collection[str]
) -> Iterator[tuple[str, dict[str, IndexContent], list[Case]]]:
    asked = {name: labels.read(name) for name in labels.PORTALS}
    for name, questions in asked.items():
        path = asking.folder_of(name)
        if path is None or (only and name not in only):
            continue
        cases: list[Case] = []
        before = collections.defaultdict[str, list[str]](list)
        for one in questions:
            said = before[one.chat] if one.chat else []
            context = SearchContext(queries=tuple(reversed(said)))
            said.append(one.ask)
            if one.kind is Kind.TALK or {Trait.NEAR_MISS, Trait.TONGUE} & set(one.traits):
                continue
            kind = "labelled" if one.documents else "labelled foreign"
            cases.append(Case(one.ask, context, bool(one.documents), kind))
        others = [
            one.ask
            for other, theirs in asked.items()
            for one in theirs
            if other != name and one.documents and not one.chat and Trait.TONGUE not in one.traits
        ]
        cases += [Case(query, SearchContext(), False, "foreign") for query in others]
        contents = dict(local_portals.read(path, nested=name != asking.OURS))
        yield name, contents, cases


def _perturbed(cases: Sequence[Case], chance: random.Random) -> list[Case]:
    """Return *cases*, and some of them as people write who are in a hurry."""
    found = list(cases)
    for case in cases:
        draw = chance.random()
        if draw < 0.25:
            chatty = chance.choice(_BEFORE) + case.query + chance.choice(_AFTER)
            found.append(case._replace(query=chatty, kind=f"{case.kind}, chatty"))
        elif draw < 0.5:
            found.append(
                case._replace(query=_misspelt(case.query, chance), kind=f"{case.kind}, misspelt")
            )
        elif draw < 0.7 and not case.context.queries:
            other = chance.choice([one for one in cases if one.good == case.good])
            if not other.context.queries:
                both = f"{case.query.rstrip(' ?.')} and {other.query}"
                found.append(case._replace(query=both, kind=f"{case.kind}, two"))
    return found


def _strange(
    cases: Sequence[Case], contents: Mapping[str, IndexContent], chance: random.Random
) -> Iterator[Case]:
    """Yield questions of *cases* about what *contents* never name, and with two slips."""
    words = {
        word.strip(".,:;!?()").lower()
        for content in contents.values()
        for chunk in content.chunks
        for word in chunk.text.split()
    }
    unknown = [name for name in _NAMES if name.lower() not in words]
    things = [thing for thing in _THINGS if thing not in words]
    alone = [case for case in cases if case.good and not case.context.queries]
    for case in chance.sample(alone, min(MADE_UP, len(alone))):
        query = case.query.rstrip(" ?.!")
        if unknown:
            name = chance.choice(unknown)
            name = name if chance.random() < 0.6 else name.lower()
            named = query + chance.choice(_TAILS).format(name)
            yield case._replace(query=f"{named}?", good=False, kind="named")
        longest = max(query.split(), key=len, default="")
        if things and len(longest) > 3:
            swapped = query.replace(longest, chance.choice(things))
            yield case._replace(query=swapped, good=False, kind="swapped")
        twice = _misspelt(_misspelt(case.query, chance), chance)
        yield case._replace(query=twice, kind="two slips")


def _misspelt(query: str, chance: random.Random) -> str:
    """Return *query* with a slip in one of its longer words."""
    words = query.split()
    long = [at for at, word in enumerate(words) if len(word) > 4 and word.isalpha()]
    if not long:
        return query
    at = chance.choice(long)
    word = words[at]
    place = chance.randrange(1, len(word) - 1)
    words[at] = chance.choice(
        (
            word[:place] + word[place + 1 :],
            word[:place] + word[place + 1] + word[place] + word[place + 2 :],
            word[:place] + word[place] + word[place:],
            word[:place] + chance.choice(_EDITS) + word[place + 1 :],
        )
    )
    return " ".join(words)


def _junk(count: int, chance: random.Random) -> dict[str, IndexContent]:
    found: dict[str, IndexContent] = {}
    for number in range(count):
        text = f"Item {number} {chance.choice(_EDITS)}" if number % 2 else ""
        chunk = StoredChunk(text, (), 0, 0, len(text))
        found[f"junk-{number}"] = IndexContent(title=f"{number}", language="en", chunks=(chunk,))
    return found


def _prepared(row: Mapping[str, Any]) -> tuple[str, IndexContent]:
    source = DocumentSource(
        id=row["doc_id"], data=row["text"].encode(), mime=row["mime"], title=row["title"]
    )
    packed = prepared_documents.prepare(source, local_portals.STORE, now=local_portals.NOW)
    content = stored_documents.unpack(packed.content)
    if content is None:
        raise ValueError(f"{source.id} cannot be read again")
    return source.id, content


def rows(path: Path) -> list[dict[str, Any]]:
    """Return the lines of *path*, which is packed with gzip."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]
