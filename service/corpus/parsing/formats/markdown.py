"""Read Markdown: CommonMark with tables, front matter, and what site generators put into it.

Link text is kept, targets are not; an image leaves its alternative text. Liquid tags, Kramdown
attributes and HTML tags go, their content stays.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.token import Token

from service.blocks import BlockKind
from service.corpus.parsing.formats import html
from service.corpus.parsing.parsed_documents import BodyBuilder, BodyLimits, ParsedDocument, row

_FRONT_MATTER: Final = re.compile(
    r"\A\ufeff?---[ \t]*\r?\n(.*?)\r?\n(?:---|\.\.\.)[ \t]*(?:\r?\n|\Z)", re.S
)
_FIELD: Final = re.compile(r"^(title|lang|language):[ \t]*(.+?)[ \t]*$", re.M)
_GENERATOR: Final = re.compile(
    r"(?P<code>(?<!`)(`+)(?!`).{1,1000}?(?<!`)\2(?!`))"  # a code span stays as it is
    # No tag holds the beginning of another: the many that none ends are each looked at once.
    r"|\{%(?:(?!\{%).){0,2000}?%\}|\{\{(?:(?!\{\{).){0,200}?\}\}\}?|\{:(?:(?!\{:).){0,500}?\}"
    r"|\{#[\w-]{1,80}\}",
    re.S,
)
_HTML: Final = re.compile(
    r"\s*</?(?:div|ol|ul|li|p|table|tr|td|th|section|h[1-6]|dl|dt|dd|details)\b", re.I
)
_SPACED_OUTPUT: Final = re.compile(r"\]\(\{\{\s*([\w.]+)\s*\}\}")
_NO_PICTURE: Final = re.compile(
    r"\W*|.*not found\W*|[\w./-]+\.(?:png|jpe?g|gif|svg|webp)", re.I | re.S
)


def _strip_generator(state: StateCore) -> None:
    """Drop the tags of site generators between block and inline parsing, but not from code."""
    for token in state.tokens:
        if token.type == "inline":
            token.content = _GENERATOR.sub(lambda found: found["code"] or "", token.content)


_MARKDOWN: Final = MarkdownIt("commonmark", {"maxNesting": 20}).enable(["table", "strikethrough"])
_MARKDOWN.core.ruler.before("inline", "strip_generator", _strip_generator)
_MARKDOWN.parse("a")  # its rules are compiled now: the first threads would find them half done


def read(text: str, limits: BodyLimits) -> ParsedDocument:
    """Return the document that the Markdown *text* holds.

    Raises:
        Unreadable: it is over the limits.
    """
    fields: dict[str, str] = {}
    if front := _FRONT_MATTER.match(text):
        fields = {name: value.strip("\"'") for name, value in _FIELD.findall(front[1])}
        text = text[front.end() :]
    body = BodyBuilder(limits)
    _Reader(body).read(_MARKDOWN.parse(_SPACED_OUTPUT.sub(r"](\1", text)))
    language = fields.get("lang") or fields.get("language", "")
    return body.build(title=fields.get("title", ""), mime="text/markdown", language=language)


class _Reader:
    """Walks the tokens, which markdown-it gives as a flat list, once."""

    def __init__(self, body: BodyBuilder) -> None:
        self._body = body
        self._lists: list[int] = []  # the next number of each open list, 0 for bullets
        self._marker = ""
        self._heading = 0
        self._header: list[str] = []
        self._cells: list[str] | None = None

    def read(self, tokens: Sequence[Token]) -> None:
        for token in tokens:
            self._structure(token)
            match token.type:
                case "inline":
                    self._text(flatten(token.children or []))
                case "code_block" if _HTML.match(token.content):
                    # Authors indent what is inside their <div>; a blank line makes code of it.
                    html.add(token.content, self._body)
                case "fence" | "code_block":
                    self._body.add(BlockKind.CODE, token.content)
                case "html_block":
                    html.add(token.content, self._body)
                case _:
                    pass

    def _structure(self, token: Token) -> None:
        match token.type:
            case "heading_open":
                self._heading = int(token.tag[1:])
            case "heading_close":
                self._heading = 0
            case "bullet_list_open":
                self._lists.append(0)
            case "ordered_list_open":
                self._lists.append(int(token.attrs.get("start", 1)))
            case "bullet_list_close" | "ordered_list_close":
                self._lists.pop()
            case "list_item_open":
                self._open_item()
            case "list_item_close":
                self._marker = ""
            case _:
                self._table(token)

    def _table(self, token: Token) -> None:
        match token.type:
            case "thead_open":
                self._header = []
            case "tr_open":
                self._cells = []
            case "tr_close":
                self._close_row(self._cells or [])
            case _:
                pass

    def _open_item(self) -> None:
        number = self._lists[-1]
        self._marker = f"{number}. " if number else "- "
        if number:
            self._lists[-1] += 1

    def _close_row(self, cells: list[str]) -> None:
        if self._header:
            self._body.add(BlockKind.ROW, row(self._header, cells))
        else:
            self._header = cells
        self._cells = None

    def _text(self, text: str) -> None:
        if self._cells is not None:
            self._cells.append(text)
        elif self._heading:
            self._body.add(BlockKind.HEADING, text.replace("\n", " "), level=self._heading)
        elif self._marker and text.strip():
            self._body.add(BlockKind.ITEM, self._marker + text.strip())
            self._marker = ""
        else:
            self._body.add(BlockKind.TEXT, text)


def flatten(tokens: Sequence[Token]) -> str:
    """Return what a reader sees of inline *tokens*; only a hard break ends a line."""
    parts: list[str] = []
    for token in tokens:
        match token.type:
            case "text" | "code_inline":
                parts.append(token.content)
            case "softbreak":
                parts.append(" ")
            case "hardbreak":
                parts.append("\n")
            case "html_inline" if token.content.lower().startswith("<br"):
                parts.append("\n")
            case "image":
                alt = flatten(token.children or [])
                parts.append("" if _NO_PICTURE.fullmatch(alt) else alt)
            case _:
                pass
    return "".join(parts)
