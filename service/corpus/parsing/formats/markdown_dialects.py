"""Read what dialects of Markdown and site generators mark each in their own way.

Notes become boxes of HTML around their text, which stays Markdown: ``:::note`` (Docusaurus, Pandoc,
VitePress), ``!!! note`` with what is indented under it (MkDocs), ``> [!NOTE]`` (GitHub) and
``<Note>`` (MDX). A tab becomes what stands under its name in bold: ``=== "Linux"`` (MkDocs),
``<TabItem label="Linux">`` (MDX). Terms with ``: `` and what they mean (PHP Markdown Extra, Pandoc)
become a list of definitions. A footnote (GitHub, Pandoc) becomes a paragraph, and the mark that
names it goes. So does what only a program reads: imports, the order for a table of contents, the
box to tick of a task.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from service.corpus.parsing.loose_blocks import is_question

_FENCE: Final = re.compile(r"[ \t]{0,3}(```+|~~~+)")
_COLONS: Final = re.compile(r"[ \t]{0,3}(:{3,})[ \t]*\{?\.?([A-Za-z-]{2,30})?[^\n]{0,200}$")
_BANG: Final = re.compile(
    r"(?:!!!|\?\?\?\+?)[ \t]+([a-z]{2,20})(?:[^\n\"]{0,100}\"([^\n\"]{0,200})\")?"
)
_TAB: Final = re.compile(r"===[!+]?[ \t]+\"([^\n\"]{1,200})\"[ \t]*$")
_GITHUB: Final = re.compile(r"^[ \t]{0,3}>[ \t]?\[!(\w{2,20})\][-+]?[ \t]*")
_INDENT: Final = re.compile(r"    |\t")
_NOTES: Final = r"(?:Note|Tip|Warning|Info|Callout|Caution|Important|Danger|Admonition|Alert|Aside)"
_BOX: Final = re.compile(rf"[ \t]*<{_NOTES}(?:\s[^<>\n]{{0,300}})?>[ \t]*")
_BOX_END: Final = re.compile(rf"[ \t]*</{_NOTES}>[ \t]*$")
_PANEL: Final = re.compile(
    r"[ \t]*<(?:TabItem|Tab|Accordion|AccordionItem|Expandable|Step)\s[^<>\n]{0,200}?"
    r"\b(?:label|title)=[\"']([^\"'\n]{1,200})[\"'][^<>\n]{0,200}>[ \t]*"
)
"""The elements of MDX whose name stands over what they hold."""
_TASK: Final = re.compile(r"^([ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+)\[[ xX]\][ \t]+")
_UNREAD: Final = re.compile(
    r"\[\[?_?(?:TOC|toc)_?\]\]?[ \t]*$"
    r"|import\s(?:[\w*{][^'\"\n]{0,200}\sfrom\s+)?['\"][^'\"\n]{1,200}['\"];?[ \t]*$"
    r"|export\s(?:const|let|default|function)\b[^\n]{0,500}[;}][ \t]*$"
)
"""Lines that only a program reads."""
_MEANING: Final = re.compile(r"[ ]{0,2}:(?:[ ]{1,3}|\t)(?=\S)")
_GOES_ON: Final = re.compile(r"(?:[ ]{2,4}|\t)(?=\s*\S)")
"""What a line of a meaning is indented by."""
_NO_TERM: Final = re.compile(r"\s*$|[ \t]*(?:[-*+][ \t]|[>|#=:<]|\d{1,9}[.)][ \t])|[ ]{4}|\t")
"""A line that begins so is no term."""
_MARKED: Final = re.compile(
    r":::|!!!|\?\?\?|\[!|\[\^|^===|<[A-Z]|^\[\[?_?TOC|^(?:import|export)\s|\[[ xX]\][ \t]"
    r"|^[ ]{0,2}:[ \t]",
    re.M,
)
"""What has nothing of this is in no dialect."""
_OPEN: Final = '<div class="admonition">\n'
_CLOSE: Final = "\n</div>\n"


def as_common(text: str) -> str:
    """Return the Markdown *text* with what its dialect marks in CommonMark and HTML."""
    if not _MARKED.search(text):
        return text
    lines: Iterable[str] = text.split("\n")
    for read in (_unnested, _footnotes, _elements, _definitions, _boxes):
        lines = read(lines)
    return "\n".join(lines)


def _footnotes(lines: Iterable[str]) -> Iterator[str]:
    """Yield *lines* with each footnote as a paragraph, and without the marks that name it."""
    lines = list(lines)
    named = {found[1] for line in lines if (found := _FOOTNOTE.match(line))}
    fences = _Fences()
    inside = False  # a footnote: what is indented under it goes on with it
    for line in lines:
        if fences.hold(line):
            yield line
            continue
        said = line
        if found := _FOOTNOTE.match(line):
            inside = True
            said = f"\n{line[found.end() :]}"
        elif inside := inside and (not line.strip() or _INDENT.match(line) is not None):
            said = line.lstrip()
        yield _FOOTNOTE_MARK.sub(lambda mark: "" if mark[1] in named else mark[0], said)


_FOOTNOTE: Final = re.compile(r"[ ]{0,3}\[\^([^\]\s]{1,100})\]:[ \t]*")
_FOOTNOTE_MARK: Final = re.compile(r"(?<=\S)\[\^([^\]\s]{1,100})\]")


def _unnested(lines: Iterable[str]) -> Iterator[str]:
    """Yield *lines* without the elements of MDX that only lay out, and without their indents.

    Else what is indented in them would be code, and what is right under them no Markdown. The title
    of an element stands in bold over what it holds.
    """
    fences = _Fences()
    margins: list[int] = []  # of what stands in each open element, -1 where nothing stands yet
    names: list[list[str]] = []  # of the tabs in each open element, from the last one on
    for line in _whole_tags(lines):
        margin = max(margins, default=0)
        indent = len(line) - len(line.lstrip())
        if margins and margins[-1] < 0 and line.strip() and not _CLOSING.match(line):
            margins[-1] = margin = indent
        said = line[min(indent, margin) :] if margins else line
        if fences.hold(said):
            yield said
        elif found := _OPENING.match(said):
            is_box = _BOX.match(said) and not found["empty"]
            given = names[-1] if names and _NAMED_TAB.match(said) else []
            yield said if is_box else _titled(found["said"] or "", given)
            if not found["empty"] and len(margins) < _ELEMENTS:
                margins.append(-1)
                listed = _NAMES.search(found["said"] or "")
                names.append(_NAME.findall(listed[1])[::-1] if listed else [])
        elif found := _CLOSING.match(line):
            del margins[-1:], names[-1:]
            yield line.strip() if _BOX_END.match(line) else ""
        else:
            yield said


_OPENING: Final = re.compile(
    r"[ \t]*<[A-Z]\w{0,40}(?:\.\w{1,40})?(?P<said>\s[^<>]{0,1000}?)?[ \t]*(?P<empty>/)?>[ \t]*$"
)
_CLOSING: Final = re.compile(r"[ \t]*</[A-Z][\w.]{0,80}>[ \t]*$")
_BROKEN_TAG: Final = re.compile(r"[ \t]*<[A-Z][\w.]{0,80}(?:\s[^<>]{0,300})?$")
_ELEMENTS: Final = 40
"""Elements within each other whose indents are known."""
_TAG_LINES: Final = 12
"""Lines over which a tag is broken, one for each of its attributes."""
_TITLE: Final = re.compile(r"\s(?:title|label|path|question)=\{?[\"']([^\"'\n]{1,200})[\"']")
_DESCRIPTION: Final = re.compile(r"\sdescription=\{?[\"]([^\"\n]{1,1000})[\"]")


_NAMED_TAB: Final = re.compile(r"[ \t]*<(?:Tabs?\.)?Tab(?:Item)?\b")
_NAMES: Final = re.compile(r"\s(?:items|labels|tabs)=\{\[([^\]\n]{1,500})\]\}")
_NAME: Final = re.compile(r"[\"']([^\"'\n]{1,100})[\"']")


def _titled(attributes: str, names: list[str]) -> str:
    """Return the Markdown of what the *attributes* of an element say to its reader.

    One that is a tab and has no title takes the last of the *names* that were given for it.
    """
    title, description = _TITLE.search(attributes), _DESCRIPTION.search(attributes)
    called = title[1] if title else names.pop() if names else ""
    said = f"\n**{called}**\n" if called else ""
    return said + (f"\n{description[1]}\n" if description else "")


def _whole_tags(lines: Iterable[str]) -> Iterator[str]:
    """Yield *lines*, with each tag of MDX that is broken over several of them in one."""
    fences = _Fences()
    broken: list[str] = []
    for line in lines:
        if broken:
            broken.append(line)
            if ">" in line:
                yield " ".join([broken[0].rstrip(), *(one.strip() for one in broken[1:])])
                broken = []
            elif len(broken) > _TAG_LINES:
                yield from broken
                broken = []
        elif not fences.hold(line) and _BROKEN_TAG.match(line):
            broken = [line]
        else:
            yield line
    yield from broken


class _Fences:
    """Tells of one line after the other whether it is of code between fences."""

    def __init__(self) -> None:
        self._open = ""

    def hold(self, line: str) -> bool:
        """Tell whether *line* stands between fences, or is one."""
        if found := _FENCE.match(line):
            ends = self._open and found[1].startswith(self._open)
            self._open = "" if ends else self._open or found[1]
        return bool(self._open or found)


def _elements(lines: Iterable[str]) -> Iterator[str]:
    """Yield *lines* without what a program reads, and with boxes and names for elements of MDX."""
    fences = _Fences()
    for line in lines:
        if fences.hold(line):
            yield line
        elif not _UNREAD.match(line):
            said = _TASK.sub(r"\1", _GITHUB.sub(_github, line, count=1))
            named = _PANEL.sub(r"\n**\1**\n\n", said, count=1)
            yield _BOX_END.sub(_CLOSE, _BOX.sub(_OPEN, named, count=1))


def _github(marker: re.Match[str]) -> str:
    return f"> **{marker[1].capitalize()}:** "


def _definitions(lines: Iterable[str]) -> Iterator[str]:
    """Yield *lines* with lists of definitions for terms and what is marked as their meaning.

    A meaning goes on in the next lines, and in what is indented behind an empty one.
    """
    fences = _Fences()
    term: str | None = None  # the line before, where it may be a term
    meaning = list[str]()  # the lines so far of the last one in the open list, if one is open
    for line in lines:
        code = fences.hold(line)
        if not code and _MEANING.match(line) and (term is not None or meaning):
            yield _cell("dd", "\n".join(meaning)) if meaning else "\n<dl>"
            if term is not None:
                yield _cell("dt", term)
            term, meaning = None, [_MEANING.sub("", line, count=1)]
            continue
        if term is not None and meaning and meaning[-1].strip():
            meaning.append(term)
        elif term is not None:
            yield from _ended(meaning)
            yield term
            meaning = []
        term = None
        if meaning and (not line.strip() or _GOES_ON.match(line)):
            meaning.append(_GOES_ON.sub("", line, count=1))
        elif code or _NO_TERM.match(line):
            yield from _ended(meaning)
            yield line
            meaning = []
        else:
            term = line
    if term is not None and meaning and meaning[-1].strip():
        meaning.append(term)
        term = None
    yield from _ended(meaning)
    if term is not None:
        yield term


def _ended(meaning: Sequence[str]) -> Iterator[str]:
    """Yield the last *meaning* of a list, and its end, if one is open."""
    if meaning:
        yield _cell("dd", "\n".join(meaning))
        yield "\n</dl>\n"


def _cell(tag: str, said: str) -> str:
    """Return an element whose content stays Markdown."""
    return f"\n<{tag}>\n\n{said}\n\n</{tag}>\n"


def _boxes(lines: Iterable[str]) -> Iterator[str]:
    """Yield *lines* with boxes for notes between colons or with what is indented under a mark."""
    fences, boxes = _Fences(), 0
    close: str | None = None  # what ends that under whose mark lines are indented, if one is open
    for given in lines:
        line = given
        if close is not None and line.strip() and not _INDENT.match(line):
            yield close
            close = None
        line = _INDENT.sub("", line, count=1) if close is not None else line
        if fences.hold(line):
            yield line
        elif found := _COLONS.match(line):
            boxes += 1 if found[2] else -1 if boxes else 0
            yield _OPEN if found[2] else _CLOSE
        elif close is None and (found := _BANG.match(line) or _TAB.match(line)):
            title = found[found.re.groups] or ""
            # A question that unfolds its answer is an entry, and no note.
            is_box = found.re is _BANG and not is_question(title)
            close = _CLOSE if is_box else ""
            yield (_OPEN if is_box else "") + (f"\n**{title}**\n" if title else "")
        else:
            yield line
    yield from [_CLOSE] * boxes
    yield close or ""
