"""Write the text of AsciiDoc, with its signs and macros within a line, as HTML."""

from __future__ import annotations

import html
import re
from typing import Final

_DEPTH: Final = 6
"""Signs within signs that are read."""
_INLINE: Final = re.compile(
    r"\\(?P<escaped>[*_`#^~<\[{(]+|(?:https?|ftp|link|xref|kbd|btn|menu|image):)"
    r"|\+\+\+(?P<raw>.{1,500}?)\+\+\+"
    r"|(?<!\w)`\+(?P<literal>.{1,500}?)\+`(?!\w)"
    r"|``(?P<double>[^`].{0,500}?)``"
    r"|(?<![\w`\"'])`(?P<code>[^\s`](?:[^`]{0,500}[^\s`])?)`(?![\w`\"'])"
    r"|(?<![\w+])\+(?P<plus>[^\s+](?:[^+]{0,300}[^\s+])?)\+(?![\w+])"
    r"|(?<![\w/])(?P<macro>link|xref|mailto|kbd|btn|menu|image|icon|footnote|footnoteref|anchor|pass|"
    r"indexterm2?|stem|latexmath|asciimath|term):(?!:)(?P<target>[^\s\[\]]{0,500})"
    r"\[(?P<said>[^\]\\]{0,500}(?:\\.[^\]\\]{0,200}){0,5})\]"
    r"|(?P<url>(?:https?|ftp|irc|mailto):[^\s\[\]<>\"]{1,500})(?:\[(?P<named>[^\]]{0,500})\])?"
    r"|<<(?P<to>[^<>,\n]{1,300})(?:,(?P<shown>[^<>]{0,500}))?>>"
    r"|\[\[[^\[\]]{1,300}\]\]"
    r"|\(\(\([^()]{1,300}\)\)\)|\(\((?P<indexed>[^()]{1,300})\)\)"
    r"|(?:(?<!\w)\[[\w.#%-]{1,100}\])?(?:"
    r"(?P<sign>\*\*|__|##)(?P<within>[^\s*_#].{0,500}?)(?P=sign)"
    r"|(?<![\w*_#])(?P<mark>[*_#])(?P<marked>[^\s*_#](?:.{0,500}?[^\s])??)(?P=mark)(?!\w))"
    r"|\^(?P<raised>[^\s^]{1,100})\^|~(?P<lowered>[^\s~]{1,100})~"
    r"|(?P<quote>[\"'])`(?P<quoted>[^`]{1,500})`(?P=quote)"
    r"|[ \t]\+(?P<broken>\n|$)"
    r"|(?<= )--(?= )",
    re.S,
)
_QUOTES: Final = {'"': "“{}”", "'": "‘{}’"}
_IDENTIFIER: Final = re.compile(r"[-_]+")
_POSITIONAL: Final = re.compile(r"\s*\"([^\"]*)\"|([^,=]*)")
_WINDOW: Final = re.compile(r"\^$|,\s*(?:window|role|opts|id|title)=.*$", re.S)


def written(text: str, depth: int = 0) -> str:
    """Return the HTML of *text*, which may be several lines of one paragraph."""
    parts: list[str] = []
    end = 0
    for found in _INLINE.finditer(text):
        parts += [html.escape(text[end : found.start()], quote=False), _said(found, depth)]
        end = found.end()
    if not parts:
        return html.escape(text, quote=False)
    parts.append(html.escape(text[end:], quote=False))
    return "".join(parts)


def _said(found: re.Match[str], depth: int) -> str:
    """Return the HTML of what one sign or macro marks."""
    verbatim = next(filter(None, map(found.group, _VERBATIM)), None)
    if verbatim is not None:
        return html.escape(verbatim, quote=False)
    if found["macro"]:
        return _macro(found["macro"], found["target"], found["said"], depth)
    if found["url"]:
        said = _WINDOW.sub("", found["named"] or "")
        return _link(said, found["url"], depth)
    if found["to"]:
        return _link((found["shown"] or "").strip(), _titled(found["to"]), depth)
    if found["quoted"]:
        return _QUOTES[found["quote"]].format(_inner(found["quoted"], depth))
    if found["broken"] is not None:
        return "<br>"
    marked = next(filter(None, map(found.group, ("within", "marked", "indexed"))), "")
    if "*" in (found["sign"] or found["mark"] or ""):
        return f"<b>{_inner(marked, depth)}</b>"
    return _inner(marked, depth) if marked else "–" if found[0] == "--" else ""


_VERBATIM: Final = ("escaped", "raw", "literal", "double", "code", "plus", "raised", "lowered")


def _inner(text: str, depth: int) -> str:
    return written(text, depth + 1) if depth < _DEPTH else html.escape(text, quote=False)


def _link(shown: str, target: str, depth: int) -> str:
    """Return a link that is called *shown*, or else by its *target*."""
    # That it is a link tells what it stands for; where it leads is not read.
    said = _inner(shown, depth) if shown else html.escape(target, quote=False)
    return f'<a href="to">{said}</a>'


def _macro(name: str, target: str, said: str, depth: int) -> str:
    said = said.replace("\\]", "]")
    match name:
        case "link" | "xref" | "mailto":
            shown = _WINDOW.sub("", said.strip().strip('"'))
            return _link(shown, target if name != "xref" else _titled(target), depth)
        case "kbd" | "btn":
            return html.escape("+".join(filter(None, re.split(r"\s*[+,]\s*", said))) or said)
        case "menu":
            return html.escape(
                " > ".join([target, *re.split(r"\s*(?:>|,)\s*", said)] if said else [target])
            )
        case "image" | "icon":
            return f'<img src="{html.escape(target)}" alt="{html.escape(alternative(said))}">'
        case "footnote" | "footnoteref":
            return f" ({_inner(said, depth)})" if said else ""
        case "pass" | "stem" | "latexmath" | "asciimath" | "indexterm2" | "term":
            return html.escape(said, quote=False)
        case _:
            return ""


def alternative(attributes: str) -> str:
    """Return the text that stands for an image, the first of its *attributes*."""
    found = _POSITIONAL.match(attributes)
    text = (found[1] or found[2] or "") if found else ""
    return "" if "=" in attributes[len(text) : len(text) + 1] else text.strip()


def _titled(target: str) -> str:
    """Return the words of which the id of a section, or the name of a file, is made."""
    last = target.rsplit("#", 1)[-1] or target.split("#", 1)[0]
    name = last.rsplit("/", 1)[-1].removesuffix(".adoc")
    return _IDENTIFIER.sub(" ", name).strip()
