"""How many connections one caller may have, and strangers."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.api.websocket_seats import Seat, SeatLimits, Seats
from service.security.principals import Principal, PrincipalKind
from sessions.errors import ResourceExhausted
from streaming.protocol import close_codes

LIMITS = SeatLimits(
    all=8, strangers=5, strangers_per_address=3, people_per_address=4, per_person=2, per_program=4
)
ADA = Principal(kind=PrincipalKind.USER, id="user:p:ada", subject="ada")
BACK_END = Principal(kind=PrincipalKind.SERVER, id="key:1")


def seat(seats: Seats, address: str = "192.0.2.1") -> Seat:
    taken = seats.take(address, stranger=True)
    assert isinstance(taken, Seat)
    return taken


def test_strangers_of_one_address_are_few() -> None:
    seats = Seats(LIMITS)
    first = [seat(seats) for _ in range(3)]
    assert seats.take("192.0.2.1", stranger=True) is close_codes.CROWD
    seat(seats, "192.0.2.2")
    first[0].leave()
    seat(seats)


def test_strangers_do_not_take_the_places_of_those_who_are_known() -> None:
    seats = Seats(LIMITS)
    some = [seat(seats, f"192.0.2.{number}") for number in range(5)]
    assert seats.take("192.0.2.99", stranger=True) is close_codes.OVERLOAD
    for one in some[:4]:
        one.know(BACK_END)
    seat(seats, "192.0.2.99")


def test_a_site_of_ipv6_is_one_address() -> None:
    seats = Seats(LIMITS)
    for number in range(3):
        seat(seats, f"2001:db8::{number}:1")
    assert seats.take("2001:db8::ffff:9", stranger=True) is close_codes.CROWD
    seat(seats, "2001:db8:0:1::1")


def test_an_address_is_the_same_in_both_families() -> None:
    seats = Seats(LIMITS)
    for address in ("192.0.2.1", "::ffff:192.0.2.1", "::ffff:c000:201"):
        seat(seats, address)
    assert seats.take("192.0.2.1", stranger=True) is close_codes.CROWD


@pytest.mark.parametrize(("principal", "most"), [(ADA, 2), (BACK_END, 4)])
def test_a_principal_has_so_many(principal: Principal, most: int) -> None:
    seats = Seats(LIMITS)
    some = [seat(seats, f"192.0.2.{number}") for number in range(most + 1)]
    for one in some[:-1]:
        one.know(principal)
    with pytest.raises(ResourceExhausted):
        some[-1].know(principal)
    some[0].know(principal)  # a renewal
    some[0].leave()
    some[-1].know(principal)


def test_where_nobody_is_asked_this_machine_may_have_all() -> None:
    seats = Seats(LIMITS)
    some = [seats.take("127.0.0.1", stranger=False) for _ in range(8)]
    assert all(isinstance(one, Seat) for one in some)
    assert seats.take("127.0.0.1", stranger=False) is close_codes.OVERLOAD


@pytest.mark.parametrize("address", ["192.0.2.1", "unknown"])
def test_where_nobody_is_asked_an_address_has_no_more_than_its_people(address: str) -> None:
    seats = Seats(LIMITS)
    some = [seats.take(address, stranger=False) for _ in range(4)]
    assert seats.take(address, stranger=False) is close_codes.CROWD
    assert isinstance(seats.take("192.0.2.2", stranger=False), Seat)
    for one in some:
        assert isinstance(one, Seat)
        one.leave()
    assert isinstance(seats.take(address, stranger=False), Seat)


def test_who_becomes_another_visitor_has_no_more_of_its_address() -> None:
    """A program has what it may have, wherever it is."""
    seats = Seats(LIMITS)

    def visitor(number: int) -> Principal:
        return Principal(kind=PrincipalKind.VISITOR, id=f"visitor:p:{number}")

    some = [seat(seats) for _ in range(3)]
    for number, one in enumerate(some):
        one.know(visitor(number))
    last, crowded, program, elsewhere = seat(seats), seat(seats), seat(seats), seat(seats, "::1")
    last.know(visitor(3))
    with pytest.raises(ResourceExhausted, match="4 connections of this address"):
        crowded.know(visitor(4))
    program.know(BACK_END)
    elsewhere.know(visitor(4))
    some[0].leave()
    crowded.know(visitor(4))


@given(st.lists(st.tuples(st.integers(0, 7), st.sampled_from(["take", "ada", "key", "leave"]))))
def test_whatever_happens_all_places_come_back(steps: list[tuple[int, str]]) -> None:
    seats, open_seats = Seats(LIMITS), dict[int, Seat]()
    for number, step in steps:
        held = open_seats.get(number)
        if held is None:
            taken = seats.take(f"192.0.2.{number % 3}", stranger=True)
            if isinstance(taken, Seat):
                open_seats[number] = taken
        elif step == "leave":
            open_seats.pop(number).leave()
        else:
            with contextlib.suppress(ResourceExhausted):
                held.know(ADA if step == "ada" else BACK_END)
        assert len(seats) == len(open_seats)
    for held in open_seats.values():
        held.leave()
    assert len(seats) == 0
    assert all(isinstance(seats.take("192.0.2.1", stranger=True), Seat) for _ in range(3))
