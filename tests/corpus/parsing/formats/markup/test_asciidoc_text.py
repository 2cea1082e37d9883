"""The signs of AsciiDoc within a line are no part of what it says."""

from __future__ import annotations

import pytest

from service.corpus.parsing.formats.markup import asciidoc_text


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "Run `hall` _today_, not a_b_c or 2 * 3.",
            "Run hall today, not a_b_c or 2 * 3.",
        ),
        ("*Step 1*: go, **s**o.", "<b>Step 1</b>: go, <b>s</b>o."),
        ("Set `+-1+` and +*plain*+ and `<b>`.", "Set -1 and *plain* and &lt;b&gt;."),
        ("Press kbd:[Ctrl+S].", "Press Ctrl+S."),
        ("Open menu:File[Save > As].", "Open File &gt; Save &gt; As."),
        ("See link:/fees/[the *fees*].", 'See <a href="to">the <b>fees</b></a>.'),
        ("See https://a.example/b now.", 'See <a href="to">https://a.example/b</a> now.'),
        ("See <<fees,our fees>>.", 'See <a href="to">our fees</a>.'),
        ("See xref:zones.adoc#the-north[].", 'See <a href="to">the north</a>.'),
        ('He said "`yes`"footnote:[In May.].', "He said “yes” (In May.)."),
        ("[[id]]A ((zone)) (((zone, north)))is [.red]#small#.", "A zone is small."),
        ("One +\ntwo", "One<br>two"),
        ("\\*not bold* and \\https://a.example", "*not bold* and https://a.example"),
    ],
)
def test_a_line_says_what_its_reader_sees(text: str, said: str) -> None:
    assert asciidoc_text.written(text) == said
