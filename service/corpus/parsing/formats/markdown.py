"""Read Markdown: CommonMark with tables, front matter, and what site generators put into it.

It is made into HTML and read as that: so HTML and Markdown may stand within each other. Link text
is kept, targets are not; an image within a sentence leaves its alternative text. Liquid tags,
Kramdown attributes and the markers of admonitions go, their content stays.
"""

from __future__ import annotations

import html as entities
import re
from collections.abc import Mapping, MutableMapping, Sequence
from typing import Any, Final

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.rules_core import StateCore
from markdown_it.token import Token

from service.blocks import BlockKind
from service.corpus import publication
from service.corpus.parsing.formats import html, markdown_dialects, pipe_tables, yaml_header
from service.corpus.parsing.parsed_documents import BodyBuilder, BodyLimits, ParsedDocument

_GENERATOR: Final = re.compile(
    r"(?P<code>(?<!`)(`+)(?!`).{1,1000}?(?<!`)\2(?!`))"  # a code span stays as it is
    # No tag holds the beginning of another: the many that none ends are each looked at once.
    r"|\{%(?:(?!\{%).){0,2000}?%\}|\{\{(?:(?!\{\{).){0,200}?\}\}\}?|\{:(?:(?!\{:).){0,500}?\}"
    r"|\{\s?(?:#[\w-]{1,80}|\.[a-z][\w-]{0,80})(?:\s[^{}\n]{0,200})?\}"  # Pandoc, MkDocs
    r"|\{/\*(?:(?!\{/\*).){0,2000}?\*/\}"  # MDX
    r"|\+\+(?P<keys>[a-z0-9]{1,20}(?:\+[a-z0-9]{1,20}){0,4})\+\+",  # MkDocs
    re.S,
)
_HTML: Final = re.compile(
    r"\s*</?(?:div|ol|ul|li|p|table|tr|td|th|section|h[1-6]|dl|dt|dd|details)\b", re.I
)
_KEPT_INLINE: Final = re.compile(r"</?(?:b|strong)\s*>|<(?:br|img)\b", re.I)
"""Tags inside a line that mean something here. Others go at once: a placeholder such as `<title>`
that somebody forgot to escape would hide all that follows."""
_SPACED_OUTPUT: Final = re.compile(r"\]\(\{\{\s*([\w.]+)\s*\}\}")
_NO_PICTURE: Final = re.compile(
    r"\W*|.*not found\W*|[\w./-]+\.(?:png|jpe?g|gif|svg|webp)", re.I | re.S
)


def _strip_generator(state: StateCore) -> None:
    """Drop the tags of site generators between block and inline parsing, but not from code."""
    for token in state.tokens:
        if token.type in {"inline", "html_block"}:
            token.content = _GENERATOR.sub(_said, token.content)


def _said(found: re.Match[str]) -> str:
    """Return what is read in the place of what a generator understands: code, the names of keys."""
    keys = found["keys"]
    return found["code"] or (keys.replace("+", " + ").title().replace(" + ", "+") if keys else "")


class _Renderer(RendererHTML):
    """Writes HTML of what is read, and nothing for the eye only."""

    def image(
        self, tokens: Sequence[Token], idx: int, options: Any, env: MutableMapping[str, Any]
    ) -> str:
        # Asked once for each paragraph: one may be a hundred thousand images.
        alone = f"alone {id(tokens)}"
        if alone not in env:
            env[alone] = all(one.type in {"image", "softbreak", "hardbreak"} for one in tokens)
        alt = self.renderInlineAsText(tokens[idx].children, options, env)
        source = entities.escape(str(tokens[idx].attrs.get("src", "")))
        if env[alone]:
            return f'<img src="{source}" alt="{entities.escape(alt)}">'
        # Within a sentence the text is part of that, whether the picture is kept or not.
        said = "" if _NO_PICTURE.fullmatch(alt) else entities.escape(alt)
        return f'{said}<img src="{source}">'

    def html_inline(
        self, tokens: Sequence[Token], idx: int, options: Any, env: MutableMapping[str, Any]
    ) -> str:
        content = tokens[idx].content
        return content if _KEPT_INLINE.match(content) else ""

    def code_block(
        self, tokens: Sequence[Token], idx: int, options: Any, env: MutableMapping[str, Any]
    ) -> str:
        content = tokens[idx].content
        if _HTML.match(content):
            # Authors indent what is inside their <div>; a blank line makes code of it.
            return content
        return f"<pre>{entities.escape(content)}</pre>\n"

    def fence(
        self, tokens: Sequence[Token], idx: int, options: Any, env: MutableMapping[str, Any]
    ) -> str:
        return f"<pre>{entities.escape(tokens[idx].content)}</pre>\n"


_MARKDOWN: Final = MarkdownIt("commonmark", {"maxNesting": 20}, renderer_cls=_Renderer).enable(
    ["table", "strikethrough"]
)
_MARKDOWN.core.ruler.before("inline", "strip_generator", _strip_generator)
_MARKDOWN.render("a")  # its rules are compiled now: the first threads would find them half done


def read(text: str, limits: BodyLimits, files: Mapping[str, bytes] | None = None) -> ParsedDocument:
    """Return the document that the Markdown *text* holds, with images of the *files* beside it.

    Raises:
        Unreadable: it is over the limits, or nested too deep.
    """
    header, text = yaml_header.split(text)
    body = BodyBuilder(limits, files)
    if header.description:
        body.add(BlockKind.TEXT, header.description)
    text = pipe_tables.completed(header.filled(_SPACED_OUTPUT.sub(r"](\1", text)))
    html.add(_MARKDOWN.render(markdown_dialects.as_common(text)), body)
    header.add_rest(body)
    return body.build(
        title=header.title,
        mime="text/markdown",
        language=header.language,
        properties=publication.statements(header.values),
    )
