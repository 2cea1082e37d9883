from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest

from service import __main__, settings
from service.answering.pipeline import history, retrieving, skipping
from service.answering.pipeline.skipping import THRESHOLDS
from service.answering.proof import grounding
from service.answering.related import related_questions
from service.answering.requests import field_checks, queries
from service.answering.retrieval import scopes
from service.answering.views import replies
from service.api.http import request_bodies
from service.corpus import document_filters
from service.corpus.catalogue.catalogue import CHUNK_SIZES
from service.corpus.isolation.document_limits import ParsingLimits
from service.corpus.parsing import chunking
from service.corpus.parsing.formats import markdown
from service.corpus.parsing.parsed_documents import BodyLimits
from service.generation import injections, output_limits
from service.language import sentences
from service.server import http_framing, http_protocol, listening, websocket_protocol
from sessions import errors
from sessions.codec import json_codec
from sessions.listing import filters as list_filters
from sessions.listing import pagination
from sessions.resources.answer_query import FilteringLevel
from sessions.resources.answers import AnswerSkippedReason, State
from streaming.log import transitions
from streaming.protocol import close_codes, frames
from streaming.running import takeover

PARSING: Final = ParsingLimits()
GUIDE: Final = Path(__main__.__file__).parent / "guide"
PAGES: Final = sorted(GUIDE.glob("*.md"))
CODE: Final = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK: Final = re.compile(r"\[[^\]]+\]\(([^)]+)\)")
REASON: Final = re.compile(r'reason="([A-Z_]+)"')


def prose(page: Path) -> str:
    """Return *page* without its blocks of code."""
    return CODE.sub("", page.read_text("utf-8"))


def headings(page: Path, level: int) -> list[str]:
    return re.findall(rf"^{'#' * level} (.+)$", prose(page), re.MULTILINE)


def page(name: str) -> str:
    return (GUIDE / f"{name}.md").read_text("utf-8")


def absent(wanted: Sequence[str], text: str) -> list[str]:
    """Return those of *wanted* that are nowhere in *text* as whole words."""
    return [word for word in wanted if not re.search(rf"(?<![\w-]){re.escape(word)}(?!\w)", text)]


def commands() -> dict[str, str]:
    """Return the usage of each command."""
    (choice,) = (action for action in __main__.parser()._actions if action.choices)
    known: Any = choice.choices
    return {name: command.format_help() for name, command in known.items()}


def test_the_guide_has_its_pages() -> None:
    assert len(PAGES) >= 20


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
class TestEveryPage:
    def test_has_one_title_and_unique_headings(self, path: Path) -> None:
        below = headings(path, 2) + headings(path, 3)
        assert len(headings(path, 1)) == 1
        assert len(set(below)) == len(below) > 0

    def test_has_no_broken_links(self, path: Path) -> None:
        targets = [target.partition("#")[0] for target in LINK.findall(prose(path))]
        local = [target for target in targets if "://" not in target]
        assert [target for target in local if not (path.parent / target).is_file()] == []

    def test_has_json_that_parses(self, path: Path) -> None:
        for language, code in CODE.findall(path.read_text("utf-8")):
            if language == "json":
                json.loads(code)

    def test_has_programs_that_compile(self, path: Path) -> None:
        for language, code in CODE.findall(path.read_text("utf-8")):
            if language == "python":
                compile(code, path.name, "exec")

    def test_has_programs_that_import_what_there_is(self, path: Path) -> None:
        for language, code in CODE.findall(path.read_text("utf-8")):
            if language == "python":
                for line in re.findall(r"^(?:from|import) (?:sessions|streaming).*$", code, re.M):
                    exec(line, {})

    def test_names_the_language_of_its_code(self, path: Path) -> None:
        assert all(language for language, _ in CODE.findall(path.read_text("utf-8")))

    def test_posts_json_as_json(self, path: Path) -> None:
        """What curl sends by -d is a form, which is refused."""
        shells = [
            code for language, code in CODE.findall(path.read_text("utf-8")) if language == "sh"
        ]
        commands = [command for code in shells for command in re.split(r"(?=\bcurl )", code)]
        assert [command for command in commands if re.search(r"\s(-d|--data)\s", command)] == []

    def test_gives_no_orders_to_who_writes_answers(self, path: Path) -> None:
        """Such a sentence would never be quoted: the generator takes it for an injection."""
        body = markdown.read(prose(path), BodyLimits()).body
        told = [body[start:end] for start, end in sentences.spans(body, "en")]
        assert [text for text in told if injections.looks_injected(text)] == []

    def test_speaks_in_sentences_that_stand_alone(self, path: Path) -> None:
        """Sentences are quoted without the one before them."""
        found = re.findall(r"^(?:It|Its|They|Their|This|These|That|Those)\b.*$", prose(path), re.M)
        assert [text for text in found if not text.startswith("This page")] == []


def test_every_page_can_be_reached_from_the_first() -> None:
    linked = {*LINK.findall(page("index")), "index.md"}
    assert {path.name for path in PAGES} <= linked


def _shown(default: object) -> str:
    """Return how the guide writes a default."""
    match default:
        case bool():
            return "on" if default else "off"
        case "" | None | ():
            return "empty"
        case float():
            return f"{default:g}"
        case _:
            return str(default)


def test_every_setting_is_documented_with_its_default() -> None:
    text = page("configuration")
    for field in msgspec.structs.fields(settings.Settings):
        if field.name not in settings.FIELDS:
            continue
        variable = settings.variable(field.name)
        assert f"### {variable}\n" in text, variable
        section = text.partition(f"### {variable}\n")[2].partition("\n#")[0]
        shown = _shown(field.default)
        assert f"default of `{variable}` is" in section, variable
        assert absent([shown], section.partition("The default of")[2]) == [], variable


def test_no_page_names_a_setting_that_does_not_exist() -> None:
    known = {settings.variable(field) for field in settings.FIELDS}
    known |= {settings.file_variable(field) for field in settings.SECRETS}
    for path in PAGES:
        named = set(re.findall(r"COLLOQUY_[A-Z_]*[A-Z]", path.read_text("utf-8")))
        assert named <= known, path.name


def test_every_frame_is_documented() -> None:
    text = page("websocket")
    for union in (frames.AnyClientFrame, frames.AnyServerFrame):
        for frame in union.__args__:
            tag = str(msgspec.inspect.type_info(frame).tag)  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType, reportUnknownArgumentType]
            row = re.search(rf"^\| `{tag}` \|(.*)$", text, re.MULTILINE)
            assert row, tag
            assert absent([f.encode_name for f in msgspec.structs.fields(frame)], row[1]) == [], tag


def test_every_close_code_tells_whether_to_come_back() -> None:
    text = page("websocket")
    for close in close_codes.CLOSES.values():
        row = re.search(rf"^\| {close.code} \|.*\| (.*?) \|$", text, re.MULTILINE)
        assert row, close.code
        assert row[1].startswith("connects again") == close.come_back, close.code


def test_the_limits_of_a_socket_are_those_told() -> None:
    limits = frames.Limits()
    text = page("limits")
    assert f"| Answers followed by one connection | {limits.max_open_answers} |" in text
    assert f"{limits.frame_burst} at once, {limits.frames_per_second} a second" in text
    assert f"{limits.byte_burst >> 20} MiB at once, {limits.bytes_per_second >> 10} KiB a" in text
    assert f"| Size of a frame from a client | {limits.max_frame_bytes >> 20} MiB |" in text


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("concepts", f"at most {field_checks.MAX_QUERY:,} characters"),
        ("concepts", f"at most {chunking.SIZE} tokens"),
        ("data-stores", f"from {min(CHUNK_SIZES)} to {max(CHUNK_SIZES)} tokens"),
        ("data-stores", f"is {chunking.SIZE} tokens when none was chosen"),
        ("filters", f"sorts at most {pagination.SORTED:,} sessions"),
        ("grounding", f"under {THRESHOLDS[FilteringLevel.FILTERING_LEVEL_LOW]}."),
        ("grounding", f"under {THRESHOLDS[FilteringLevel.FILTERING_LEVEL_HIGH]}."),
        ("grounding", f"from a score of {grounding.SUPPORTED} on"),
        ("limits", f"| Length of a document filter | {document_filters.MAX_LENGTH:,} characters |"),
        ("answer-life-cycle", f"more than {output_limits.LONGEST:,} characters"),
        ("limits", f"by a model | {output_limits.LONGEST:,} characters;"),
        ("limits", f"| Size of a JSON request body | {request_bodies.MAX_BODY >> 20} MiB |"),
        ("limits", f"at most {request_bodies.MAX_LARGE_BODY >> 20} MiB where"),
        ("limits", f"| Values in a JSON body | {json_codec.MAX_VALUES:,} |"),
        ("troubleshooting", f"more than {json_codec.MAX_VALUES:,} values"),
        ("limits", f"| {queries.MAX_GIVEN:,} characters in all |"),
        ("limits", f"| Length of a list filter | {list_filters.MAX_LENGTH:,} characters |"),
        ("limits", f"| Questions that wait in one session | {transitions.QUEUE} |"),
        ("limits", f"{retrieving.MAX_DOCUMENTS} documents, or {retrieving.MAX_CHUNKS} chunks |"),
        ("limits", f"| Related questions | {related_questions.MOST} |"),
        ("limits", f"| Earlier turns used as context | {history.TURNS} |"),
        ("limits", f"| Takeovers of one answer | {takeover.TAKE_OVERS} |"),
        ("limits", f"of an answer | {transitions.KEPT // 60} minutes after its end |"),
        ("limits", f"| Size of a file | {BodyLimits().file_bytes >> 20} MiB |"),
        ("limits", f"| Text of a document | {BodyLimits().characters:,} characters |"),
        ("limits", f"| Pages of a PDF | {BodyLimits().pages:,} |"),
        ("limits", f"{PARSING.memory >> 20} MiB and {PARSING.memory_per_byte} bytes for each"),
        ("limits", f"byte of the document, at most {PARSING.most_memory >> 30} GiB |"),
        ("limits", f"{PARSING.seconds:.0f} seconds and {PARSING.seconds_per_megabyte:.0f} seconds"),
        ("limits", f"each MiB of the document, at most {PARSING.most_seconds:.0f} seconds |"),
        ("limits", f"and {PARSING.wall_extra:.0f} seconds |"),
        ("limits", f"| Stored text of one document | {BodyLimits().chunk_bytes >> 20} MiB, "),
        (
            "limits",
            f"{websocket_protocol.ODD_BURST:,} at once, {websocket_protocol.ODD_RATE} a second",
        ),
        ("limits", f"headers of a request to their end | {http_protocol.PATIENCE:.0f} seconds"),
        (
            "limits",
            f"{http_protocol.STEP >> 10} KiB of a request body | {http_protocol.STALL:.0f} seconds",
        ),
        ("limits", f"that is being sent | {http_protocol.STUCK:.0f} seconds"),
        ("limits", f"that was closed | {websocket_protocol.LINGER:.0f} seconds"),
        (
            "limits",
            f"the query of a request may have at most {http_framing.TARGET >> 10} KiB together",
        ),
        ("limits", f"headers may have at most {http_protocol.HEADERS >> 10} KiB"),
        ("limits", f"at most {http_protocol.AHEAD} requests ahead"),
        ("deployment", f"fewer than {listening.DESCRIPTORS:,} files"),
        ("limits", f"| Sessions and conversations | {pagination.DEFAULT_SIZE} |"),
        ("refusals", f"relevance of at least {scopes.RELEVANT}."),
        ("refusals", replies.FALLBACK),
        ("refusals", skipping.LOW_GROUNDED),
    ],
)
def test_a_number_or_text_is_the_one_in_force(name: str, told: str) -> None:
    assert told in page(name)


def test_every_metric_is_documented() -> None:
    rows = re.findall(r"^\| `colloquy_(\w+?)(?:_total)?` \|", page("monitoring"), re.MULTILINE)
    root = Path(__main__.__file__).parent
    sources = [path.read_text("utf-8") for path in root.rglob("*.py")]
    made = re.findall(
        r'(?:(?:[Cc]ounter|[Hh]istogram)\(\s*"colloquy_|\bwatch\w*\(\s*")(\w+)"', "\n".join(sources)
    )
    assert sorted(rows) == sorted(made)


def test_every_command_and_option_is_documented() -> None:
    text = page("command-line")
    for name, usage in commands().items():
        assert f"| `colloquy {name}` |" in text, name
        assert absent(re.findall(r"--[a-z-]+", usage), text) == [], name


def test_every_skipped_reason_has_a_section() -> None:
    sections = headings(GUIDE / "refusals.md", 3)
    assert [reason.name for reason in AnswerSkippedReason if reason.name not in sections] == []


def test_every_state_is_documented() -> None:
    states = [state.name for state in State if state is not State.STATE_UNSPECIFIED]
    assert absent(states, page("answer-life-cycle")) == []


NOT_FOR_CLIENTS: Final = frozenset(
    "ANSWER_FAILED ANSWER_FINISHED EVENT_NOT_ALLOWED LOG_GONE STORED_DOCUMENT_DAMAGED".split()
    + "NO_CONNECTION HANDSHAKE_FAILED CONNECTION_REFUSED STREAM_BROKEN TOKEN_REJECTED".split()
    + "FRAME_UNKNOWN NOT_PERMITTED".split()
    + "EMBEDDINGS_NOT_INSTALLED EMBEDDING_MALFORMED".split()
)
"""Reasons of faults within the service, of our own client, and of what is not there yet."""


def test_every_reason_that_a_client_may_meet_is_documented() -> None:
    roots = [Path(module.__file__ or "").parent for module in (__main__, errors, frames)]
    sources = [path.read_text("utf-8") for root in roots for path in root.rglob("*.py")]
    reasons = {reason for source in sources for reason in REASON.findall(source)}
    whole = "\n".join(path.read_text("utf-8") for path in PAGES)
    assert absent(sorted(reasons - NOT_FOR_CLIENTS), whole) == []
