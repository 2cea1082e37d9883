"""Which terms a text is compared by, and how much they tell."""

from __future__ import annotations

from service.language import content_terms


def test_function_words_tell_nothing() -> None:
    assert content_terms.of("How do I renew my licenses?") == ["renew", "licens"]
    assert content_terms.all_of("my licenses") == ["my", "licens"]
    assert content_terms.of("¿Cómo renuevo mis licencias?", "es") == ["renuev", "licenci"]


def test_of_a_word_with_an_apostrophe_the_longest_part_tells() -> None:
    assert content_terms.of("the driver's fee doesn't") == ["driver", "fee"]
    assert content_terms.of("preuve d'identité", "fr") == content_terms.of("preuve identité", "fr")


def test_a_number_is_the_same_with_and_without_separators() -> None:
    assert content_terms.all_of("1,250 and 1250") == ["1250", "and", "1250"]
    assert content_terms.all_of("2.5 5G") == ["2.5", "5g"]


def test_a_run_of_a_spaceless_script_is_its_pairs() -> None:
    assert content_terms.of("如何取消订阅", "zh") == ["何取", "取消", "消订", "订阅"]


def test_a_function_word_is_known_in_any_form() -> None:
    assert content_terms.is_function_word("Isn't")
    assert content_terms.is_function_word("Könnte", "de")
    assert not content_terms.is_function_word("license")
    assert not content_terms.is_function_word("&")


def test_what_is_rare_tells_most() -> None:
    the, account, unknown = map(content_terms.weight, ("the", "account", "zyzzyva"))
    assert the < account < unknown == 8.0
    assert content_terms.total_weight(["the", "account"]) == the + account


def test_more_words_than_are_remembered_are_still_told() -> None:
    """What is remembered has a bound."""
    many = [f"q{n}x" for n in range((1 << 16) + 10)]
    assert content_terms.of_words(many, "fi") == many
    assert content_terms.of_words(many[:20], "fi") == many[:20]
