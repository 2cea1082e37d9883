"""Draw bars as an SVG that reads on light and on dark pages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Final

_WIDTH: Final = 760
_LABEL: Final = 290  # where bars begin
_LONGEST: Final = _WIDTH - _LABEL - 90
_BAR: Final = 16
_ROW: Final = 22
_GROUP: Final = 30
_HEAD: Final = 46
_INK: Final = "#7a8290"
_OURS: Final = "#2f7de1"
_THEIRS: Final = "#b3bac5"


def bars(
    title: str, note: str, groups: Mapping[str, Sequence[tuple[str, float]]], *, ours: str
) -> str:
    """Return a chart: for each group its named figures as bars, *ours* in the colour of ours."""
    longest = max(figure for rows in groups.values() for _, figure in rows)
    y = _HEAD
    parts: list[str] = []
    for group, rows in groups.items():
        y += _GROUP - 6
        parts.append(_text(0, y - 8, group, "600"))
        for name, figure in rows:
            length = max(2.0, figure / longest * _LONGEST)
            colour = _OURS if name == ours else _THEIRS
            parts.append(_text(_LABEL - 8, y + _BAR - 4, name, anchor="end"))
            parts.append(
                f'<rect x="{_LABEL}" y="{y}" width="{length:.1f}" height="{_BAR}" rx="2" '
                f'fill="{colour}"/>'
            )
            parts.append(_text(_LABEL + length + 6, y + _BAR - 4, f"{figure:.1f} ×"))
            y += _ROW
    head = [_text(0, 16, title, "600", size=15), _text(0, 34, note)]
    body = "\n".join(("", *head, *parts, ""))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {y + 4}" '
        f'font-family="sans-serif" role="img" aria-label="{escape(title)}">{body}</svg>\n'
    )


def _text(
    x: float, y: float, text: str, weight: str = "400", *, anchor: str = "start", size: int = 12
) -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" font-weight="{weight}" '
        f'text-anchor="{anchor}" fill="{_INK}">{escape(text)}</text>'
    )
