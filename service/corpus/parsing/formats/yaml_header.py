"""Read the front matter of a page: its title, and what of it a reader of the page sees.

It is YAML of machinery (layout, permalink, order) with some content between: a description, lists
that the page shows by a Liquid tag, questions with answers. The YAML is read as a stream of events
and never built into objects, so that aliases, tags and depth can do no harm. Between plus signs it
is TOML, as Hugo and Zola have it.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, TypeAlias, cast

import msgspec
import yaml

from service.blocks import BlockKind
from service.corpus.parsing.parsed_documents import BodyBuilder, one_line

Value: TypeAlias = "str | list[Value] | dict[str, Value]"

_FENCED: Final = re.compile(
    r"\A\ufeff?---[ \t]*\r?\n(.*?)\r?\n(?:---|\.\.\.)[ \t]*(?:\r?\n|\Z)", re.S
)
_TOML: Final = re.compile(r"\A\ufeff?\+\+\+[ \t]*\r?\n(.*?)\r?\n\+\+\+[ \t]*(?:\r?\n|\Z)", re.S)
_FIELD: Final = re.compile(r"^(title|lang|language):[ \t]*(.+?)[ \t]*$", re.M)
_CHARACTERS: Final = 64 * 1024
"""Front matter that is longer is no front matter; only its title is looked for, line by line."""
_CHARACTERS_OF_TOML: Final = 4 * 1024
"""The same of TOML: its reader takes the square of how deep a dotted key is."""
_DEPTH: Final = 8
_VALUES: Final = 2_000
_INCLUDED: Final = re.compile(
    r"^[ \t]*\{%-?\s*include(?:_relative)?\b(?:(?!%\}).){0,2000}?=\s*page\.([\w.-]{1,80})"
    r"(?:(?!%\}).){0,2000}?%\}[ \t]*$",
    re.S | re.M,
)
_DESCRIPTIONS: Final = (
    "description",
    "summary",
    "abstract",
    "excerpt",
    "subtitle",
    "intro",
    "lead",
)
_INVITES: Final = re.compile(
    r"(?:learn|view|find|read|see|get|discover|how to|check|this (?:page|article|guide|section)|"
    r"here|lernen|erfahren|hier|découvrez|apprenez|descubra|aprenda|consulte)\b",
    re.I,
)
"""So begins a description that advertises the page instead of saying what is on it."""
_QUESTIONS: Final = ("question", "q")
_ANSWERS: Final = ("answer", "a", "content", "text", "body", "description")
_NAMES: Final = ("title", "name", "label", "heading", "text")
_MACHINERY: Final = re.compile(
    r"redirect|alias|permalink|url|tags?$|categor|keyword|child|script|style|css|js$|layout|author|"
    r"related|nav|menu|breadcrumb|translation|link|image|icon|meta|sidebar|feature|param|cascade|head",
    re.I,
)
_IDENTIFIER: Final = re.compile(r"\S*[/\\_=<>{}]\S*|\S+\.\w{1,5}|[\w:-]+")


class YamlHeader(msgspec.Struct, frozen=True, kw_only=True):
    """What front matter says to a reader of the page."""

    title: str = ""
    language: str = ""
    description: str = ""
    values: Mapping[str, Value] = {}
    shown: set[str] = set()
    """The lists that the page shows where it wants them."""

    def filled(self, text: str) -> str:
        """Return the Markdown *text* with the lists that its tags show in their places."""
        if not any(isinstance(value, list) for value in self.values.values()):
            return text
        return _INCLUDED.sub(self._list, text)

    def _list(self, tag: re.Match[str]) -> str:
        items = list(_lines(self.values.get(tag[1], "")))
        self.shown.add(tag[1])
        return "\n" + "".join(f"- {item}\n" for item in items) if items else ""

    def add_rest(self, body: BodyBuilder) -> None:
        """Add to *body* what the page says in its front matter only: questions, lists of words."""
        for name, value in self.values.items():
            if not isinstance(value, list) or name in self.shown:
                continue
            pairs = [_pair(one) for one in value]
            if any(pairs):
                for question, answer in filter(None, pairs):
                    body.add(BlockKind.HEADING, question, level=min(body.level + 1, 2))
                    body.add(BlockKind.TEXT, answer)
            elif not _MACHINERY.search(name) and _is_prose(items := list(_lines(value))):
                whole = body.new_whole()
                body.add(BlockKind.LEAD, f"{_words(name)}:", whole=whole)
                for item in items:
                    body.add(BlockKind.ITEM, f"- {item}", level=1, whole=whole)


def split(text: str) -> tuple[YamlHeader, str]:
    """Return the front matter of *text*, an empty one if there is none, and what follows it."""
    found = _FENCED.match(text) or _TOML.match(text)
    if found is None:
        return YamlHeader(), text
    rest = text[found.end() :]
    values = _read(found[1]) if found.re is _FENCED else _read_toml(found[1])
    if not values:
        fields = {
            name: value.strip("\"'") for name, value in _FIELD.findall(found[1][:_CHARACTERS])
        }
        language = fields.get("lang") or fields.get("language", "")
        return YamlHeader(title=fields.get("title", ""), language=language), rest
    title = _text(values, "title")
    return YamlHeader(
        title=title,
        language=_text(values, "lang") or _text(values, "language"),
        description=_description(values, title, rest),
        values=values,
        shown=set(),
    ), rest


def _read(source: str) -> dict[str, Value]:
    """Return the mapping that *source* is, {} where it is none or no YAML."""
    if len(source) > _CHARACTERS:
        return {}
    try:
        return _Composer().compose(source)
    except (yaml.YAMLError, ValueError, RecursionError):
        return {}


def _read_toml(source: str) -> dict[str, Value]:
    """Return the mapping that *source* is, {} where it is no TOML."""
    if len(source) > _CHARACTERS_OF_TOML:
        return {}
    try:
        return {name: _of_toml(value, _DEPTH) for name, value in tomllib.loads(source).items()}
    except (ValueError, RecursionError):
        return {}


def _of_toml(value: object, depth: int) -> Value:
    """Return *value* as YAML would be read: lists, mappings, and texts for all else."""
    if depth and isinstance(value, list):
        return [_of_toml(one, depth - 1) for one in cast("list[object]", value)]
    if depth and isinstance(value, dict):
        of = cast("dict[str, object]", value)
        return {name: _of_toml(one, depth - 1) for name, one in of.items()}
    return str(value)


class _Composer:
    """Puts the events of YAML together to texts, lists and mappings of them; aliases are empty."""

    def __init__(self) -> None:
        self._path: list[tuple[Value, str | None]] = []
        self._values = 0
        self._root: Value = ""

    def compose(self, source: str) -> dict[str, Value]:
        """Return the mapping that *source* is."""
        for event in _events(source, Loader=_LOADER):
            match event:
                case yaml.MappingStartEvent():
                    self._open({})
                case yaml.SequenceStartEvent():
                    self._open([])
                case yaml.MappingEndEvent() | yaml.SequenceEndEvent():
                    self._path.pop()
                case yaml.ScalarEvent():
                    self._put(str(event.value))
                case yaml.AliasEvent():
                    self._put("")
                case _:
                    pass
        return self._root if isinstance(self._root, dict) else {}

    def _open(self, value: Value) -> None:
        if len(self._path) >= _DEPTH:
            raise ValueError("nested too deep for front matter")
        self._put(value)
        self._path.append((value, None))

    def _put(self, value: Value) -> None:
        self._values += 1
        if self._values > _VALUES:
            raise ValueError("too many values for front matter")
        if not self._path:
            self._root = value
            return
        into, key = self._path[-1]
        if isinstance(into, list):
            into.append(value)
        elif isinstance(into, dict) and key is None:
            self._path[-1] = (into, value if isinstance(value, str) else "")
        elif isinstance(into, dict):
            into[key or ""] = value
            self._path[-1] = (into, None)


_LOADER: Final = yaml.CSafeLoader if yaml.__with_libyaml__ else yaml.SafeLoader
_events: Final = cast(
    "Callable[..., Iterator[yaml.Event]]",
    yaml.parse,  # pyright: ignore[reportUnknownMemberType] - its stubs leave the stream open
)


def _text(values: Mapping[str, Value], name: str) -> str:
    value = values.get(name, "")
    return value.strip() if isinstance(value, str) else ""


def _description(values: Mapping[str, Value], title: str, rest: str) -> str:
    """Return what describes the page in a sentence, if that says more than page and title do."""
    within = [values, *(value for value in values.values() if isinstance(value, dict))]
    for mapping in within:
        for name in _DESCRIPTIONS:
            said = one_line(_text(mapping, name))
            if len(said) < _SENTENCE or _INVITES.match(said) or said.casefold() == title.casefold():
                continue
            is_repeated = said.rstrip(".")[:_SENTENCE].casefold() in rest[:_BEGINNING].casefold()
            return "" if is_repeated else said
    return ""


_SENTENCE: Final = 30
"""Characters of the shortest sentence that describes something."""
_BEGINNING: Final = 2_000


def _pair(value: Value) -> tuple[str, str] | None:
    """Return the question and the answer that an entry of a list is, if it is one."""
    if not isinstance(value, dict):
        return None
    question = next((said for name in _QUESTIONS if (said := _text(value, name))), "")
    answer = next((said for name in _ANSWERS if (said := _text(value, name))), "")
    return (question, answer) if question and answer else None


def _lines(value: Value) -> Iterator[str]:
    """Yield the items of a list as lines: a text, or what names and describes a mapping."""
    for item in value if isinstance(value, list) else ():
        if isinstance(item, str):
            said = item
        elif isinstance(item, dict):
            named = next((name for name in _NAMES if _text(item, name)), "")
            more = next((name for name in _ANSWERS if name != named and _text(item, name)), "")
            said = ": ".join(filter(None, (_text(item, named), _text(item, more))))
        else:
            said = ""
        if said := one_line(said):
            yield said


def _is_prose(items: Sequence[str]) -> bool:
    """Tell whether most of *items* are words for people."""
    return sum(not _IDENTIFIER.fullmatch(item) for item in items) > len(items) / 2


def _words(name: str) -> str:
    words = re.sub(r"[_-]+", " ", name).strip()
    return words[:1].upper() + words[1:]
