"""Files of every kind become the text that a person reads in them."""

from __future__ import annotations

import contextlib
import datetime as dt
import io
import time
import zipfile

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from service.corpus.parsing import chunking, document_sources, parsing, prepared_documents
from service.corpus.parsing.formats import json_lines
from service.corpus.parsing.formats.json_lines import JsonDocument
from service.corpus.parsing.parsed_documents import BlockKind, BodyLimits, Unreadable
from sessions.resources.documents import Document
from tests.corpus import hostile
from tests.corpus.texts import STORE, blocks, pdf_file, word_file

MARKDOWN = """---
title: "Parking permits"
lang: en
---
{% include alert.html type="info" %}
See [the map]({{ site.baseurl }}/map) or `{{ keep }}` it.{:class="x"}
![Map of the zones](map.png) ![](no-name.png)

{: .number-list}
1. Choose a *zone*.
2. Pay:
   - by card
   - in cash

| Zone | Fee |
|------|-----|
| North | 30 € |

<div class="accordion"><h2>Visitors</h2><p>A day costs <b>2 €</b>.<script>x()</script></p></div>

```sh
permit --zone  north
```
"""

HTML = """<!doctype html><html lang="fr"><head><title>Permis</title><style>p{}</style></head><body>
<nav><ul><li><a href="/">Accueil</a></ul></nav>
<div class="menu">Menu</div>
<main><h1>Permis de
stationner</h1><p>Un <b>permis</b>&nbsp;par foyer.<br>Gratuit.</p>
<ol><li>Choisir<li>Payer</ol>
<table><tr><th>Zone<th>Prix</tr><tr><td>Nord<td>30 €</tr></table>
<pre>a
  b</pre><button>Plus</button></main>
<footer>Mentions</footer><script>alert(1)</script></body></html>"""


def test_markdown_keeps_what_is_read_and_drops_what_drives_the_page() -> None:
    parsed = parsing.parse(MARKDOWN.encode(), filename="a/permits.md")
    assert (parsed.title, parsed.language, parsed.mime) == (
        "Parking permits",
        "en",
        "text/markdown",
    )
    assert blocks(parsed) == [
        (BlockKind.TEXT, "See the map or {{ keep }} it. Map of the zones"),
        (BlockKind.ITEM, "1. Choose a zone."),
        (BlockKind.ITEM, "2. Pay:"),
        (BlockKind.ITEM, "- by card"),
        (BlockKind.ITEM, "- in cash"),
        (BlockKind.ROW, "Zone: North | Fee: 30 €"),
        (BlockKind.HEADING, "Visitors"),
        (BlockKind.TEXT, "A day costs 2 €."),
        (BlockKind.CODE, "permit --zone  north"),
    ]


def test_html_keeps_the_page_and_drops_what_surrounds_it() -> None:
    parsed = parsing.parse(HTML.encode(), filename="permis.html")
    assert (parsed.title, parsed.language) == ("Permis", "fr")
    assert blocks(parsed) == [
        (BlockKind.HEADING, "Permis de stationner"),
        (BlockKind.TEXT, "Un permis par foyer.\nGratuit."),
        (BlockKind.ITEM, "1. Choisir"),
        (BlockKind.ITEM, "2. Payer"),
        (BlockKind.ROW, "Zone: Nord | Prix: 30 €"),
        (BlockKind.CODE, "a\n  b"),
    ]


def test_html_is_read_however_deep_but_not_for_ever() -> None:
    def nested(depth: int) -> bytes:
        return b"<div>" * depth + b"deep" + b"</div>" * depth

    assert parsing.parse(nested(1_500), mime="text/html").body == "deep"
    for mime in ("text/html", "text/markdown"):
        with pytest.raises(Unreadable) as refused:
            parsing.parse(nested(100_000), mime=mime)
        assert refused.value.reason == "TOO_DEEP"


def seconds(text: str, mime: str) -> float:
    """Return what it takes to read and cut *text*."""
    started = time.process_time()
    with contextlib.suppress(Unreadable):
        chunking.chunk(parsing.parse(text.encode(), mime=mime))
    return time.process_time() - started


@pytest.mark.parametrize(
    ("text", "times"),
    [
        ("<!--", 2_500),
        ("![", 1_250),
        (" ".join("`" * (n % 300 + 1) for n in range(250)), 1),
        ("{%", 10_000),
        ("<b></x>", 4_000),
        ("a\n", 5_000),
    ],
    ids=["marks", "brackets", "ticks", "tags", "elements", "lines"],
)
@pytest.mark.parametrize("mime", ["text/plain", "text/markdown", "text/html"])
def test_no_text_takes_longer_than_its_length_explains(text: str, times: int, mime: str) -> None:
    """Four times the text takes about four times as long; where it took sixteen, it never ends."""
    quarter = seconds(text * times, mime)
    assert seconds(text * times * 4, mime) < 8 * quarter + 0.5


def test_a_table_of_word_is_not_larger_than_it_is() -> None:
    """What it claims of columns is not believed, and a cell of many rows is not looked for."""
    started = time.process_time()
    wide = parsing.parse(hostile.spanned(200_000_000), filename="w.docx")
    tall = parsing.parse(hostile.merged(2_000), filename="t.docx")
    assert time.process_time() - started < 3
    assert wide.body == "x"
    assert [text for _, text in blocks(tall)] == ["x: x | x: x"] * 2_000


def test_plain_text_is_kept_to_the_letter_and_its_headings_are_found() -> None:
    text = (
        "\r\nWho may have one? \nEveryone who lives here, and everyone who works here.\n\n"
        "- a card\n- a photo\n\nFEES\n\n2.1 By post\n\nSend it.\n\nPay\n===\nNow\u00a0or later."
    )
    parsed = parsing.parse(text.encode(), mime="text/plain; charset=utf-8")
    assert parsed.body == text
    headings = [part for kind, part in blocks(parsed) if kind is BlockKind.HEADING]
    assert headings == ["Who may have one?", "FEES", "2.1 By post", "Pay"]
    assert [part for kind, part in blocks(parsed) if kind is BlockKind.ITEM] == [
        "- a card",
        "- a photo",
    ]
    assert parsed.title == "Who may have one?"


def test_a_pdf_keeps_pages_headings_and_whole_words() -> None:
    foot = (8, "City of Example, page 1")
    parsed = parsing.parse(
        pdf_file(
            [
                (20, "Permits"),
                (10, "Everyone who lives in the city may have a park-"),
                (10, "ing permit."),
                foot,
            ],
            [(14, "Fees"), (10, "Each permit costs thirty euro for one year."), foot],
            [(10, "Nothing else is needed for it at all."), foot],
        )
    )
    assert blocks(parsed) == [
        (BlockKind.HEADING, "Permits"),
        (BlockKind.TEXT, "Everyone who lives in the city may have a parking permit."),
        (BlockKind.HEADING, "Fees"),
        (BlockKind.TEXT, "Each permit costs thirty euro for one year."),
        (BlockKind.TEXT, "Nothing else is needed for it at all."),
    ]
    assert [block.page for block in parsed.blocks] == [1, 1, 2, 2, 3]
    assert [block.level for block in parsed.blocks] == [1, 0, 2, 0, 0]


def test_a_word_document_keeps_headings_lists_and_tables() -> None:
    parsed = parsing.parse(word_file(), filename="permits.docx")
    assert parsed.title == "Parking permits"
    assert blocks(parsed) == [
        (BlockKind.HEADING, "Parking permits"),
        (BlockKind.TEXT, "Everyone who lives here may have one."),
        (BlockKind.HEADING, "Fees"),
        (BlockKind.ITEM, "- Pay once a year."),
        (BlockKind.ROW, "Zone: North | Fee: 30 €"),
    ]


@pytest.mark.parametrize(
    ("data", "text"),
    [
        ("Grüße".encode(), "Grüße"),
        (b"\xef\xbb\xbf" + "Grüße".encode(), "Grüße"),
        ("Grüße".encode("utf-16"), "Grüße"),
        ("Grüße €".encode("cp1252"), "Grüße €"),
    ],
)
def test_text_is_read_in_the_encodings_that_are_met(data: bytes, text: str) -> None:
    assert parsing.parse(data, mime="text/plain").body == text


@pytest.mark.parametrize(
    ("data", "filename", "reason"),
    [
        (b"%PDF-1.4 no more", "a.pdf", "BROKEN_FILE"),
        (b"", "a.pdf", "BROKEN_FILE"),
        (pdf_file([]), "a.pdf", "NO_TEXT"),
        (b"no archive", "a.docx", "BROKEN_FILE"),
        (word_file()[:-200], "a.docx", "BROKEN_FILE"),
        (b"[1]", "a.json", "INVALID_JSON"),
        (b"\x00\x01", "a.bin", "UNSUPPORTED_FORMAT"),
    ],
)
def test_a_bad_file_gives_a_reason(data: bytes, filename: str, reason: str) -> None:
    with pytest.raises(Unreadable) as refused:
        parsing.parse(data, filename=filename)
    assert refused.value.reason == reason


def test_an_archive_that_expands_without_measure_is_not_expanded() -> None:
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("word/document.xml", b" " * 3_000_000)
    with pytest.raises(Unreadable, match="expand"):
        parsing.parse(
            written.getvalue(), filename="a.docx", limits=BodyLimits(expanded_bytes=2_000_000)
        )


def test_a_body_over_its_limit_is_refused() -> None:
    limits = BodyLimits(characters=1000)
    for mime in ("text/plain", "text/markdown", "text/html"):
        with pytest.raises(Unreadable) as refused:
            parsing.parse(b"word word\n\n" * 1000, mime=mime, limits=limits)
        assert refused.value.reason == "TOO_LARGE"


def test_each_json_line_is_a_document_in_any_usual_shape() -> None:
    lines = b"""{"id": "a", "structData": {"title": "A", "body": "One.", "n": 1}}
{"doc_id": "b/1", "portal": "p", "title": "B", "mime": "text/markdown", "text": "# B\\u00e9"}
not json

{"id": 7, "content": {"mimeType": "text/html", "rawBytes": "PHA+SGk8L3A+"}, "url": "https://x"}
{"id": "c", "jsonData": "{\\"content\\": \\"Two.\\", \\"uri\\": \\"u\\"}"}
[]"""
    records: list[JsonDocument] = []
    refused: list[str] = []
    for number, line in enumerate(lines.splitlines(), start=1):
        if not line:
            continue
        try:
            records.append(json_lines.read_line(line, number))
        except Unreadable as exc:
            refused.append(str(exc))
    assert [(r.id, r.title, r.uri, r.mime, r.data.decode()) for r in records] == [
        ("a", "A", "", "text/plain", "One."),
        ("b/1", "B", "", "text/markdown", "# Bé"),
        ("7", "", "https://x", "text/html", "<p>Hi</p>"),
        ("c", "", "u", "text/plain", "Two."),
    ]
    assert [r.struct_data.get("portal") for r in records] == [None, "p", None, None]
    assert [text.split(":")[0] for text in refused] == ["line 3", "line 7"]


def test_a_damaged_word_file_is_refused_wherever_the_damage_is() -> None:
    """Its readers raise what they like, of zlib and zipfile; an import must go on after it."""
    whole = word_file()
    for at in range(30, len(whole), 101):
        damaged = whole[:at] + bytes([whole[at] ^ 0xFF]) + whole[at + 1 :]
        with contextlib.suppress(Unreadable):
            parsing.parse(damaged, filename="f.docx")


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ('{"a":' * 100_000, "INVALID_JSON"),
        ('{"a":' + "[" * 100 + "]" * 100 + "}", "TOO_LARGE"),
        ('{"a": [' + "[]," * 200_000 + "1]}", "TOO_LARGE"),
    ],
    ids=["endless", "deep", "many"],
)
def test_fields_that_no_request_may_have_are_refused(fields: str, reason: str) -> None:
    """Each replica holds the fields of all documents, decoded."""
    source = document_sources.of_document(Document(id="d", json_data=fields))
    with pytest.raises(Unreadable) as refused:
        prepared_documents.prepare(source, STORE, now=dt.datetime.now(dt.UTC))
    assert refused.value.reason == reason


def test_what_is_stored_of_a_text_is_bounded() -> None:
    """A small file may make a large text: each chunk repeats the headings above it."""
    data = b"# " + b"h " * 1_000 + b"\n\n" + b"Some words and more of them.\n\n" * 1_000
    source = document_sources.DocumentSource(id="d", data=data, filename="d.md")
    now = dt.datetime.now(dt.UTC)
    assert prepared_documents.prepare(source, STORE, now=now).content
    with pytest.raises(Unreadable) as refused:
        prepared_documents.prepare(source, STORE, now=now, limits=BodyLimits(chunk_bytes=50_000))
    assert refused.value.reason == "TOO_LARGE"


@settings(deadline=None)
@given(st.binary(max_size=300), st.sampled_from([".md", ".html", ".txt", ".pdf", ".docx", ".json"]))
def test_any_bytes_are_read_or_refused(data: bytes, suffix: str) -> None:
    try:
        parsed = parsing.parse(data, filename=f"f{suffix}")
    except Unreadable:
        return
    end = 0
    for block in parsed.blocks:
        assert end <= block.start < block.end <= len(parsed.body)
        end = block.end
