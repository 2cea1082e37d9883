"""What the citation builder makes of growing text."""

from __future__ import annotations

import itertools
import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.answering.proof.citations import CitationBuilder
from service.generation.generator import Piece
from sessions.resources import answers

Cited = list[tuple[str, tuple[str, ...]]]


def build(pieces: list[Piece], sources: int = 3, *, inline: bool = True) -> tuple[str, Cited]:
    """Return the text and what is cited of it, after checking the laws of every list."""
    builder = CitationBuilder(range(sources), marks_inline=inline)
    text, citations = "", list[answers.Citation]()
    for delta, new in [*(builder.feed(piece) for piece in pieces), builder.finish()]:
        text += delta
        citations += new
        assert all(int(one.end_index) <= len(text.encode()) for one in new)
    return text, resolve(text, citations, sources)


def resolve(text: str, citations: list[answers.Citation], sources: int) -> Cited:
    """Return the cited segments as text, held to what `guide/citations.md` promises."""
    data, last, cited = text.encode(), 0, Cited()
    for one in citations:
        start, end = int(one.start_index), int(one.end_index)
        segment = data[start:end].decode()
        ids = tuple(source.reference_id for source in one.sources)
        assert last <= start < end <= len(data)
        assert segment == segment.strip()
        assert not data[end:].decode()[:1].strip()
        assert ids
        assert len(set(ids)) == len(ids)
        assert all(int(i) < sources for i in ids)
        cited.append((segment, ids))
        last = end
    return cited


def inline(text: str) -> tuple[str, Cited]:
    """Build from one piece with markers."""
    return build([Piece(text)])


def test_a_marker_before_the_full_stop_cites_its_sentence() -> None:
    assert inline("The fee is $50 [1]. It is due.") == (
        "The fee is $50. It is due.",
        [("The fee is $50.", ("0",))],
    )


def test_a_marker_after_the_full_stop_cites_the_sentence_before_it() -> None:
    assert inline("It is $50. [1] Pay it.[2]") == (
        "It is $50. Pay it.",
        [("It is $50.", ("0",)), ("Pay it.", ("1",))],
    )


def test_all_markers_of_a_sentence_become_one_citation() -> None:
    text, cited = inline("One [2], two [1, 2] and three [3][1].")
    assert text == "One, two and three."
    assert cited == [("One, two and three.", ("1", "0", "2"))]


def test_offsets_count_bytes() -> None:
    builder = CitationBuilder([0], marks_inline=True)
    builder.feed(Piece("É azul. Fim [1]."))
    citation = builder.finish()[1][0]
    assert (citation.start_index, citation.end_index) == ("9", "13")


def test_a_number_out_of_range_is_dropped_with_its_marker() -> None:
    assert inline("Known [9]. Seen [1, 9].") == ("Known. Seen.", [("Seen.", ("0",))])


@pytest.mark.parametrize("text", ["in [2024] we", "a [x] b", "- [ ] open", "[0]", "x [", "[1"])
def test_what_is_no_marker_stays(text: str) -> None:
    assert inline(text) == (text, [])


@pytest.mark.parametrize("text", ["Write `a[1]` here.", "```\na[1]\n```\nand", "x ```` [1] b"])
def test_code_keeps_its_brackets(text: str) -> None:
    assert inline(text) == (text, [])


def test_abbreviations_and_list_numbers_end_no_sentence() -> None:
    text, cited = inline("1. Ask Dr. Smith, e.g. Today at 9 a.m. Monday [1].\n2. Go [2].")
    assert cited == [(text.split("\n")[0], ("0",)), ("2. Go.", ("1",))]


def test_white_space_follows_a_cited_sentence_where_the_script_writes_none() -> None:
    assert inline("句一。[1]句二[2]。句三。") == (
        "句一。 句二。 句三。",
        [("句一。", ("0",)), ("句二。", ("1",))],
    )


def test_sources_of_one_reference_are_one_citation_source() -> None:
    """Two passages of one document are one reference in DOCUMENTS mode."""
    builder = CitationBuilder([0, 0, 1], marks_inline=True)
    builder.feed(Piece("Fact [1][2]."))
    assert builder.finish()[1][0].sources == (answers.CitationSource(reference_id="0"),)


def test_a_piece_with_sources_ends_a_sentence() -> None:
    pieces = [Piece("Fees "), Piece("are $5.", (1,)), Piece("\nPay"), Piece(" at no. 5.", (0, 2))]
    assert build(pieces, inline=False) == (
        "Fees are $5.\nPay at no. 5.",
        [("Fees are $5.", ("1",)), ("Pay at no. 5.", ("0", "2"))],
    )


def test_a_take_over_goes_on_within_the_sentence() -> None:
    told = answers.Citation(
        start_index="0", end_index="6", sources=(answers.CitationSource(reference_id="0"),)
    )
    builder = CitationBuilder([0], marks_inline=False, written="É it. Then", citations=[told])
    assert builder.feed(Piece("", (0,)))[1][0].start_index == "7"
    assert builder.feed(Piece("", (0,))) == ("", ())
    assert builder.feed(Piece(" next.", (0,)))[1][0].start_index == "12"


def test_halves_of_a_character_wait_for_each_other() -> None:
    whole = "😀".encode("utf-16-le").decode("utf-16-le")
    high, low = "\ud83d", "\ude00"
    assert build([Piece("a " + high), Piece(low + " b")])[0] == f"a {whole} b"
    assert build([Piece("a"), Piece(high)])[0] == "a\ufffd"
    for high, low in (("\ud800", "\udc00"), ("\udbff", "\udfff")):
        whole = (high + low).encode("utf-16-le", "surrogatepass").decode("utf-16-le")
        assert build([Piece(high), Piece(low)])[0] == whole
        assert build([Piece(f"a{high}b{low}c")])[0] == "a\ufffdb\ufffdc"


@pytest.mark.parametrize(
    ("text", "told", "cited"),
    [
        ("a  [1] b", "a  b", [("a  b", ("0",))]),
        ("a [1]  b", "a  b", [("a  b", ("0",))]),
        ("a [1]\n\nb", "a\n\nb", [("a", ("0",))]),
        ("a\n[1] b", "a\nb", [("a", ("0",))]),
        ("a\n\n[1] b", "a\n\nb", [("a", ("0",))]),
        ("a [1] , b", "a , b", [("a , b", ("0",))]),
        ("a [1]\n. b", "a\n. b", [("a", ("0",))]),
        ("a [1]", "a", [("a", ("0",))]),
        ("a [1]  ", "a", [("a", ("0",))]),
        ("  a [1].", "a.", [("a.", ("0",))]),
        ("[1] a.", "a.", [("a.", ("0",))]),
        ("a.[1]b", "a.b", [("a.b", ("0",))]),
        ("a [1] [2] b.", "a b.", [("a b.", ("0", "1"))]),
        ("a [1]b", "a b", [("a b", ("0",))]),
        ("a\n[1]. b", "a\n. b", [("a", ("0",))]),
        ("a [1]). b", "a). b", [("a). b", ("0",))]),
        ("a\t[1] b", "a\tb", [("a\tb", ("0",))]),
    ],
)
def test_the_wider_white_space_around_a_marker_stays(text: str, told: str, cited: Cited) -> None:
    """A line break is wider than any number of spaces; none stays at either end."""
    assert inline(text) == build([Piece(c) for c in text]) == (told, cited)


@pytest.mark.parametrize(
    ("text", "told", "cited"),
    [
        ("a [[1]] b", "a b", [("a b", ("0",))]),
        ("[[1] a", "[ a", [("[ a", ("0",))]),
        ("a [1 2] b", "a [1 2] b", []),
        ("a [1;2] b", "a b", [("a b", ("0", "1"))]),
        ("a [ 1 , 2 ] b", "a b", [("a b", ("0", "1"))]),
        ("a [1,,2] b", "a [1,,2] b", []),
        ("a [,1] b", "a [,1] b", []),
        ("a [1,] b", "a [1,] b", []),
        ("a [01] b", "a [01] b", []),
        ("a [100] b", "a [100] b", []),
        (f"a [1{',1' * 40}] b", f"a [1{',1' * 40}] b", []),
        ("a [1,1,1,1,1,1,1,1,1,1,1,1,1,1,1] b", "a b", [("a b", ("0",))]),
        ("[1]", "", []),
    ],
)
def test_a_marker_has_this_form_and_no_other(text: str, told: str, cited: Cited) -> None:
    """What is longer than a marker may be is no marker."""
    assert inline(text) == build([Piece(c) for c in text]) == (told, cited)


@pytest.mark.parametrize(
    ("text", "told", "cited"),
    [
        ("`[1]` x [2].", "`[1]` x.", [("`[1]` x.", ("1",))]),
        ("``[1]`` x", "```` x", [("```` x", ("0",))]),
        ("`a\nb [1]. c", "`a\nb. c", [("b. c", ("0",))]),
        ("```\n[1]\n``` x [2].", "```\n[1]\n``` x.", [("``` x.", ("1",))]),
        ("````[1]````", "````[1]````", []),
        ("``` `[1]", "``` `[1]", []),
        ("`a`[1].", "`a`.", [("`a`.", ("0",))]),
        ("`a` [1]\nb `c [2]` d", "`a`\nb `c [2]` d", [("`a`", ("0",))]),
        ("```\na\n```\n`b [1]` c [2]", "```\na\n```\n`b [1]` c", [("`b [1]` c", ("1",))]),
        ("`a b c[1]` d", "`a b c[1]` d", []),
    ],
)
def test_code_begins_and_ends_with_its_back_quotes(text: str, told: str, cited: Cited) -> None:
    """Code that one back quote began ends with its line; of three it goes on."""
    assert inline(text) == build([Piece(c) for c in text]) == (told, cited)


@pytest.mark.parametrize(
    ("text", "told", "cited"),
    [
        ("Aa (b [1]).", "Aa (b).", [("Aa (b).", ("0",))]),
        ("“Aa [1].” Bb [2].", "“Aa.” Bb.", [("“Aa.”", ("0",)), ("Bb.", ("1",))]),
        ("Aa.\nBb [1]", "Aa.\nBb", [("Bb", ("0",))]),
        ("Aa\nBb [1]", "Aa\nBb", [("Bb", ("0",))]),
        ("# Tt\nBb [1].", "# Tt\nBb.", [("Bb.", ("0",))]),
        ("- Aa [1].\n- Bb [2].", "- Aa.\n- Bb.", [("- Aa.", ("0",)), ("- Bb.", ("1",))]),
        ("1. Aa. Bb [1].", "1. Aa. Bb.", [("Bb.", ("0",))]),
        ("Aa. bb [1].", "Aa. bb.", [("Aa. bb.", ("0",))]),
        (
            "Aa! Bb [1]? Cc [2]… Dd [3]",
            "Aa! Bb? Cc… Dd",
            [("Bb?", ("0",)), ("Cc…", ("1",)), ("Dd", ("2",))],
        ),
        ("Aa. [1] [2] Bb. [3]", "Aa. Bb.", [("Aa.", ("0", "1")), ("Bb.", ("2",))]),
        ("Aa [1]\nBb", "Aa\nBb", [("Aa", ("0",))]),
        ("甲。乙 [1]。", "甲。乙。", [("乙。", ("0",))]),
        ("甲。」乙 [1]", "甲。」乙", [("乙", ("0",))]),
        ("x 3.5 aa. Bb [1].", "x 3.5 aa. Bb.", [("Bb.", ("0",))]),
    ],
)
def test_sentences_end_here(text: str, told: str, cited: Cited) -> None:
    assert inline(text) == build([Piece(c) for c in text]) == (told, cited)


ALPHABET = [
    *"ab A.!?[]123,; \n`-。é😀)*”»",
    "[1]",
    " [2]",
    "[1, 3]",
    ". ",
    "```",
    "Dr.",
    "\n\n",
    "句。",
    "句。”[1]",
    "     ",
]
texts = st.lists(st.sampled_from(ALPHABET), max_size=30).map("".join)


@given(texts, st.lists(st.integers(0, 60), max_size=8))
def test_the_cuts_between_pieces_change_nothing(text: str, cuts: list[int]) -> None:
    bounds = sorted({0, len(text), *(cut for cut in cuts if cut < len(text))})
    pieces = [Piece(text[a:b]) for a, b in itertools.pairwise(bounds)]
    assert build(pieces) == inline(text) == build([Piece(c) for c in text])


@given(texts)
def test_nothing_but_markers_and_white_space_is_lost(text: str) -> None:
    if "`" not in text:
        assert without_markers(inline(text)[0]) == without_markers(text)


def without_markers(text: str) -> str:
    """Return *text* without white space and markers, also those within further brackets."""
    text = re.sub(r"\s+", "", text)
    while (less := re.sub(r"\[(?:[1-9][\d,;]*)?\]", "", text)) != text:
        text = less
    return text


def test_what_a_quotation_ends_with_ends_the_sentence_wherever_the_text_is_cut() -> None:
    text = "他说：“句一。”[1]他走了[2]。"
    cited = [("他说：“句一。”", ("0",)), ("他走了。", ("1",))]
    assert inline(text) == build([Piece(c) for c in text]) == ("他说：“句一。” 他走了。", cited)


@pytest.mark.parametrize("brackets", [")", "”", "*", "_", "）"])
def test_any_number_of_closers_belongs_to_the_sentence_before(brackets: str) -> None:
    text = f"Yes.{brackets * 100} [1] No [2]."
    assert inline(text)[1] == [(f"Yes.{brackets * 100}", ("0",)), ("No.", ("1",))]


@pytest.mark.parametrize("opening", ["approx.", "e.g.", "p.ej.", "(Dr.", "A.", "x núm."])
def test_an_abbreviation_is_known_however_long_the_sentence_is(opening: str) -> None:
    for before in ("", "word " * 100):
        text = f"{before}{opening} Next [1]."
        assert inline(text)[1] == [(f"{before}{opening} Next.", ("0",))]
    assert len(inline(f"x{opening.lstrip('(').replace('.', '')}. Next [1]. End [2].")[1]) == 2


REPEATED = [
    *(" ", "\n", "A. ", "word ", "x", "[", "[1", "[1] ", "a [1]. ", ")", ") ", "`", "` ", "。"),
    *("句。", "[ ", ". ", "e.g. ", "\ud83d", "]", "[1\n", "a.” ", "   [1] [1]"),
]


@pytest.mark.parametrize("in_one", [True, False], ids=["in one piece", "by characters"])
@pytest.mark.parametrize("repeated", REPEATED)
def test_the_work_grows_no_faster_than_the_text(repeated: str, in_one: bool) -> None:
    """A model may be asked to repeat something for ever, and all others wait for its text."""

    def cost(size: int) -> float:
        text = repeated * (size // len(repeated))
        return taken([Piece(text)] if in_one else [Piece(c) for c in text])

    # 8 times as much, 64 times if squared; again where another process came in between.
    assert any(cost(8_000) < 32 * max(cost(1_000), 1e-4) for _ in range(3))


def taken(pieces: list[Piece]) -> float:
    """Return the seconds of CPU that building from *pieces* takes."""
    builder = CitationBuilder(range(3), marks_inline=True)
    started = time.thread_time()
    for piece in pieces:
        builder.feed(piece)
    builder.finish()
    return time.thread_time() - started
