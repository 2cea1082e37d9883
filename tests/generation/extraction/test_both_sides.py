"""What is told of two sides: of a comparison both, of opposites the one that is asked."""

from __future__ import annotations

from tests.generation.extraction.pages import answer, page

ROPES = page(
    "Ropes",
    """\
## Advantages and disadvantages of hemp ropes

There are advantages and disadvantages of hemp ropes.

Advantages of hemp ropes are:

- Hemp ropes hold knots well.
- Hemp ropes do not burn the hands.

But there are also disadvantages:

- They rot when they are stowed wet.
- They weigh twice as much.

## Rope lore

Hemp or nylon
: Hemp is laid by hand, smells of tar, and is sold by the fathom in the shop at the old quay, where
  the chandler will tell at length why nobody should ever buy another rope than one of hemp. It has
  been made for five thousand years, and whoever wants to know more of that may ask the sailmaker.
  It does not stretch, so that it pulls at the cleat with each wave and wakes who sleeps aboard.
  Nylon is laid by machines, smells of nothing, and is sold by the metre at all the fuel berths. It
  stretches by a third of its length, so that the boat lies softly in whatever wind may come.
""",
)
BERTHS = page(
    "Berths",
    """\
Bring enough to moor the boat.

Table 2. Recommended Least Mooring

| Kind of Berth | Rope (least) | Rope (recommended) | Chain |
| --- | --- | --- | --- |
| At a buoy | 20 metres | 30 metres | 2 metres |
| With a post | 40 metres | 50 metres | 10 metres |
""",
)


def test_a_list_of_the_opposite_is_not_told() -> None:
    told = answer("What are the disadvantages of hemp ropes?", ROPES)
    assert "rot when they are stowed wet" in told
    assert "hold knots well" not in told


def test_both_sides_are_told_of_what_tells_things_apart() -> None:
    told = answer("hemp or nylon, what is the difference?", ROPES)
    assert "Hemp is laid by hand" in told
    assert "It stretches by a third" in told.replace("\n", " ")


def test_a_row_that_answers_both_questions_is_told_again_with_what_it_is_about() -> None:
    told = answer("How much rope and how much chain do you recommend with a post?", BERTHS)
    assert "With a post – Rope (least): 40 metres, Rope (recommended): 50 metres" in told
    assert "With a post – Chain: 10 metres" in told
    assert not any(line.strip().startswith("–") for line in told.splitlines())
