"""Whoever asks draws on its own quota, people on that of their address, all on the project's."""

from __future__ import annotations

import pytest
from msgspec import structs

from service.security.limits.quotas import Quotas, of_failed_credentials
from service.security.principals import ANONYMOUS, Principal, PrincipalKind
from service.settings import CONCURRENT_REQUESTS, RATE_LIMITS

_RATES, _PLACES = structs.asdict(RATE_LIMITS), structs.asdict(CONCURRENT_REQUESTS)
_QUOTAS = Quotas(_RATES, _PLACES)


def kinds(kind: PrincipalKind, address: str = "192.0.2.1") -> list[str]:
    """Return the kinds of quotas that a caller of *kind* draws on."""
    return [each.kind for each in _QUOTAS.of(Principal(kind=kind, id="x"), address, "p")]


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        (PrincipalKind.VISITOR, ["visitor", "address", "project"]),
        (PrincipalKind.USER, ["user", "address", "project"]),
        (PrincipalKind.NOBODY, ["address", "project"]),
        (PrincipalKind.SERVER, ["key", "project"]),
        (PrincipalKind.OPERATOR, ["key", "project"]),
    ],
)
def test_each_kind_of_caller_has_its_quotas(kind: PrincipalKind, expected: list[str]) -> None:
    """A back end asks for many people from one address, so that its address is no bound."""
    assert kinds(kind) == expected
    assert kinds(kind, "127.0.0.1") == expected


@pytest.mark.parametrize("address", ["", "127.0.0.1", "::1"])
def test_this_machine_has_no_bound_while_nobody_is_asked_who_it_is(address: str) -> None:
    """Tests, tools and the first minute meet none; strangers have that of their address."""
    assert _QUOTAS.of(ANONYMOUS, address, "p") == ()
    of_stranger = _QUOTAS.of(ANONYMOUS, "192.0.2.1", "p")
    assert [each.kind for each in of_stranger] == ["address", "project"]


def test_a_network_of_ipv6_is_one_address() -> None:
    """Who takes another address of its own network has the same quota."""
    first, second = (
        _QUOTAS.of(Principal(kind=PrincipalKind.NOBODY, id="nobody"), address, "p")
        for address in ("2001:db8::1", "2001:db8::2")
    )
    assert first == second


def test_what_is_not_valid_draws_on_its_address() -> None:
    """Whichever project it was for; nothing from this machine does."""
    (held,) = of_failed_credentials("2001:db8::1")
    assert (held.kind, held.holder) == ("failed_credentials", "2001:db8::/64")
    assert [of_failed_credentials(here) for here in ("", "127.0.0.1", "::1")] == [()] * 3


def test_no_bound_is_no_quota() -> None:
    """Of a kind with neither bound nothing is counted."""
    quotas = Quotas({**_RATES, "key": 0}, {**_PLACES, "key": 0})
    held = quotas.of(Principal(kind=PrincipalKind.SERVER, id="key:a"), "", "p")
    assert [each.kind for each in held] == ["project"]
