"""Read what a file says of itself beside its text: its licence, and when it was published."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, cast
from xml.etree import ElementTree

import msgspec
from selectolax.lexbor import LexborHTMLParser

from service.corpus import publication

_SCRIPTS: Final = 5
_SCRIPT: Final = 64 * 1024
"""Characters of a script of JSON-LD that are read."""
_XML: Final = 1024 * 1024
"""Bytes of the properties of a file that are read."""
_WORKS: Final = ("Article", "Page", "Posting", "Report", "Work", "Document", "Dataset", "Book")
"""So end the types of schema.org that stand for the page, and not for an image or event in it."""
_TIMES: Final = (
    "time[itemprop~=datePublished], time[pubdate], time.dt-published, time.entry-date.published"
)
_XMP_NAMES: Final = {
    "{http://creativecommons.org/ns#}license": "license",
    "{http://purl.org/dc/terms/}license": "license",
    "{http://ns.adobe.com/xap/1.0/rights/}WebStatement": "license",
    "{http://purl.org/dc/terms/}issued": "issued",
    "{http://prismstandard.org/namespaces/basic/2.0/}publicationDate": "publicationDate",
}
_CUSTOM: Final = "/docProps/custom.xml"


def of_page(tree: LexborHTMLParser) -> dict[str, str]:
    """Return what an HTML page says in its head, by the marks of its links, and as JSON-LD."""
    said = dict[str, object]()
    for tag in tree.css("meta[content]"):
        attributes = tag.attributes
        name = attributes.get("property") or attributes.get("name") or attributes.get("itemprop")
        said.setdefault(name or "", attributes.get("content") or "")
    for linked in _linked_data(tree):
        _fill(said, linked)
    if time := tree.css_first(_TIMES):
        _fill(said, {"datePublished": time.attributes.get("datetime") or time.text()})
    # Several licences are those of parts: of none of them it is known that it is that of the page.
    links = {
        _address(tag.attributes.get("href")) or tag.text(strip=True) for tag in _licenses(tree)
    }
    if len(links) == 1:
        _fill(said, {"license": links.pop()})
    return publication.statements(said)


def of_pdf(reader: Any) -> dict[str, str]:  # of pypdf, which nobody imports to read other formats
    """Return what a PDF says in fields of its author and in XMP; when it was made says nothing.

    Raises:
        PyPdfError, ValueError, KeyError, TypeError, AttributeError: the file is damaged.
    """
    info = cast("Mapping[str, object]", reader.metadata or {})
    said: dict[str, object] = {name.lstrip("/"): str(value) for name, value in info.items()}
    stream = reader.root_object.get("/Metadata")
    data = stream.get_object().get_data() if stream is not None else b""
    for element in _elements(data):
        named = {element.tag: "".join(element.itertext()), **element.attrib}
        _fill(said, {_XMP_NAMES[name]: named[name].strip() for name in named if name in _XMP_NAMES})
    return publication.statements(said)


def of_word(document: Any) -> dict[str, str]:  # of python-docx, likewise
    """Return what a Word document says in the properties that its author named."""
    said = dict[str, object]()
    package = document.part.package
    for part in package.iter_parts():
        if str(part.partname) == _CUSTOM:
            for element in _elements(part.blob):
                if name := element.get("name"):
                    said.setdefault(name, "".join(element.itertext()))
    return publication.statements(said)


def _fill(said: dict[str, object], more: Mapping[str, object]) -> None:
    """Add *more* where what was *said* is silent."""
    said.update(publication.joined(said, publication.statements(more)))


def _licenses(tree: LexborHTMLParser) -> Sequence[Any]:
    return tree.css("link[rel~=license], a[rel~=license]")


def _address(href: str | None) -> str:
    """Return *href* where it can be followed from elsewhere, else ""."""
    if href and href.startswith("//"):
        return f"https:{href}"
    return href if href and href.startswith(("https://", "http://")) else ""


def _linked_data(tree: LexborHTMLParser) -> Iterator[dict[str, object]]:
    """Yield the works that the JSON-LD of a page describes."""
    for script in tree.css('script[type="application/ld+json"]')[:_SCRIPTS]:
        text = script.text()
        if len(text) > _SCRIPT:
            continue
        try:
            decoded: object = msgspec.json.decode(text)
        except (msgspec.MsgspecError, RecursionError):
            continue
        for one in _objects(decoded):
            for described in (one, *_objects(one.get("@graph"))):
                if any(str(kind).endswith(_WORKS) for kind in _list(described.get("@type"))):
                    yield described


def _objects(value: object) -> list[dict[str, object]]:
    return [cast("dict[str, object]", one) for one in _list(value) if isinstance(one, dict)]


def _list(value: object) -> list[object]:
    return cast("list[object]", value) if isinstance(value, list) else [value]


def _elements(data: bytes) -> Iterator[ElementTree.Element]:
    """Yield the elements of XML in their order; none where it is broken or may grow."""
    # Without declarations there are no entities; a zero byte means an encoding that hides them.
    if not data or len(data) > _XML or b"<!" in data or b"\0" in data:
        return
    with contextlib.suppress(ElementTree.ParseError, ValueError):
        yield from ElementTree.fromstring(data).iter()  # noqa: S314 - there are no entities
