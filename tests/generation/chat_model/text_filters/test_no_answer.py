"""A text that is no answer shows nothing; one that is shows everything, as soon as it can."""

from __future__ import annotations

import itertools
import time

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from service.generation.chat_model.text_filters.no_answer import NO_ANSWER, NoAnswerFilter


def shown(*pieces: str) -> str | None:
    """Return what is shown of a text in *pieces*, None where it is refused."""
    text_filter = NoAnswerFilter()
    told = "".join([*(text_filter.feed(piece) for piece in pieces), text_filter.finish()])
    assert not (told and text_filter.refused)
    return None if text_filter.refused else told


def however_cut(text: str) -> str | None:
    """Return what is shown of *text*, which must be the same in one piece and by characters."""
    told = shown(text)
    assert told == shown(*text)
    return told


REFUSALS = """\
NO_ANSWER
  NO_ANSWER\\n
**NO_ANSWER**
`NO_ANSWER`.
"NO_ANSWER"
NO\\\\_ANSWER
NO ANSWER
no_answer
NO_ANSWER because the sources say nothing [1].
I could not find any information about parking in the provided sources.
I'm sorry, but I couldn't find an answer to your question in the documents.
I’m unable to answer this question based on the sources.
Unfortunately, the provided sources do not contain this [1][2]. They only cover fees [1].
The sources do not mention opening hours. Please contact the office for further help.
The provided context doesn't specify the price.
Based on the provided documents, there is no information about cats.
According to the sources, I cannot answer this. Let me know if you have other questions!
There is no information about this in the sources.
Sorry, I don't have enough information to answer that. Could you clarify your question?
The sources do not say. NO_ANSWER
None of the sources mention this.
Hello! Unfortunately I do not have information about the weather.
Lo siento, no encontré información sobre el aparcamiento en las fuentes.
Las fuentes no mencionan el horario.
No puedo responder a esta pregunta con la información disponible.
Je suis désolé, je n'ai pas trouvé d'information à ce sujet.
Les sources ne mentionnent pas les horaires.
Leider konnte ich in den Quellen keine Informationen dazu finden.
Die Quellen enthalten keine Angaben zu Parkplätzen. Bitte wenden Sie sich an das Büro.
Ich kann diese Frage anhand der Quellen nicht beantworten.
Desculpe, não encontrei informações sobre isso.
Mi dispiace, le fonti non contengono queste informazioni.
抱歉，我没有找到相关信息。
提供的资料中没有提到停车场。
申し訳ありませんが、該当する情報は見つかりませんでした。お答えできません。""".replace(
    "\\n", "\n"
).split("\n")


@pytest.mark.parametrize("text", [one.replace("\\\\", "\\") for one in REFUSALS if one])
def test_what_only_apologises_shows_nothing(text: str) -> None:
    assert however_cut(text) is None


ANSWERS = """\
The fee is $5 [1].
No.
No answer is given to letters without a name [1].
None of the fees apply to children [2].
There is no fee on Sundays [1].
There is no data fee.
The documents do not have to be originals [1].
The information is not available to third parties [1].
The question on page 3 is optional [1].
I can help: pay by card [1].
It is not possible to park here [2].
The sources do not say when it is due, but the fee is $5 [1].
I could not find the price for children. Adults pay $5 [1].
Unfortunately, the office is closed on Mondays [1].
The provided sources describe two ways: by post or online [1].
Sorry to hear that. Call the office at once [1].
Based on the sources, the fee is $5 [1].
Ich empfehle die Karte [1].
No hay que pagar nada [1].
Je n'ai rien à payer ? Si, 5 euros [1].
Keine Gebühren fallen an [1].
资料应在五月前提交 [1]。
Thank you for your question!""".split("\n")


@pytest.mark.parametrize("text", ANSWERS)
def test_what_tells_something_is_shown_whole(text: str) -> None:
    assert however_cut(text) == text


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("The fee is $5 [1].\n\nNO_ANSWER", "The fee is $5 [1].\n\n"),
        ("The fee is $5. NO_ANSWER. It is due.", "The fee is $5.  It is due."),
        ("The fee is $5. **NO_ANSWER**", "The fee is $5. "),
        ("Write `NO_ANSWER` there.", "Write `NO_ANSWER` there."),
        ("The fee is NO_ANSWERS or NO_ANS", "The fee is NO_ANSWERS or NO_ANS"),
        ("The fee **is** 5 (N", "The fee **is** 5 (N"),
    ],
)
def test_the_marker_is_taken_out_behind_what_was_told(text: str, told: str) -> None:
    """What was told cannot be taken back."""
    assert however_cut(text) == told


parts = st.sampled_from(
    [
        *("NO_ANSWER", "NO ANSWER", "NO_", "N", " ", "\n", "**", "`", '"', ". ", "I ", "sorry"),
        *("The sources ", "do not mention ", "this", "[1]", "but ", "the fee ", "is $5", "。"),
        *("I could not find ", "抱歉", "，我没有找到", "Leider ", "keine Informationen", "(", "a"),
    ]
)


@given(st.lists(parts, max_size=14), st.lists(st.integers(0, 60), max_size=8))
@example(["I could not find ", ". ", "NO_ANSWER", "NO_ANSWER", ". "], [])
@example(["a", "**", "NO_ANSWER"], [2])
@example([".", "NO_ANSWER", ")", "*", "(", "a"], [])
def test_the_cuts_between_pieces_change_nothing(texts: list[str], cuts: list[int]) -> None:
    text = "".join(texts)
    bounds = sorted({0, len(text), *(cut for cut in cuts if cut < len(text))})
    assert shown(*(text[a:b] for a, b in itertools.pairwise(bounds))) == however_cut(text)


@given(st.text())
def test_a_text_without_a_word_of_ours_is_shown_whole(text: str) -> None:
    plain = text.replace("N", "x").replace("n", "x")
    assert shown(*f"x{plain}") == f"x{plain}"


def test_no_end_of_marks_is_held_back() -> None:
    assert shown("*" * 64, "x") == "*" * 64 + "x"
    assert shown("*" * 63 + NO_ANSWER) is None


def test_an_answer_is_held_back_no_longer_than_needed() -> None:
    text_filter = NoAnswerFilter()
    pieces = ["N", "o", " one", " knows", " the", " NO", "RTH", "."]
    told = [text_filter.feed(piece) for piece in pieces]
    assert told == ["", "", "No one", " knows", " the", " ", "NORTH", "."]
    assert NoAnswerFilter().feed("The f") == "The f"


@pytest.mark.parametrize(
    "repeated", ["I could not find ", "I ", "*", "NO_", "but ", "sorry. ", "。"]
)
def test_the_work_grows_no_faster_than_the_text(repeated: str) -> None:
    NoAnswerFilter().feed("I ")  # the phrases are read when first asked for

    def cost(length: int) -> float:
        text = (repeated * length)[:length]
        began = time.thread_time()
        shown(*(text[at : at + 4] for at in range(0, length, 4)))
        return time.thread_time() - began

    # What may be an apology is judged with every piece, up to a bound that both lengths reach.
    assert min(cost(40_000) for _ in range(2)) < 32 * min(cost(5_000) for _ in range(3))
