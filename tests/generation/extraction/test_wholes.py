"""What is quoted together: a name with what it means, each definition by itself."""

from __future__ import annotations

from service.blocks import BlockKind
from service.generation.extraction import wholes
from service.generation.extraction.wholes import SourceBlock, WholeKind
from service.language import content_terms


def block(kind: BlockKind, text: str, level: int = 0, whole: int = wholes.UNKNOWN) -> SourceBlock:
    return SourceBlock(kind, text, level, whole, tuple(content_terms.of(text, "en")))


def joined(*blocks: SourceBlock) -> list[list[str]]:
    return [[one.text for one in whole.blocks] for whole in wholes.join(blocks)]


def test_a_setting_on_its_own_line_is_one_with_what_it_means() -> None:
    setting = block(BlockKind.TEXT, "berth_limit")
    meant = block(BlockKind.TEXT, "How many berths one ship may claim at a time.")
    whole = wholes.join([setting, meant])
    assert [one.kind for one in whole] == [WholeKind.DEFINITION]


def test_entries_of_a_glossary_without_layout_are_one_each() -> None:
    entries = [
        ("Berth", "A place where a ship lies."),
        ("Tide table", "When the water is how high."),
        ("Quay", "A wall at which ships lie."),
    ]
    blocks = [block(BlockKind.TEXT, text) for entry in entries for text in entry]
    assert joined(*blocks) == [list(entry) for entry in entries]


def test_a_short_line_above_a_paragraph_is_no_entry_where_there_is_no_glossary() -> None:
    lines = ("On the quay", "Ships are washed by their crews on Mondays.")
    assert joined(*(block(BlockKind.TEXT, text) for text in lines)) == [[one] for one in lines]


def test_definitions_within_a_definition_are_one_each() -> None:
    kinds = (BlockKind.TERM, BlockKind.DEFINITION)
    inner = [("DOCK_NAME", "How the dock is called."), ("DOCK_SIDE", "On which side it lies.")]
    blocks = [block(BlockKind.TERM, "General:", 0, 7)]
    for entry in inner:
        pairs = zip(kinds, entry, strict=True)
        blocks += [block(kind, text, 1, 7) for kind, text in pairs]
    assert joined(*blocks) == [["General:", *inner[0]], list(inner[1])]


def test_what_comes_behind_the_fields_of_an_entry_is_of_the_entry() -> None:
    blocks = [
        block(BlockKind.TERM, "dock_limit", 0, 7),
        block(BlockKind.TERM, "Type:", 1, 7),
        block(BlockKind.DEFINITION, "number", 1, 7),
        block(BlockKind.TERM, "Default:", 1, 7),
        block(BlockKind.DEFINITION, "3", 1, 7),
        block(BlockKind.DEFINITION, "How many ships may lie there.", 0, 7),
        block(BlockKind.TERM, "dock_name", 0, 8),
        block(BlockKind.DEFINITION, "How it is called.", 0, 8),
    ]
    assert joined(*blocks) == [
        ["dock_limit", "How many ships may lie there.", "Type:", "number", "Default:", "3"],
        ["dock_name", "How it is called."],
    ]


def test_bullets_are_no_steps_though_some_of_a_list_are_numbered() -> None:
    bullets = [block(BlockKind.ITEM, f"- berth {name}", 0, 7) for name in "abcd"]
    numbered = [block(BlockKind.ITEM, f"{n}. Ask.", 1, 7) for n in (1, 2)]
    below = [bullets[0], *numbered]
    assert [one.kind for one in wholes.join([*bullets, *numbered])] == [WholeKind.LIST]
    assert [one.kind for one in wholes.join(below)] == [WholeKind.STEPS]
