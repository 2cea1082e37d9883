"""How well claims are supported by texts."""

from __future__ import annotations

import itertools
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.answering.proof import grounding
from service.answering.proof.source_texts import SourceTexts
from sessions.resources import answers
from tests.answering.processor_time import cpu, plain

FEES = (
    "You can renew online up to one year before your license expires. The fee is $65 and it must"
    " be paid by card. Visitors may not drive without a permit. Offices in Albany close at noon."
)
PARKS = "The park opens at dawn. Dogs are welcome on a leash."


def score(claim: str, texts: list[str]) -> float:
    """Return how well the best of *texts* supports *claim*."""
    return max(SourceTexts(texts).scores(claim), default=0.0)


@pytest.mark.parametrize(
    "claim", ["The fee is $65 and it must be paid by card.", "the fee is $65", "Dogs are welcome"]
)
def test_what_is_said_word_for_word_is_supported(claim: str) -> None:
    assert score(claim, [FEES, PARKS]) == 1.0


def test_a_paraphrase_is_supported() -> None:
    claim = "You must pay the $65 fee by card."
    assert grounding.SUPPORTED <= score(claim, [FEES]) < 1


@pytest.mark.parametrize(
    "claim",
    [
        "The fee is $56 and it must be paid by card.",
        "The fee is $65 and it must not be paid by card.",
        "Visitors may drive without a permit.",
        "You can renew online up to one year after your license expires.",
        "Offices in Buffalo close at noon.",
        "Penguins live on Antarctic ice.",
    ],
)
def test_what_is_contradicted_or_absent_is_not_supported(claim: str) -> None:
    assert score(claim, [FEES, PARKS]) < grounding.SUPPORTED


def test_each_text_has_a_score_of_its_own() -> None:
    first, second = SourceTexts([FEES, PARKS]).scores("The park opens at dawn.")
    assert second == 1.0 > grounding.SUPPORTED > first


def test_a_claim_of_thousands_of_terms_is_scored() -> None:
    numbers = [f"{letter}{number}" for letter in "kqxz" for number in range(500)]
    backwards = " ".join(reversed(numbers))
    assert score(" ".join(numbers), [backwards]) > grounding.SUPPORTED


def test_each_of_many_claims_is_held_against_its_own_citation() -> None:
    claim = "Dogs are welcome. "
    text = claim * 600
    half = answers.CitationSource(reference_id="1"), answers.CitationSource(reference_id="0")
    citations = [
        answers.Citation(
            start_index=str(at), end_index=str(at + len(claim) - 1), sources=(half[at // 18 % 2],)
        )
        for at in range(0, len(text), len(claim))
    ]
    found, score = grounding.supports(text, [FEES, PARKS], [0, 1], citations)
    assert [one.grounding_score == 1.0 for one in found] == [True, False] * 300
    assert score == pytest.approx(0.5)


def test_the_proof_of_what_a_model_repeats_costs_what_the_text_does() -> None:
    def cost(count: int) -> float:
        text = "Dogs are welcome on a leash. " * count
        source = (answers.CitationSource(reference_id="0"),)
        citations = [
            answers.Citation(start_index=str(at), end_index=str(at + 28), sources=source)
            for at in range(0, len(text), 29)
        ]
        started = time.thread_time()
        grounding.supports(text, [PARKS], [0], citations)
        return time.thread_time() - started

    assert min(cost(8_000) for _ in range(2)) < 32 * min(cost(1_000) for _ in range(3))


def test_nothing_supports_without_texts() -> None:
    assert score("The fee is $65.", []) == 0.0
    assert score("The fee is $65.", ["", " "]) == 0.0


def test_markers_in_a_claim_are_no_numbers() -> None:
    assert score("The fee is $65 [2], paid by card [1, 3].", [FEES]) > 0.6


@pytest.mark.parametrize(
    "claim",
    ["Hello!", "Sure, here is how:", "Do you want to renew?", "I hope this helps!", "Thank you.",
     "Let me know if you have any other questions.", "In summary:", "# Fees", "…"],
)  # fmt: skip
def test_what_states_nothing_needs_no_support(claim: str) -> None:
    assert not grounding.needs_support(claim)


@pytest.mark.parametrize("claim", ["The fee is $65.", "Yes, you can renew online.", "Dogs."])
def test_statements_need_support(claim: str) -> None:
    assert grounding.needs_support(claim)


def test_supports_name_the_references_in_bytes() -> None:
    text = "Café hello! The fee is $65. The park opens at dawn."
    found, score = grounding.supports("Hello! " + text, [FEES, PARKS, PARKS], [0, 1, 1])
    assert [one.grounding_check_required for one in found] == [False, True, True, True]
    assert found[0].grounding_score is None
    assert not found[0].sources
    assert [[s.reference_id for s in one.sources] for one in found[2:]] == [["0"], ["1"]]
    data = ("Hello! " + text).encode()
    assert data[int(found[2].start_index) : int(found[2].end_index)] == b"The fee is $65."
    assert score is not None
    assert 0.6 < score < 1


def test_a_cited_claim_is_held_against_what_it_cites() -> None:
    cited = answers.Citation(
        start_index="0", end_index="15", sources=(answers.CitationSource(reference_id="1"),)
    )
    found, score = grounding.supports("The fee is $65.", [FEES, PARKS], [0, 1], [cited])
    assert score is not None
    assert score < grounding.SUPPORTED
    assert all(source.reference_id == "1" for source in found[0].sources)


def test_an_answer_without_claims_has_no_score() -> None:
    assert grounding.supports("Hello! How are you?", [FEES], [0])[1] is None
    assert grounding.supports("", [FEES], [0]) == ((), None)


@given(st.text(alphabet="aé句。. !?\n1-😀B", max_size=60))
def test_claims_are_whole_sentences_in_bytes(text: str) -> None:
    data, last = text.encode(), 0
    for start, end, claim in grounding.claims(text):
        assert last <= start < end
        assert data[start:end].decode() == claim == claim.strip()
        assert not data[end:].decode()[:1].strip()
        last = end


@pytest.mark.parametrize(
    "sentence", ["Aa. ", "Aa b{0}. ", "Fee {0} is due in town.\n", "{0}, Aa and no b{0}! "]
)
def test_a_claim_costs_hardly_more_where_every_sentence_resembles_it(sentence: str) -> None:
    """Each claim was held against each sentence of each fact: minutes for a body of 2 MB."""
    text = "".join(sentence.format(n) for n in range(1000))[:5000]
    claims = [claim for _, _, claim in grounding.claims(text)]
    usual = plain(200)[:5000]
    few = [claim for _, _, claim in grounding.claims(usual)]
    hostile, normal = SourceTexts([text + str(n) for n in range(3)]), SourceTexts([usual] * 3)
    for evidence in (hostile, normal):
        evidence.scores("read them")
    spent = cpu(lambda: [hostile.scores(claim) for claim in claims]) / len(claims)
    usually = cpu(lambda: [normal.scores(claim) for claim in few]) / len(few)
    assert spent < 20 * usually + 1e-3


def test_the_window_that_has_most_is_found_among_many() -> None:
    """What is looked for among all sentences at once is what looking at each would find."""
    words = ("alpha", "beta", "gamma", "delta", "omega")
    subsets = [" ".join(some) for size in (1, 2, 3) for some in itertools.combinations(words, size)]
    text = ". ".join(subsets).title() + "."
    claim = "Alpha beta gamma delta omega"
    best = max(score(claim, [part]) for part in _windows(text.split(". ")))
    assert score(claim, [text]) >= best - 0.15


def _windows(sentences: list[str]) -> list[str]:
    return [". ".join(sentences[at : at + 3]) + "." for at in range(len(sentences) - 2)]


BRIDGE = (
    "The suspension bridge over the strait is 2,737 metres long and was opened in 1937.",
    "The toll for the bridge is $9 for each car that drives to the south.",
)


@pytest.mark.parametrize(
    "claim",
    [
        "El puente fue inaugurado en 1937 y es muy largo.",
        "Die Brücke wurde im Jahr 1937 eröffnet und ist sehr lang.",
        "Le pont a été ouvert en 1937 et il est très long.",
        "这座桥于1937年开通。",
    ],
)
def test_a_claim_in_another_language_than_its_sources_is_unproven(claim: str) -> None:
    """Words cannot tell: a score of 0 would say that it is wrong."""
    (support,), score = grounding.supports(claim, BRIDGE, (0, 1))
    assert (support.grounding_check_required, support.grounding_score) == (True, None)
    assert (support.sources, score) == ((), None)


def test_what_stands_in_sources_of_another_language_word_for_word_is_proven() -> None:
    (support,), score = grounding.supports(
        "Escriba en la línea: «sudo systemctl restart colloquy».",
        ("Escriba en la línea: «sudo systemctl restart colloquy».", BRIDGE[0]),
        (0, 1),
    )
    assert support.grounding_score == score == 1.0


def test_the_lead_of_a_list_needs_no_support() -> None:
    found, _ = grounding.supports(f"You should know:\n- {BRIDGE[0]}", BRIDGE, (0, 1))
    assert [one.grounding_check_required for one in found] == [False, True]


def test_that_sources_do_not_say_something_needs_no_support() -> None:
    text = "The toll for the bridge is $9 for each car. The sources do not say who built it."
    found, score = grounding.supports(text, BRIDGE, (0, 1))
    assert [one.grounding_check_required for one in found] == [True, False]
    assert score == found[0].grounding_score
