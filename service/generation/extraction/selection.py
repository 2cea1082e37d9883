"""Choose which wholes of the section that answers are told.

The best one, what it cannot be understood without, and of the same section what answers as well,
as far as the kind of question leaves room.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from typing import Final

from service.blocks import BlockKind
from service.generation.extraction import cues, forms, opposites, scoring, sections
from service.generation.extraction.queries import definitions
from service.generation.extraction.queries.weighted_query import WeightedQuery
from service.generation.extraction.scoring import ScoredWhole
from service.generation.extraction.statements import worth
from service.generation.extraction.wholes import LISTS, Whole, WholeKind
from service.language.question_kinds import QuestionKind as Q

_ASKED: Final = 0.6
"""From this likeness on a heading is what is asked, and its section the answer."""
_BESIDE: Final = 1.0
"""How far below the best a whole of its section may score, to be told with it."""
_BESIDE_A_FACT: Final = 1.0
"""The same where a sentence answers: what is told before it keeps who listens from it."""
_OTHER_SIDE: Final = 2.0
"""The same for what says of a comparison what the best does not: the other side."""
_LEAD: Final = 320
"""Characters of a paragraph that is told as the lead of a list."""
_NOTES: Final = 320
"""Characters of what is told beside steps: what is needed before them, what comes after."""
_CODE: Final = 300
"""Characters of code that is told with the paragraph beside it."""
_ROOM: Final = {
    Q.HOW_TO: 900,
    Q.DEFINITION: 450,
    Q.IDENTIFIER: 450,
    Q.LIST: 700,
    Q.COMPARISON: 900,
    Q.REASON: 600,
    Q.OTHER: 600,
}
"""Characters after which no further paragraph is told, by kind of question."""
_COMPARED: Final = 1_500
"""The same for what stands under the very comparison that is asked: both sides of it."""
_EXAMPLE: Final = 500
"""Characters of code, with its lead, that is told behind the answer of a question."""
_NEWS: Final = 4
"""Terms that an answer has to have beside those of the query."""
_EXPLAINED: Final = 700
"""Characters of a message together with what it means."""
_SENTENCES: Final = 1_200
"""The same for a list that is told in sentences, under the heading that asks for it."""
_FACT: Final = 420
"""The same for the kinds that a sentence answers."""
_TOLD_AT_LENGTH: Final = frozenset((Q.OTHER, Q.REASON, Q.COMPARISON, Q.DEFINITION))
"""Kinds that a sentence or two hardly answer."""
_ENOUGH: Final = 200
"""Characters of an answer of these kinds after which nothing that follows is told."""
_WIDE: Final = frozenset((Q.OTHER, Q.REASON, Q.COMPARISON))
"""Kinds for which all of a section answers whose heading is what is asked."""


def choose(query: WeightedQuery, candidates: Sequence[ScoredWhole]) -> list[int]:
    """Return which wholes of the section of the first of *candidates* are told, in order."""
    chosen = _serving(query, candidates)
    if _says_little(query, [candidates[0].section.wholes[at] for at in chosen]):
        return sorted({*chosen, *_remedy(candidates[0], chosen)})
    return chosen


def _says_little(query: WeightedQuery, told: Sequence[Whole]) -> bool:
    """Tell whether what is *told* hardly says more than the query: the message that was pasted."""
    if any(query.is_quoted_by(whole.text) for whole in told):
        return True
    if query.kind in worth.FACTS:  # "Yes." is enough
        return False
    known = frozenset[str]().union(*(whole.known for whole in told))
    return len(known) - len(query.asked(known)) < _NEWS


def _remedy(best: ScoredWhole, chosen: Sequence[int]) -> Iterator[int]:
    """Yield the wholes behind those *chosen* that say what a message means, and what helps."""
    all_wholes = best.section.wholes
    room = _EXPLAINED - sum(all_wholes[at].size for at in chosen)
    for at in range(max(chosen) + 1, len(all_wholes)):
        whole = all_wholes[at]
        room -= whole.size
        if room < 0 or forms.is_title(whole) or forms.is_scrap(whole):
            break
        yield at


def _serving(query: WeightedQuery, candidates: Sequence[ScoredWhole]) -> list[int]:
    best = candidates[0]
    room = _ROOM.get(query.kind, _FACT)
    if query.kind is Q.HOW_TO:
        return _procedure(best, room)
    all_wholes = best.section.wholes
    chosen = {best.at, *_needed(query, all_wholes, best.at)}
    if query.kind is Q.LIST and (listed := _listed(query, best, chosen)):
        return listed
    if query.kind in worth.COUNTED and cues.figures(query.cue, best.whole.text):
        return sorted(chosen)
    if told := _entry(query, best, chosen) or _series(query, best):
        return told
    size = sum(all_wholes[at].size for at in chosen)
    everything = is_asked(best) and query.kind in _WIDE
    compares = everything and query.kind is Q.COMPARISON
    # Both sides are told, though the first paragraph answers other questions.
    room, end = (_COMPARED, len(all_wholes)) if compares else (room, _end(best))
    if query.kind is Q.LIST and is_asked(best) and best.whole.kind is WholeKind.PARAGRAPH:
        return sorted(chosen | _paragraphs(best, _SENTENCES - size))
    beside = _BESIDE if query.kind in _ROOM else _BESIDE_A_FACT
    said = query.asked(best.whole.known)
    for one in candidates[1:]:
        near = everything or one.score >= best.score - beside
        if query.kind is Q.COMPARISON and not query.asked(one.whole.known) <= said:
            near |= one.score >= best.score - _OTHER_SIDE
        fits = size + one.whole.size <= room and one.whole.kind is not WholeKind.CODE
        within = one.section is best.section and one.at < end
        told = within and not forms.is_title(one.whole) and not _is_rest(all_wholes, one.at)
        if near and fits and told:
            chosen.add(one.at)
            size += one.whole.size
    if query.kind in _TOLD_AT_LENGTH:
        chosen |= _following(best, max(chosen), size, room)
    return sorted(chosen)


def _listed(query: WeightedQuery, best: ScoredWhole, chosen: Set[int]) -> list[int]:
    """Return what is *chosen* with the list that it comes to, nothing where there is none."""
    if any(best.section.wholes[at].kind in LISTS for at in chosen):
        return sorted(chosen)
    behind = _listed_behind(query, best)
    return sorted({*chosen, *behind}) if behind else []


def _listed_behind(query: WeightedQuery, best: ScoredWhole) -> Sequence[int]:
    """Return the list, or the row of entries, that *best*, a paragraph, comes to, if it lists none.

    "The harbour lends tools. Ask for them at the gate." is followed by the tools. A list of the
    opposite of what is asked is passed over.
    """
    all_wholes = best.section.wholes
    if best.whole.kind is not WholeKind.PARAGRAPH or cues.lists_several(best.whole.text):
        return ()
    for at in range(best.at + 1, min(best.at + 1 + _NEAR, len(all_wholes))):
        if all_wholes[at].kind is not WholeKind.STEPS and _is_list_of(query, all_wholes[at]):
            return (at, *_needed(None, all_wholes, at))
        end = at
        while end < len(all_wholes) and _is_entry(all_wholes[end]):
            end += 1
        if end - at >= _ENTRIES:
            size = sum(whole.size for whole in all_wholes[at:end])
            return range(at, end) if size <= _ROW_OF_ENTRIES else ()
    return ()


def _is_list_of(query: WeightedQuery, whole: Whole) -> bool:
    """Tell whether *whole* is a list, and is not led to by the opposite of what is asked."""
    return whole.kind in LISTS and not opposites.are_opposite(
        opposites.sides(query.text, query.language),
        opposites.sides(" ".join(block.text for block in whole.lead), query.language),
    )


_NEAR: Final = 3
"""Wholes behind a paragraph among which the list stands that it is about."""
_ENTRIES: Final = 3
"""Entries that are a list."""
_ROW_OF_ENTRIES: Final = 2_000
"""Characters of entries that are told as a list."""


def _is_entry(whole: Whole) -> bool:
    named = whole.kind is WholeKind.PARAGRAPH and definitions.is_entry(whole.text)
    return named or whole.kind is WholeKind.DEFINITION


def _entry(query: WeightedQuery, best: ScoredWhole, chosen: set[int]) -> list[int]:
    """Return what is told of the entry of what is asked, where *best* has one: no other entries."""
    entry = forms.entry(query, best.whole)
    if entry is None:
        return []
    # What leads to all items of a list says nothing of one.
    return sorted(chosen) if entry is best.whole.blocks[0] else [best.at]


def _series(query: WeightedQuery, best: ScoredWhole) -> list[int]:
    """Return all terms under the question that *query* asks, with their lead, if none is asked for.

    Told alone, one of them answers only by chance.
    """
    all_wholes = best.section.wholes
    asked = is_asked(best) and query.is_asked_by(best.section.heading)
    if best.whole.kind is not WholeKind.DEFINITION or not asked:
        return []
    first = end = best.at
    while first and all_wholes[first - 1].kind is WholeKind.DEFINITION:
        first -= 1
    while end < len(all_wholes) and all_wholes[end].kind is WholeKind.DEFINITION:
        end += 1
    blocks = [block for whole in all_wholes[first:end] for block in whole.blocks]
    terms = [term for one in blocks if one.kind is BlockKind.TERM for term in one.terms]
    if first and sections.leads(all_wholes[first - 1].blocks[-1].text):
        first -= 1
    fits = sum(whole.size for whole in all_wholes[first:end]) <= _SENTENCES
    return [*range(first, end)] if terms and fits and not query.asked(frozenset(terms)) else []


def _following(best: ScoredWhole, last: int, size: int, room: int) -> set[int]:
    """Return which paragraphs behind *last* fill an answer of *size* that is too short."""
    added = set[int]()
    for at in range(last + 1, _end(best)):
        whole = best.section.wholes[at]
        size += whole.size
        command = whole.kind is WholeKind.CODE and whole.size <= _CODE
        goes_on = (command or whole.kind in (WholeKind.PARAGRAPH, WholeKind.LIST)) and size <= room
        if size - whole.size >= _ENOUGH or not goes_on or forms.is_scrap(whole):
            break
        if forms.is_title(whole):  # what follows is about something else
            break
        if not all(cues.is_furniture(block.text) for block in whole.blocks):
            added.add(at)
    return added


def _paragraphs(best: ScoredWhole, room: int) -> set[int]:
    """Return the paragraphs of the section of *best* that fit in so many characters, in order."""
    added = set[int]()
    for at, whole in enumerate(best.section.wholes[: _end(best)]):
        told = not forms.is_title(whole) and not _is_rest(best.section.wholes, at)
        if at != best.at and whole.kind is WholeKind.PARAGRAPH and told:
            room -= whole.size
            if room < 0:
                break
            added.add(at)
    return added


def _is_rest(all_wholes: Sequence[Whole], at: int) -> bool:
    """Tell whether a whole is the rest of a sentence that code interrupts: "to begin with"."""
    behind = at > 0 and all_wholes[at - 1].kind is WholeKind.CODE
    return behind and all_wholes[at].text[:1].islower()


def _end(best: ScoredWhole) -> int:
    """Return where of its section ends what may be told with *best*.

    What answers the question of the section stands at its beginning, and suffices.
    """
    all_wholes, answer = best.section.wholes, best.section.answer
    if best.at >= answer or answer == len(all_wholes):
        return len(all_wholes)
    after = all_wholes[answer]
    command = after.kind is WholeKind.CODE and after.size <= _EXAMPLE
    told = all(whole.kind is not WholeKind.PARAGRAPH for whole in all_wholes[:answer])
    return answer + (not told and (command or after.kind is WholeKind.STEPS))


def is_asked(candidate: ScoredWhole) -> bool:
    """Tell whether the heading of the section is what is asked."""
    place = scoring.HEADING if candidate.section.path else scoring.TITLE
    return candidate.features[place] >= _ASKED


def _procedure(best: ScoredWhole, room: int) -> list[int]:
    """Return the steps of the section with what introduces them, else its paragraphs."""
    all_wholes = best.section.wholes
    target = _steps(best)
    chosen = {target, *_needed(None, all_wholes, target)}
    size = sum(all_wholes[at].size for at in chosen)
    if is_asked(best):
        beside = range(_end(best))
        if all_wholes[target].kind is WholeKind.STEPS:
            # A note behind them is told, and no further one: it is about something else.
            room, beside = size + _NOTES, range(min(target + 2, len(all_wholes)))
        elif all_wholes[target].kind is WholeKind.LIST:
            room = max(room, size + _NOTES)  # caveats, however long, are no answer alone
        for at in beside:
            whole = all_wholes[at]
            told = not (
                (whole.kind is WholeKind.CODE and at - 1 not in chosen)
                or forms.is_title(whole)
                or all(cues.is_furniture(block.text) for block in whole.blocks)
            )
            if at not in chosen and told and size + whole.size <= room:
                chosen.add(at)
                size += whole.size
    elif abs(best.at - target) == 1:
        chosen.add(best.at)
    if all_wholes[max(chosen)].kind is WholeKind.PARAGRAPH:
        # "Sometimes paper jams." is no answer: what to do stands in what follows.
        chosen |= _following(best, max(chosen), size, room) or _shown(best, max(chosen), size, room)
    return sorted(chosen)


def _shown(best: ScoredWhole, last: int, size: int, room: int) -> set[int]:
    """Return what leads from *last* to the code that shows how, of a section that is about it.

    "A copy is made in a minute." is followed by the command, maybe with a sentence between them.
    """
    all_wholes = best.section.wholes
    if best.features[scoring.HEADING] < _LIKE or _COMMANDS.search(all_wholes[last].text):
        return set()
    between = range(last + 1, min(last + 1 + _NEAR, _end(best)))
    for at in between:
        whole = all_wholes[at]
        size += whole.size
        if size > room or forms.is_title(whole):
            break
        if whole.kind is WholeKind.CODE:
            return set(range(last + 1, at + 1))
    return set()


_LIKE: Final = 0.4
"""From this likeness on a heading is about what is asked."""
_COMMANDS: Final = re.compile(
    r"\b(?:commands?|options?|run(?:ning)?|type|execut\w+|call)\b|(?<!\w)--?[a-z]", re.IGNORECASE
)
"""What tells that a paragraph names a command itself."""


def _steps(best: ScoredWhole) -> int:
    """Return the steps that *best* leads to, or itself."""
    all_wholes = best.section.wholes
    shown = best.whole.kind is WholeKind.CODE and len(best.whole.blocks) > 1
    if (shown or best.whole.kind is WholeKind.STEPS) and not is_asked(best):
        return best.at
    steps = [at for at, whole in enumerate(all_wholes) if whole.kind is WholeKind.STEPS]
    behind = [at for at in steps if at >= best.at]
    if behind or steps:
        return (behind or steps)[0]
    follows = best.at + 1 < len(all_wholes) and all_wholes[best.at + 1].kind is WholeKind.LIST
    return best.at + 1 if follows and best.whole.kind is WholeKind.PARAGRAPH else best.at


def _asks(whole: Whole) -> bool:
    """Tell whether *whole* is a question of its page, which is answered behind it."""
    return whole.blocks[-1].text.endswith(("?", "？"))


def _goes_on(whole: Whole, after: Whole) -> bool:
    """Tell whether the last sentence of *whole* ends in the code *after* it: "by running"."""
    is_command = after.kind is WholeKind.CODE and after.size <= _CODE
    return is_command and not forms.is_title(whole) and cues.goes_on(whole.blocks[-1].text)


def _needed(query: WeightedQuery | None, all_wholes: Sequence[Whole], at: int) -> Iterator[int]:
    """Yield what the whole *at* is not understood without: its list, its lead, its antecedent."""
    whole = all_wholes[at]
    after = all_wholes[at + 1] if at + 1 < len(all_wholes) else None
    before = all_wholes[at - 1] if at else None
    if after is not None and whole.kind is WholeKind.PARAGRAPH:
        introduces = cues.announces(whole.blocks[-1].text)
        listed = query is not None and query.kind is Q.LIST and _is_list_of(query, after)
        led = introduces and after.kind in (*LISTS, WholeKind.CODE)
        example = after.kind is WholeKind.CODE and after.size <= _EXAMPLE
        led |= example and cues.shows(whole.text)
        if listed or led or _asks(whole) or _goes_on(whole, after):
            yield at + 1
    if before is not None and before.kind is WholeKind.PARAGRAPH:
        leads = whole.kind in LISTS and not whole.lead and before.size <= _LEAD
        if not forms.are_fields(before) and (leads or cues.leans(whole.blocks[0].text)):
            yield at - 1
    elif before is not None and before.kind is WholeKind.CODE and before.size <= _CODE:
        yield from (at - 1,) if cues.leans(whole.blocks[0].text) else ()  # "This command opens …"
