"""What reading and writing an answer costs beside plain msgspec, and in either form of its enums.

The answer has ten references and is about 12 KB of JSON. Plain msgspec is measured twice: with
our own types, and with bare structs of the same fields, whose enums are names and which neither
check oneofs nor settle zeros and times. For scale, the official class does the same.
"""

from __future__ import annotations

import datetime as dt
import enum
import importlib
import operator
import time
import types
from collections.abc import Callable, Iterable
from typing import Any, Final, Union, get_args, get_origin

import msgspec

from sessions.codec import json_codec
from sessions.resources import answers
from tests.bench.measuring import Row, at_most, cpu_seconds, informs, rounds, table

SENTENCE: Final = "A sentence says a thing about the product and what it costs. "
REFERENCES: Final = 10
ROUNDS: Final = 9
REPEATS: Final = 300
PARENT: Final = "projects/p/locations/global/collections/default_collection/dataStores/d"


def answer() -> answers.Answer:
    """Return an answer of ten sentences, each cited, grounded and with a reference."""
    at = dt.datetime(2026, 1, 1, tzinfo=dt.UTC)
    documents = [f"{PARENT}/branches/0/documents/{n}" for n in range(REFERENCES)]
    width = len(SENTENCE)
    spans = [(str(n * width), str(n * width + width - 1)) for n in range(REFERENCES)]
    sources = [(answers.CitationSource(reference_id=str(n)),) for n in range(REFERENCES)]
    found = tuple(
        answers.SearchResult(
            document=document,
            uri=f"https://portal.example/{n}",
            title=f"Page {n}",
            snippet_info=(answers.SnippetInfo(snippet=SENTENCE, snippet_status="SUCCESS"),),
        )
        for n, document in enumerate(documents)
    )
    action = answers.Action(
        observation=answers.Observation(search_results=found),
        search_action=answers.SearchAction(query="what it costs"),
    )
    return answers.Answer(
        name=f"{PARENT}/sessions/1/answers/2",
        state=answers.State.SUCCEEDED,
        answer_text=SENTENCE * REFERENCES,
        citations=tuple(
            answers.Citation(start_index=start, end_index=end, sources=cited)
            for (start, end), cited in zip(spans, sources, strict=True)
        ),
        grounding_supports=tuple(
            answers.GroundingSupport(
                start_index=start, end_index=end, sources=cited, grounding_score=0.9
            )
            for (start, end), cited in zip(spans, sources, strict=True)
        ),
        references=tuple(reference(document) for document in documents),
        steps=(answers.Step(state=answers.StepState.SUCCEEDED, actions=(action,)),),
        create_time=at,
        complete_time=at,
        safety_ratings=tuple(
            answers.SafetyRating(
                category=category,
                probability=answers.HarmProbability.NEGLIGIBLE,
                probability_score=0.1,
            )
            for category in answers.HarmCategory
        ),
        grounding_score=0.9,
    )


def reference(document: str) -> answers.Reference:
    """Return a reference to *document* with a passage of six sentences."""
    passage = answers.ChunkContent(content=SENTENCE * 6, relevance_score=0.5)
    info = answers.UnstructuredDocumentInfo(document=document, chunk_contents=(passage,))
    return answers.Reference(unstructured_document_info=info)


def bare(hint: Any, made: dict[Any, Any]) -> Any:
    """Return *hint* with each resource and enum in it replaced by a bare twin."""
    origin = get_origin(hint)
    if origin in (Union, types.UnionType):
        return Union[tuple(bare(arg, made) for arg in get_args(hint))]  # noqa: UP007 (made here)
    if origin is tuple:
        return tuple[bare(get_args(hint)[0], made), ...]
    if hint in made or not isinstance(hint, type):
        return made.get(hint, hint)
    if issubclass(hint, enum.Enum):
        made[hint] = enum.Enum(hint.__name__, {member.name: member.name for member in hint})
    elif issubclass(hint, msgspec.Struct):
        fields: list[tuple[str, Any, Any]] = []
        for field in msgspec.structs.fields(hint):
            twin, default = bare(field.type, made), field.default
            if isinstance(default, enum.Enum):
                default = twin[default.name]
            fields.append((field.name, twin, default))
        made[hint] = msgspec.defstruct(
            hint.__name__,
            fields,
            frozen=True,
            kw_only=True,
            omit_defaults=True,
            rename="camel",
            forbid_unknown_fields=True,
        )
    return made.get(hint, hint)


def repeated(
    work: Callable[[], object], clock: Callable[[], float] = cpu_seconds
) -> Callable[[], float]:
    """Return a contender: the microseconds that *work* takes by *clock*."""

    def contender() -> float:
        before = clock()
        for _ in range(REPEATS):
            work()
        return (clock() - before) / REPEATS * 1e6

    return contender


def contenders(data: bytes) -> Iterable[tuple[str, Callable[[], object]]]:
    """Yield what reads *data* and writes it again, by name."""
    own = msgspec.json.Decoder(answers.Answer)
    names = msgspec.json.Encoder(enc_hook=operator.attrgetter("name"))
    official: Any = importlib.import_module("google.cloud.discoveryengine_v1").Answer
    twin: Any = msgspec.json.Decoder(bare(answers.Answer, {}))
    plain = msgspec.json.Encoder()
    snake: bytes = official.to_json(
        official.from_json(data), preserving_proto_field_name=True, indent=None
    ).encode()
    kind = answers.Answer
    yield "plain", lambda: names.encode(own.decode(data))
    yield "bare", lambda: plain.encode(twin.decode(data))
    yield "names", lambda: json_codec.encode(json_codec.decode(kind, data))
    yield "numbers", lambda: json_codec.encode(json_codec.decode(kind, data), numbers=True)
    yield "stored", lambda: json_codec.dump(json_codec.load(kind, data))
    yield "tolerant", lambda: json_codec.encode(json_codec.decode(kind, snake))
    yield "official", lambda: official.to_json(official.from_json(data))


def run() -> list[Row]:
    """Measure CPU, and the wall clock beside it, and compare with what is promised."""
    work = dict(contenders(json_codec.encode(answer())))
    cpu = rounds({name: repeated(do) for name, do in work.items()}, ROUNDS)
    wall = rounds({name: repeated(do, time.perf_counter) for name, do in work.items()}, ROUNDS)
    rows = [
        at_most("read + write by name ÷ plain msgspec", cpu["names"] / cpu["plain"], 1.5),
        at_most("read + write by number ÷ plain msgspec", cpu["numbers"] / cpu["plain"], 1.5),
        at_most("load + dump ÷ plain msgspec", cpu["stored"] / cpu["plain"], 1.1),
        at_most("numbers ÷ names", cpu["numbers"] / cpu["names"], 1.1),
        informs("read + write by name ÷ bare structs", cpu["names"] / cpu["bare"], "×"),
        informs("load + dump ÷ bare structs", cpu["stored"] / cpu["bare"], "×"),
        informs("the tolerant way ÷ plain msgspec", cpu["tolerant"] / cpu["plain"], "×"),
        informs("the official class ÷ plain msgspec", cpu["official"] / cpu["plain"], "×"),
    ]
    rows += [
        Row(f"{name}: CPU, wall", f"{cpu[name]:.4g}, {wall[name]:.4g} µs an answer")
        for name in work
    ]
    return rows


if __name__ == "__main__":
    print(table([("wire", row) for row in run()]))
