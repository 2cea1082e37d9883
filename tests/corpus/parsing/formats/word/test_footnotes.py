"""What a footnote of Word says is read behind the paragraph that refers to it."""

from __future__ import annotations

from typing import Any, Final

import docx
import pytest
from docx.opc.packuri import PackURI
from docx.opc.part import Part
from docx.oxml.parser import parse_xml

from tests.corpus.parsing.formats.word.test_docx import saved

NAMES: Final = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
RELATED: Final = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


@pytest.mark.parametrize("name", ["footnote", "endnote"])
def test_a_note_is_read_once_behind_what_refers_to_it(name: str) -> None:
    document = docx.Document()
    said = "<w:p><w:r><w:t>It takes an hour.</w:t></w:r></w:p>"
    notes = f'<w:{name}s {NAMES}><w:{name} w:id="7">{said}</w:{name}></w:{name}s>'
    mime = f"application/vnd.openxmlformats-officedocument.wordprocessingml.{name}s+xml"
    part = Part(PackURI(f"/word/{name}s.xml"), mime, notes.encode(), document.part.package)
    document.part.relate_to(part, f"{RELATED}/{name}s")
    for text in ("Wait.", "Come early."):
        run: Any = document.add_paragraph(text).add_run()
        for number in (7, 8):
            run._r.append(parse_xml(f'<w:{name}Reference {NAMES} w:id="{number}"/>'))
    assert saved(document).body == "Wait.\n\nIt takes an hour.\n\nCome early."
