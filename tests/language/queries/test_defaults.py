"""Who asks what holds where nothing is chosen asks for the default."""

from __future__ import annotations

import pytest

from service.language.queries import defaults


@pytest.mark.parametrize(
    ("asked", "read"),
    [
        ("Which tariff do I get if I don't choose one?", "Which tariff do I get by default?"),
        ("If we say nothing, how many copies are made?", "by default, how many copies are made?"),
        ("where do parcels go unless I pick another", "where do parcels go by default"),
        ("Which colour is used when nothing is set?", "Which colour is used by default?"),
        ("¿Qué tarifa se aplica si no elijo ninguna?", "¿Qué tarifa se aplica por defecto?"),
        ("Welcher Tarif gilt, wenn ich nichts wähle?", "Welcher Tarif gilt, standardmäßig?"),
    ],
)
def test_what_is_left_open_is_called_the_default(asked: str, read: str) -> None:
    assert defaults.spelled_out(asked) == read


@pytest.mark.parametrize(
    "asked",
    [
        "What happens if I don't choose a doctor in time?",
        "What if I don't give anything to the charity?",
        "Will I be fined if I don't mention it?",
    ],
)
def test_other_conditions_stay(asked: str) -> None:
    assert defaults.spelled_out(asked) == asked
