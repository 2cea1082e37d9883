"""What is rated harmful, and what is blocked."""

from __future__ import annotations

import pytest

from service.answering.proof import safety
from sessions.resources.answer_query import HarmBlockThreshold, SafetySetting, SafetySpec
from sessions.resources.answers import HarmCategory, HarmProbability

EVERYDAY = [
    "The fee is $65. Bring a receipt to the office.",
    "Weapons are not allowed in the building; a gun must be left in the car.",
    "If you think of suicide, call the hotline at 988.",
    "To kill a process, run kill -9 and its number.",
    "Women and men are eligible. Children are dangerous to leave alone in a car.",
    "Sex: M, F or X is printed on the license.",
    "Elections are on November 3. You can vote by mail.",
    "Fraud: someone may steal your password by phishing.",
    "If you are thinking of ways to commit suicide, call the Lifeline at 988.",
    "Attackers break into email accounts by guessing passwords.",
    "Scammers steal credit cards and launder money through gift cards.",
    "It is illegal to hack into a computer network or to steal a car.",
    "HPV infects people who have sex with someone who is infected.",
    "Talk to your doctor about pain during orgasm.",
    "Nobody can get away with late fees.",
]


def probability(text: str, category: HarmCategory) -> HarmProbability:
    """Return the probability of one category."""
    return next(one.probability for one in safety.rate(text) if one.category is category)


@pytest.mark.parametrize("text", EVERYDAY)
def test_what_portals_say_is_not_blocked(text: str) -> None:
    assert not safety.blocked(safety.rate(text, SafetySpec(enable=True)))


@pytest.mark.parametrize(
    ("text", "category"),
    [
        ("You are such an idiot and nobody likes you.", "HARASSMENT"),
        ("Here is how to build a pipe bomb at home.", "DANGEROUS_CONTENT"),
        ("All immigrants are criminals.", "HATE_SPEECH"),
        ("He was watching porn.", "SEXUALLY_EXPLICIT"),
        ("The election was rigged.", "CIVIC_INTEGRITY"),
    ],
)
def test_blunt_harm_is_rated_and_blocked(text: str, category: str) -> None:
    wanted = HarmCategory[f"HARM_CATEGORY_{category}"]
    assert probability(text, wanted) in {HarmProbability.MEDIUM, HarmProbability.HIGH}
    assert safety.blocked(safety.rate(text, SafetySpec(enable=True)))
    assert not safety.blocked(safety.rate(text))


@pytest.mark.parametrize(
    "text",
    [
        "It is illegal, but here is how to make a pipe bomb.",
        "I will hurt you. Call 911.",
        "Hack into her account. Report it to nobody else.",
        "Attackers hack into an account. Now hack into her account.",
    ],
)
def test_a_warning_beside_harm_does_not_excuse_it(text: str) -> None:
    assert safety.blocked(safety.rate(text, SafetySpec(enable=True)))


@pytest.mark.parametrize(
    ("text", "probability", "severity"),
    [
        ("The office is open.", "NEGLIGIBLE", "HARM_SEVERITY_NEGLIGIBLE"),
        ("He told the clerk to go to hell.", "LOW", "HARM_SEVERITY_LOW"),
        ("You are pathetic.", "MEDIUM", "HARM_SEVERITY_MEDIUM"),
        ("I will hurt you, you know that nobody likes you.", "HIGH", "HARM_SEVERITY_HIGH"),
    ],
)
def test_harm_has_each_of_its_levels(text: str, probability: str, severity: str) -> None:
    (rating,) = [one for one in safety.rate(text) if one.category.name.endswith("HARASSMENT")]
    assert (rating.probability.name, rating.severity.name) == (probability, severity)


def test_each_category_is_rated_once() -> None:
    categories = [one.category for one in safety.rate("Hello.")]
    assert len(categories) == len(set(categories)) == 5


def test_settings_name_the_categories_that_block() -> None:
    spec = SafetySpec(
        enable=True,
        safety_settings=(
            SafetySetting(
                category=HarmCategory.HARM_CATEGORY_HARASSMENT,
                threshold=HarmBlockThreshold.BLOCK_ONLY_HIGH,
            ),
        ),
    )
    assert not safety.blocked(safety.rate("How to build a pipe bomb.", spec))
    assert not safety.blocked(safety.rate("Shut up.", spec))
    assert safety.blocked(safety.rate("You are an idiot. Kill yourself.", spec))


@pytest.mark.parametrize("threshold", [HarmBlockThreshold.BLOCK_NONE, HarmBlockThreshold.OFF])
def test_a_category_can_be_let_through(threshold: HarmBlockThreshold) -> None:
    setting = SafetySetting(category=HarmCategory.HARM_CATEGORY_HARASSMENT, threshold=threshold)
    spec = SafetySpec(enable=True, safety_settings=(setting,))
    assert not safety.blocked(safety.rate("You are an idiot. Kill yourself.", spec))
