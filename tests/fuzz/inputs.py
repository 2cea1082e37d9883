"""Make hostile inputs: texts of tokens that mean something somewhere, and spoilt files."""

from __future__ import annotations

import functools
import io
import random
import zipfile
from typing import Final

import msgspec

from tests.corpus import texts

SPACES: Final = "\t \u0085\u00a0\u1680\u2003\u2028\u2029\u202f\u3000\u200b\ufeff\x0b\x1c"
PLAIN: Final = (
    *SPACES,
    *("A", "a", "é", "İ", "ß", "日本", "ไทย", "한국", "\U0001f600", "e\u0301", "\u202e", "\x00"),
    *(".", "!", "?", "。", "…", "...", ",", ":", "'", '"', "“", "”", "«", "»", "(", ")", "[", "]"),
    *("\n", "\r\n", "\n\n", "\n\r\n", "Dr.", "U.S.", "e.g.", "1,000", "40", "a@b.c", "not", "Aa. "),
)
MARKUP: Final = (
    *PLAIN,
    *("<b>", "</b>", "<table>", "<td>", "</x>", "<script>", "<!--", "-->", "&amp;", "&#x0;", "<p"),
    *(
        "# ",
        "- ",
        "1. ",
        "> ",
        "```",
        "`",
        "|",
        "---",
        "[a](b)",
        "![",
        "{%",
        "%}",
        "{{",
        "**",
        "~~",
    ),
)
PERSONAL: Final = (
    *PLAIN,
    *("ann@example.org", "4111 1111 1111 1111", "DE89 3704 0044 0532 0130 00", "+49 30 1234567"),
    *("@", "%40", "\uff20", "+", "-", "/", "0", "1", "4111", "DE89", "\u0664", "\uff11", "\u00ad"),
    *("phone ", "order ", "555-234-5678", "(030) 123456"),
)
RST: Final = b"""\
=====
Boats
=====

.. |no| replace:: *none* at :ref:`all <x>`
.. role:: mark(strong)

Lent, see [1]_ and `the list <https://a.example>`_, |no|, :mark:`x`, :math:`a^2`::

   hall --open

+------+-----+
| Zone | Fee |
+======+=====+
| N    | 3   |
+------+-----+

.. list-table:: Fees
   :header-rows: 1

   * - Zone
     - Fee
   * - N
     - 3

Berth : noun
  A place.

#. One

   .. option:: --day DAY

      A day.

.. math:: \\frac{a}{b}

.. [1] A note.
"""
ASCIIDOC: Final = b"""\
= Boats
:fee: 3

NOTE: Ask for {fee}.

. One
+
[source,sh]
----
hall --open
----
.. Two

Berth:: A place.

|===
|Zone |Fee

|N |3
|===

====
* [x] a<<b,c>> footnote:[d]
====
"""


def text(rng: random.Random, tokens: tuple[str, ...] = PLAIN, most: int = 40) -> str:
    """Return *tokens* in no order; now and then one of them many times."""
    made = [rng.choice(tokens) for _ in range(rng.randint(1, most))]
    if rng.random() < 0.1:
        made[rng.randrange(len(made))] *= rng.choice((10, 100, 1000))
    return "".join(made)


def spoilt(rng: random.Random, whole: bytes) -> bytes:
    """Return *whole* with some bytes changed, left out, repeated or cut off."""
    data = bytearray(whole)
    for _ in range(rng.choice((1, 2, 4, 16, 64))):
        at, size = rng.randrange(len(data) + 1), rng.choice((1, 1, 2, 8, 64))
        match rng.randrange(5):
            case 0:
                data[at : at + size] = rng.randbytes(len(data[at : at + size]))
            case 1:
                del data[at : at + size]
            case 2:
                data[at:at] = data[at : at + size] * rng.choice((1, 2, 50))
            case 3:
                data[at:at] = rng.choice((b"\x00", b"\xff", b"<<", b">>", b"0 R", b"<w:p>", b"-1"))
            case _:
                del data[rng.choice((at, len(data))) :]
    return bytes(data)


def json_line(rng: random.Random) -> bytes:
    """Return a line of JSON that describes a document, spoilt or not."""
    keys = ("id", "title", "content", "jsonData", "structData", "uri", "text", text(rng, most=3))
    value = {rng.choice(keys): _value(rng) for _ in range(rng.randint(1, 6))}
    line = msgspec.json.encode(value)
    return spoilt(rng, line) if rng.random() < 0.5 else line


def _value(rng: random.Random) -> object:
    values = list[object](("", None, 1e300, -1, True, [[[0]]], {"a": {"b": text(rng, most=3)}}))
    values += [text(rng), text(rng), msgspec.json.encode({"text": text(rng)}).decode()]
    return rng.choice(values)


def spoilt_word(rng: random.Random) -> bytes:
    """Return a Word document with spoilt text inside, or spoilt as a whole."""
    if rng.random() < 0.3:
        return spoilt(rng, word())
    written = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(word())) as good, zipfile.ZipFile(written, "w") as made:
        for name in good.namelist():
            inner = good.read(name)
            if name == "word/document.xml" or (name.endswith(".xml") and rng.random() < 0.1):
                inner = spoilt(rng, inner)
            made.writestr(name, inner)
    return written.getvalue()


@functools.cache
def pdf() -> bytes:
    """Return a good PDF."""
    return texts.pdf_file([(18, "Parking"), (10, "A permit costs 40 euro.")], [(10, "More. Yes.")])


@functools.cache
def word() -> bytes:
    """Return a good Word document."""
    return texts.word_file()
