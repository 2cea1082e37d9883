"""What a page of the guide consists of, and where it is served."""

from __future__ import annotations

from typing import Final, NamedTuple

PREFIX: Final = "/guide/"


class GuideSection(NamedTuple):
    """A heading of a page, the title among them, and the words below it without their marks."""

    level: int
    heading: str
    anchor: str
    text: str


class GuidePage(NamedTuple):
    """One page: its title, its sections, and the HTML of its text."""

    title: str
    sections: tuple[GuideSection, ...]
    html: str
