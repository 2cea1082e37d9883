"""What makes an answer right, clumsy or wrong."""

from __future__ import annotations

import pytest

from service.answering.views.replies import FALLBACK
from sessions.resources import answers
from sessions.resources.answers import AnswerSkippedReason as Reason
from tests.questions import verdicts
from tests.questions.labels import Kind, Question
from tests.questions.local_portals import STORE
from tests.questions.verdicts import Verdict

STEPS = Question(
    id="steps",
    kind=Kind.HOW_TO,
    ask="How do I pay?",
    documents=("pay",),
    items=("open the app", "choose a card", "press pay"),
    block="Open the app. … Press Pay.",
    never=("cheque",),
)
WHOLE = "To pay:\n1. Open the app.\n2. Choose a card.\n3. Press Pay."
AGAIN = "Say it again, since nobody has heard it."
CUT = "You lived there for thirty days or more between"
SPANISH = "Para pagar con otra tarjeta, vaya a la página de su cuenta."


def reference(document: str) -> answers.Reference:
    name = f"{STORE}/branches/0/documents/{document}.md"
    return answers.Reference(
        unstructured_document_info=answers.UnstructuredDocumentInfo(document=name)
    )


def answer(text: str, *documents: str) -> answers.Answer:
    """Return an answer of paragraphs that cite one of *documents* each."""
    citations, at = list[answers.Citation](), 0
    for number, part in enumerate(text.split("\n\n")[: len(documents)]):
        end = at + len(part.encode())
        source = answers.CitationSource(reference_id=str(number))
        citations.append(
            answers.Citation(start_index=str(at), end_index=str(end), sources=(source,))
        )
        at = end + 2
    return answers.Answer(
        answer_text=text,
        citations=tuple(citations),
        references=tuple(map(reference, documents)),
    )


def refusal(reason: Reason, text: str = FALLBACK) -> answers.Answer:
    return answers.Answer(answer_text=text, answer_skipped_reasons=(reason,))


@pytest.mark.parametrize(
    ("given", "verdict", "because"),
    [
        (answer(WHOLE, "a--pay"), Verdict.RIGHT, ""),
        (answer(WHOLE, "repay"), Verdict.WRONG, "cites repay.md instead of pay"),
        (answer(WHOLE), Verdict.WRONG, "cites nothing"),
        (answer("2. Choose a card.\n3. Press Pay.", "pay"), Verdict.WRONG, "lacks item 1"),
        (answer("Press Pay.\nOpen the app.\nChoose a card.", "pay"), Verdict.WRONG, "item 3"),
        (answer(f"{WHOLE}\nOr send a cheque.", "pay"), Verdict.WRONG, "says 'cheque'"),
        (answer(f"{WHOLE}\n\nA tram comes.", "pay", "tram"), Verdict.CLUMSY, "glued with tram"),
        (answer(WHOLE + "x" * 2_000, "pay"), Verdict.CLUMSY, "more than 2000"),
        (answer(f"4. Look.\n{WHOLE}", "pay"), Verdict.CLUMSY, "in the middle"),
        (answer(f"{WHOLE}\n{AGAIN}\n{AGAIN}", "pay"), Verdict.CLUMSY, "twice"),
        (answer(f"{WHOLE}\n\n{'A tram comes. ' * 30}", "pay"), Verdict.CLUMSY, "beside the point"),
        (answer(f"A: {WHOLE}", "pay"), Verdict.CLUMSY, "mark of the page"),
        (answer(f"{WHOLE}\n\n{CUT}", "pay"), Verdict.CLUMSY, "breaks off: "),
        (answer(f"{WHOLE}\nKind: card | Fee: none", "pay"), Verdict.CLUMSY, "row of a table"),
        (
            answer(f"{WHOLE}\n\n{SPANISH}", "pay"),
            Verdict.CLUMSY,
            "speaks 'es'",
        ),
        (refusal(Reason.NO_RELEVANT_CONTENT), Verdict.WRONGLY_REFUSED, "NO_RELEVANT_CONTENT"),
    ],
)
def test_an_answer_is_right_in_substance_and_form(
    given: answers.Answer, verdict: Verdict, because: str
) -> None:
    judged = verdicts.judge(STEPS, given)
    assert judged.verdict is verdict
    assert because in " ".join(judged.reasons)


def test_a_fact_is_told_at_once() -> None:
    question = Question(
        id="fee",
        kind=Kind.PRICE,
        ask="What is the fee?",
        documents=("pay",),
        says=("2 euros",),
        block="It is 2 euros.",
    )
    assert verdicts.judge(question, answer("It is 2 euros.", "pay")).verdict is Verdict.RIGHT
    late = verdicts.judge(question, answer(f"{'A tram comes. ' * 25}It is 2 euros.", "pay"))
    assert late.reasons == ("comes to the point after 356 characters",)


@pytest.mark.parametrize(
    ("given", "verdict"),
    [
        (refusal(Reason.OUT_OF_DOMAIN_QUERY_IGNORED), Verdict.RIGHTLY_REFUSED),
        (answer("A tram comes every hour.", "tram"), Verdict.WRONGLY_ANSWERED),
    ],
)
def test_what_the_documents_do_not_tell_is_refused(given: answers.Answer, verdict: Verdict) -> None:
    question = Question(id="moon", kind=Kind.FOREIGN, ask="How far is the moon?", refuse=True)
    assert verdicts.judge(question, given).verdict is verdict


@pytest.mark.parametrize(
    ("given", "verdict"),
    [
        (
            refusal(Reason.NON_ANSWER_SEEKING_QUERY_IGNORED, "You can call us at 555 0100."),
            Verdict.RIGHT,
        ),
        (refusal(Reason.NON_ANSWER_SEEKING_QUERY_IGNORED), Verdict.CLUMSY),
        (refusal(Reason.OUT_OF_DOMAIN_QUERY_IGNORED), Verdict.WRONGLY_REFUSED),
        (answer("Call 555 0100.", "contact"), Verdict.RIGHT),
        (answer("Humans ride trams.", "tram"), Verdict.WRONGLY_ANSWERED),
    ],
)
def test_who_wants_a_person_gets_a_reply(given: answers.Answer, verdict: Verdict) -> None:
    question = Question(
        id="human", kind=Kind.TALK, ask="A human, please!", reply="human", says=("555 0100",)
    )
    assert verdicts.judge(question, given).verdict is verdict
