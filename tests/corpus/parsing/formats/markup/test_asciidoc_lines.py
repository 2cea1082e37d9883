"""What AsciiDoc does before it reads is done: attributes, conditions, comments, includes."""

from __future__ import annotations

import pytest

from service.corpus.parsing.formats.markup import asciidoc_lines


def resolved(text: str) -> str:
    return "\n".join(asciidoc_lines.resolved(text))


@pytest.mark.parametrize(
    ("text", "read"),
    [
        (":town: Oslo\nIn {town}, {other}, \\{town}.", "In Oslo, {other}, {town}."),
        (":long: one \\\ntwo\n{long}", "one two"),
        (":town: Oslo\n:!town:\n{town}", "{town}"),
        ("a\nifdef::cloud[]\nb\nendif::[]\nc", "a\nc"),
        ("a\nifndef::cloud[]\nb\nendif::cloud[]\nc", "a\nb\nc"),
        (":cloud:\nifdef::cloud[b]\nifndef::cloud[c]", "b"),
        (':os: mac\nifeval::["{os}" == "mac"]\nb\nendif::[]', "b"),
        ('ifeval::["{os}" == "mac"]\nb\nendif::[]\nc', "c"),
        ("a\n// no\n////\nno\n////\nb", "a\nb"),
        ("a\ninclude::other.adoc[leveloffset=+1]\nb", "a\nb"),
        ("----\n// kept\n:a: kept {a}\n----", "----\n// kept\n:a: kept {a}\n----"),
    ],
)
def test_only_what_is_read_is_left(text: str, read: str) -> None:
    assert resolved(text) == read


def test_values_of_values_grow_to_no_end() -> None:
    values = "\n".join(f":a{n}: " + f"{{a{n - 1}}}" * 10 for n in range(1, 30))
    text = f":a0: {'x' * 1_000}\n{values}\n" + "{a29}" * 100_000
    assert len(resolved(text)) < 4_000_000
