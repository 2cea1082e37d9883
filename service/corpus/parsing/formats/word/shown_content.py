"""Leave of a Word document what its pages show, where python-docx looks for it.

python-docx sees the paragraphs and tables that the body itself holds, and of a paragraph the runs
and links that it itself holds. Word wraps them: in content controls, insertions that nobody has
accepted yet, fields and tags (ECMA-376 part 1: 17.5, 17.13.5, 17.16.19).
"""

from __future__ import annotations

from typing import Any, Final

from docx.oxml.ns import qn

_WRAPPINGS: Final = tuple(
    qn(f"w:{name}")
    for name in ("sdt", "sdtContent", "ins", "moveTo", "smartTag", "customXml", "fldSimple")
)
_NOT_SHOWN: Final = tuple(
    qn(f"w:{name}")
    for name in ("del", "moveFrom", "sdtPr", "sdtEndPr", "smartTagPr", "customXmlPr", "rt")
)
"""The last one is how the word under it is pronounced."""
_TABLE_OF_CONTENTS: Final = "Table of Contents"
_GALLERY: Final = f"{qn('w:sdtPr')}/{qn('w:docPartObj')}/{qn('w:docPartGallery')}"
_VALUE: Final = qn("w:val")
_OFF: Final = frozenset({"0", "false", "off"})
_SIGNS: Final = {
    "Wingdings": {
        0xDF: "←",
        0xE0: "→",
        0xE1: "↑",
        0xE2: "↓",
        0xE8: "→",
        0xF0: "→",
        0xFB: "✗",
        0xFC: "✓",
        0xFD: "☒",
        0xFE: "☑",
    },
    "Symbol": {0xA3: "≤", 0xAE: "→", 0xB0: "°", 0xB1: "±", 0xB3: "≥", 0xB4: "×", 0xB7: "•"},
}
"""Characters of fonts of signs: Word writes the first one for ``-->``."""


def unwrap(body: Any) -> None:
    """Change *body*, the body's element, so that it holds itself what its pages show, no more.

    A table of contents goes as well.
    """
    for control in [*body.iter(qn("w:sdt"))]:
        gallery = control.find(_GALLERY)
        if gallery is not None and gallery.get(_VALUE) == _TABLE_OF_CONTENTS:
            control.getparent().remove(control)
    for mark in [*body.iter(qn("w:vanish"))]:
        run = mark.getparent().getparent()
        if run.tag == qn("w:r") and mark.get(_VALUE) not in _OFF:
            run.getparent().remove(run)
    for each in [*body.iter(*_NOT_SHOWN)]:
        each.getparent().remove(each)
    for wrapping in [*body.iter(*_WRAPPINGS)]:
        for each in _content(wrapping):
            wrapping.addprevious(each)
        wrapping.getparent().remove(wrapping)
    for each in [*body.iter(qn("w:sym"), qn("w:ruby"))]:
        _replace(each)


def _content(wrapping: Any) -> list[Any]:
    """Return what *wrapping* and the wrappings in it hold: moved once, however deep it is."""
    content: list[Any] = []
    waiting = [wrapping]
    while waiting:
        each = waiting.pop()
        if each.tag in _WRAPPINGS:
            waiting += reversed(each)
        else:
            content.append(each)
    return content


def _replace(element: Any) -> None:
    """Put plain text in the place of a sign, or of a word with its pronunciation."""
    text = element.makeelement(qn("w:t"))
    if element.tag == qn("w:ruby"):
        text.text = "".join(one.text or "" for one in element.iter(qn("w:t")))
    else:
        text.text = _sign(element.get(qn("w:font")) or "", element.get(qn("w:char")) or "")
    element.getparent().replace(element, text)


def _sign(font: str, code: str) -> str:
    """Return the character with the hexadecimal *code* in *font*, "" where it is not known."""
    try:
        number = int(code, 16)
    except ValueError:
        return ""
    # Fonts of signs lie in the private use area from U+F000 on: ECMA-376 part 1, 17.3.3.30.
    if font in _SIGNS:
        return _SIGNS[font].get(number & 0xFF, "")
    return chr(number) if 0x20 <= number < 0xD800 else ""
