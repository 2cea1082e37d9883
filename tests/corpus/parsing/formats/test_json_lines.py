"""Each line is a document of its own."""

from __future__ import annotations

import pytest

from service.corpus.parsing.formats import json_lines
from service.corpus.parsing.formats.json_lines import JsonDocument
from service.corpus.parsing.parsed_documents import Unreadable


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


@pytest.mark.parametrize("name", ["aclInfo", "acl_info"])
def test_a_line_says_who_may_read_its_document(name: str) -> None:
    readers = f'{{"id": "a", "text": "x", "{name}": {{"readers": [{{"idpWide": true}}]}}}}'
    line = json_lines.read_line(readers.encode(), 1)
    assert line.acl_info is not None
    assert line.acl_info.readers[0].idp_wide
    assert line.struct_data == {}


@pytest.mark.parametrize("given", ['"everybody"', '{"readers": ["ann"]}', '{"reader": []}'])
def test_readers_that_cannot_be_read_are_refused_and_not_left_out(given: str) -> None:
    """Left out, the document would be hidden from everybody, and nobody would know why."""
    with pytest.raises(Unreadable, match="aclInfo"):
        json_lines.read_line(f'{{"id": "a", "text": "x", "aclInfo": {given}}}'.encode(), 1)
