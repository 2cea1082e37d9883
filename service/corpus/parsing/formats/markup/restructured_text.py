"""Read reStructuredText: docutils makes it into HTML, and it is read as that.

Directives and roles that docutils does not know, Sphinx' above all, are read for what they say: a
role for its text; what describes an option or a function as a term and its meaning; others as their
argument and their content. What is for a program alone is left out. No file is read, and no address
is asked.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

from docutils import ApplicationError, core, nodes
from docutils.parsers.rst import Directive, directives, roles
from docutils.parsers.rst.languages import en

from service.corpus.parsing.formats import html, plain
from service.corpus.parsing.parsed_documents import BodyLimits, ParsedDocument

_DIRECTIVE: Final = re.compile(r"^[ \t]*\.\. (?:\|[^|\n]{1,100}\| )?([\w:+.-]{1,60})::", re.M)
_ROLE: Final = re.compile(r":([\w:+.-]{1,60}):`|`:([\w:+.-]{1,60}):")
_DESCRIBES: Final = re.compile(
    r"\w+:\w+|option|cmdoption|confval|envvar|describe|object|(?:class|static)?method|function|class"
    r"|attribute|property|data|exception|macro|member|struct|enum|var|type|setting|rst-directive"
)
_CODE: Final = re.compile(
    r"code|code-block|sourcecode|prompt|code-tab|console|terminal|doctest|productionlist"
    r"|test(?:code|output|setup)|ipython|jupyter-\w+|command-output"
)
_NOTES: Final = {"seealso": "See also", "versionadded": "New in version"} | {
    "versionchanged": "Changed in version",
    "versionremoved": "Removed in version",
    "deprecated": "Deprecated since version",
}
"""Directives that say something beside the text, and what they are called there."""
_UNREAD: Final = re.compile(
    r"toctree|index|auto\w+|(?:current)?module|py:(?:current)?module|highlight|meta|default-domain"
    r"|sectionauthor|codeauthor|tabularcolumns|literalinclude|graphviz|(?:di)?graph|uml|mermaid"
    r"|plantuml|todolist|todo|bibliography"
)
_TARGET: Final = re.compile(r"(?s)(.+?)\s*<[^<>]*>\Z")
_LONGEST: Final = 10_000
"""Characters of a line that docutils reads; where one is longer, it reads nothing."""
_SETTINGS: Final = {
    "file_insertion_enabled": False,
    "raw_enabled": False,
    "_disable_config": True,
    "report_level": 5,
    "halt_level": 5,
    "strip_comments": True,
    "syntax_highlight": "none",
    "sectsubtitle_xform": False,
    "toc_backlinks": False,
    "footnote_references": "superscript",
    "embed_stylesheet": False,
    "stylesheet_path": "",
    "line_length_limit": _LONGEST,
    "output_encoding": "unicode",
}
_REPLACED: Final = re.compile(r"^[ \t]*\.\. \|[^|\n]{1,100}\| replace::(.*(?:\n[ \t]+\S.*)*)", re.M)
_NESTED: Final = 20
"""Replacements that may be named in replacements: a few of many would make gigabytes."""
_FAILS: Final = (
    ApplicationError,
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    RuntimeError,  # a text that nests too deep among them
    StopIteration,
    TypeError,
    ValueError,
)
"""What docutils fails with on a text that nobody meant to be read by it."""


def read(text: str, limits: BodyLimits) -> ParsedDocument:
    """Return the document that the reStructuredText *text* holds.

    What docutils cannot make out is read as plain text.

    Raises:
        Unreadable: it is over the limits.
    """
    if _is_hostile(text):
        return plain.read(text, limits)
    docutils: Any = core  # of which not all is typed
    _know(_DIRECTIVE.findall(text), [one or other for one, other in _ROLE.findall(text)])
    try:
        tree = docutils.publish_doctree(text, settings_overrides=_SETTINGS)
        _simplify(tree)
        page = docutils.publish_from_doctree(tree, writer="html5", settings_overrides=_SETTINGS)
    except _FAILS:
        return plain.read(text, limits)
    return html.read(page, limits)


def _is_hostile(text: str) -> bool:
    """Tell whether docutils would read nothing of *text*, or without end."""
    nested = sum(found[1].count("|") // 2 for found in _REPLACED.finditer(text))
    return nested > _NESTED or any(len(line) > _LONGEST for line in text.splitlines())


def _know(named: Iterable[str], said: Iterable[str]) -> None:
    """Have docutils read the directives and roles of these names, with options it does not know."""
    for name in [*dict.fromkeys(named)][:_MOST]:
        directives.register_directive(name, _directive(name))
    for name in [*dict.fromkeys(said)][:_MOST]:
        # Those that docutils knows, too: a page may define any anew, and that holds for the next.
        roles.register_local_role(name.lower(), _text)


_KNOWN: Final = frozenset(en.directives) - {"code", "code-block", "sourcecode"}
"""Directives that docutils reads itself; of code it would ask for a name that it knows."""
_MOST: Final = 500
"""Names of directives, and of roles, of one document that are made known."""


@functools.lru_cache(maxsize=1_000)
def _directive(name: str) -> Any:
    """Return what reads the directive of this *name*."""
    if name not in _KNOWN:
        kinds = ((_UNREAD, _Unread), (_CODE, _Program), (_DESCRIBES, _Described))
        known = _Noted if name in _NOTES else _Read
        return next((kind for names, kind in kinds if names.fullmatch(name)), known)
    untyped: Any = directives
    given: Any = untyped.directive(name, en, None)[0]
    options = getattr(given, "option_spec", None)
    # An option too many would cost all that the directive says.
    return type(name, (given,), {"option_spec": _AnyOption(options)}) if options else given


class _AnyOption(dict[str, Callable[[str], str]]):
    """Options of whatever name; a mapping that is empty would mean that there are none."""

    def __bool__(self) -> bool:
        return True

    def __missing__(self, name: str) -> Callable[[str], str]:
        return directives.unchanged


class _Read(Directive):
    """A directive that docutils does not know: its argument over its content."""

    optional_arguments = 1
    final_argument_whitespace = True
    has_content = True
    option_spec: Any = _AnyOption()

    def run(self) -> Sequence[nodes.Node]:
        name = nodes.paragraph()
        name += self._inline(nodes.strong(), " ".join(self.arguments))
        return [*([name] if self.arguments else []), *self._content(nodes.container())]

    def _inline(self, node: nodes.Element, text: str) -> nodes.Element:
        said, _ = self.state.inline_text(text, self.lineno)
        node += said
        return node

    def _content(self, node: nodes.Element) -> Sequence[nodes.Node]:
        self.state.nested_parse(self.content, self.content_offset, node)
        return list(node.children)


class _Described(_Read):
    """A directive whose content is what its argument means."""

    def run(self) -> Sequence[nodes.Node]:
        entry = nodes.definition_list_item()
        for line in "\n".join(self.arguments).splitlines():
            entry += nodes.term("", line.strip())
        meaning = nodes.definition()
        meaning += self._content(nodes.container())
        entry += meaning
        return [nodes.definition_list("", entry)] if self.arguments else list(meaning.children)


class _Noted(_Read):
    """A directive whose content stands beside the text."""

    def run(self) -> Sequence[nodes.Node]:
        box = nodes.admonition(classes=["note"])
        begins, text = _NOTES[self.name], " ".join(self.arguments)
        if begins.endswith("version"):
            version, _, text = text.partition("\n" if "\n" in text else " ")
            begins += f" {version}"
        says_more = text or self.content
        box += self._inline(nodes.paragraph("", f"{begins}: " if says_more else f"{begins}."), text)
        box += self._content(nodes.container())
        return [box]


class _Program(_Read):
    """A directive whose content is code; what stands over it is its language, and a name."""

    def run(self) -> Sequence[nodes.Node]:
        name = " ".join(self.arguments).partition(" ")[2]
        over = [nodes.paragraph("", "", nodes.strong("", name))] if name else []
        code = "\n".join(self.content)
        return [*over, *([nodes.literal_block("", code)] if code else [])]


class _Unread(_Read):
    """A directive that nobody reads but a program."""

    def run(self) -> Sequence[nodes.Node]:
        return []


def _text(_name: str, source: str, said: str, *_where: Any) -> Any:
    """Return what a role says: "the fees" of ":ref:`the fees <fees>`"."""
    titled = _TARGET.match(said)
    return [nodes.inline(source, titled[1] if titled else said.lstrip("~!"))], []


_OF_PAGE: Final = frozenset({"orphan", "tocdepth", "nocomments", "nosearch", "no-search"})
"""Fields by which Sphinx is told what to do with a page."""


def _simplify(tree: Any) -> None:
    """Make of *tree* what is read as HTML: notes are paragraphs, and nothing leads to them."""
    for mark in list(tree.findall(nodes.footnote_reference)):
        mark.parent.remove(mark)
    for field in list(tree.findall(nodes.field)):
        if field[0].astext() in _OF_PAGE:
            field.parent.remove(field)
    for note in list(tree.findall(nodes.footnote)):
        note.replace_self([one for one in note.children if not isinstance(one, nodes.label)])
    for classifier in list(tree.findall(nodes.classifier)):
        entry = classifier.parent
        entry[0] += nodes.Text(f": {classifier.astext()}")
        entry.remove(classifier)
