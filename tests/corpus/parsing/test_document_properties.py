"""What files say of their licence and their date is read wherever a format has a place for it."""

from __future__ import annotations

import io
import zipfile
from typing import Any

import docx
import pypdf
import pytest
from pypdf.generic import DecodedStreamObject, NameObject

from service.corpus.parsing import parsing
from tests.corpus.texts import pdf_of_pieces

BOTH = {"license": "https://x.example/by", "datePublished": "2024-05-03"}


def page(head: str, body: str = "") -> dict[str, str]:
    """Return what a page says of itself."""
    text = f"<html><head>{head}</head><body><p>Loans last four weeks.</p>{body}</body></html>"
    return dict(parsing.parse(text.encode(), filename="a.html").properties)


SAID = {
    "open graph": '<meta property="article:published_time" content="2024-05-03T10:00:00Z">'
    '<link rel="license" href="https://x.example/by">',
    "dublin core": '<meta name="DC.date.issued" content="2024-05-03">'
    '<meta name="dcterms.license" content="https://x.example/by">',
    "json-ld": '<script type="application/ld+json">{"@graph": [{"@type": "ImageObject", '
    '"license": "https://x.example/image"}, {"@type": ["FAQPage"], "datePublished": '
    '"2024-05-03", "license": {"url": "https://x.example/by"}}]}</script>',
}


@pytest.mark.parametrize("head", SAID.values(), ids=SAID)
def test_pages_say_it_in_many_ways(head: str) -> None:
    assert page(head) == BOTH


def test_a_page_says_it_by_the_marks_of_its_elements() -> None:
    time = '<time class="dt-published" datetime="2024-05-03">last May</time>'
    link = '<a rel="license noopener" href="https://x.example/by">CC BY</a>'
    assert page("", time + link) == BOTH


def test_nothing_is_made_up() -> None:
    """Licences of pictures, the time of an event, and when the page was changed are others."""
    assert not page(
        '<meta name="copyright" content="© 2024"><meta property="article:modified_time" '
        'content="2024-05-03"><script type="application/ld+json">{"@type": "Event", '
        '"datePublished": "2024"}</script><script type="application/ld+json">[[[</script>'
        '<script type="application/ld+json">{"@type": null, "@graph": 1}</script>',
        '<time datetime="2024-05-03">tomorrow</time><a rel="license" href="/a">A</a>'
        '<a rel="license" href="/b">B</a>',
    )


def test_front_matter_says_it() -> None:
    header = "title: Loans\nlicense: https://x.example/by\ndate: 2024-05-03 10:00:00 +0200"
    text = f"---\n{header}\n---\n\nFour weeks.\n"
    assert parsing.parse(text.encode(), filename="a.md").properties == BOTH


def pdf(info: dict[str, str], xmp: bytes) -> dict[str, str]:
    writer: Any = pypdf.PdfWriter(
        clone_from=io.BytesIO(pdf_of_pieces([(50, 700, 10, "Four weeks.")]))
    )
    writer.add_metadata(info)
    if xmp:
        stream = DecodedStreamObject()
        stream.set_data(xmp)
        writer.root_object[NameObject("/Metadata")] = writer._add_object(stream)
    written = io.BytesIO()
    writer.write(written)
    return dict(parsing.parse(written.getvalue(), filename="a.pdf").properties)


RDF = (
    '<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/">'
    '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" '
    'xmlns:prism="http://prismstandard.org/namespaces/basic/2.0/" '
    'xmlns:r="http://ns.adobe.com/xap/1.0/rights/"><rdf:Description rdf:about="" '
    'r:WebStatement="https://x.example/by"><prism:publicationDate><rdf:Seq><rdf:li>2024-05-03'
    "</rdf:li></rdf:Seq></prism:publicationDate></rdf:Description></rdf:RDF></x:xmpmeta>"
)


def test_a_pdf_says_it_in_fields_or_in_xmp() -> None:
    assert pdf({"/License": "https://x.example/by", "/Published": "D:20240503"}, b"") == BOTH
    assert pdf({}, RDF.encode()) == BOTH


def test_when_a_pdf_was_made_is_no_publication() -> None:
    assert not pdf({"/CreationDate": "D:20240503101500Z", "/ModDate": "D:20240504"}, b"")


@pytest.mark.parametrize(
    "xmp",
    [
        b"<broken",
        b'<!DOCTYPE a [<!ENTITY b "2024">]>' + RDF.encode(),
        RDF.encode("utf-16"),
        b" " * 2_000_000,
    ],
    ids=["broken", "entities", "hidden entities", "large"],
)
def test_xmp_that_is_broken_or_may_grow_says_nothing(xmp: bytes) -> None:
    assert not pdf({}, xmp)


def test_a_word_document_says_it_in_properties_of_its_author() -> None:
    document = docx.Document()
    document.add_paragraph("Four weeks.")
    plain = io.BytesIO()
    document.save(plain)
    properties = (
        '<Properties xmlns="http://schemas.openxmlformats.org/officeDocument/2006/custom-properties"'
        ' xmlns:vt="http://schemas.openxmlformats.org/officeDocument/2006/docPropsVTypes">'
        '<property name="License"><vt:lpwstr>https://x.example/by</vt:lpwstr></property>'
        '<property name="Date published"><vt:filetime>2024-05-03T00:00:00Z</vt:filetime></property>'
        "</Properties>"
    )
    relation = (
        '<Relationship Id="rId9" Target="docProps/custom.xml" Type="http://schemas.openxmlformats.org'
        '/officeDocument/2006/relationships/custom-properties"/></Relationships>'
    )
    kind = (
        '<Override PartName="/docProps/custom.xml" ContentType="application/vnd.openxmlformats-'
        'officedocument.custom-properties+xml"/></Types>'
    )
    written = io.BytesIO()
    with zipfile.ZipFile(plain) as before, zipfile.ZipFile(written, "w") as after:
        for name in before.namelist():
            text = before.read(name)
            if name == "_rels/.rels":
                text = text.replace(b"</Relationships>", relation.encode())
            if name == "[Content_Types].xml":
                text = text.replace(b"</Types>", kind.encode())
            after.writestr(name, text)
        after.writestr("docProps/custom.xml", properties)
    assert parsing.parse(plain.getvalue(), filename="a.docx").properties == {}
    assert parsing.parse(written.getvalue(), filename="a.docx").properties == BOTH
