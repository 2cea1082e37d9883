"""Draw spans as bars over the time, as an SVG that reads on light and on dark pages.

``python -m tests.tracing.drawing`` draws an answer that was taken over for the guide: its spans are
those that a collector got of two services, the first of which was killed.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Final

from tests import redis_servers
from tests.tracing import takeover
from tests.tracing.collector import Collector, Span
from tests.tracing.takeover import RESUMED

PICTURE: Final = Path(__file__).parents[2] / "service" / "widget" / "trace.svg"
TITLE: Final = "One answer, whose first replica was killed while it wrote"

_WIDTH: Final = 860
_LABEL: Final = 250  # where bars begin
_AFTER: Final = 70  # for the duration behind the last bar
_ROW: Final = 20
_BAR: Final = 13
_HEAD: Final = 62
_INK: Final = "#7a8290"
_LINE: Final = "#8a93a0"
_COLOURS: Final = ("#d9822b", "#2f7de1")
_REPLICAS: Final = ("replica A, killed", "replica B, which took over")


def drawn(spans: Sequence[Span]) -> str:
    """Return a chart of *spans*, those that run into one another below each other."""
    rows = sorted(spans, key=lambda span: (span.begin, -span.end))
    begin, end = rows[0].begin, max(span.end for span in rows)
    scale = (_WIDTH - _LABEL - _AFTER) / (end - begin)
    processes = list(dict.fromkeys(span.process for span in rows))
    parts = [_text(0, 16, TITLE, "600", size=15)]
    for at, (told, colour) in enumerate(zip(_REPLICAS, _COLOURS, strict=True)):
        parts.append(_box(at * 190, 32, 12, colour))
        parts.append(_text(at * 190 + 18, 43, told))
    for row, span in enumerate(rows):
        y = _HEAD + row * _ROW
        x, length = _LABEL + (span.begin - begin) * scale, (span.end - span.begin) * scale
        colour = _COLOURS[processes.index(span.process)]
        parts.append(_text(_LABEL - 10, y + _BAR - 2, _label(span), anchor="end"))
        parts.append(_box(x, y, max(2.0, length), colour, dim=span.trace == RESUMED))
        parts += [_dot(_LABEL + (each.at - begin) * scale, y) for each in span.events]
        told = f"{(span.end - span.begin) * 1000:,.0f} ms"
        parts.append(_text(x + max(2.0, length) + 6, y + _BAR - 2, told, size=11))
    bottom = _HEAD + len(rows) * _ROW + 14
    parts.append(_text(_LABEL, bottom, f"0 to {end - begin:.1f} s; dots are events", size=11))
    body = "\n".join(("", *parts, ""))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {bottom + 8}" '
        f'font-family="sans-serif" role="img" aria-label="{escape(TITLE)}">{body}</svg>\n'
    )


def _label(span: Span) -> str:
    return f"{span.name} (linked)" if span.links else span.name


def _box(x: float, y: float, length: float, colour: str, *, dim: bool = False) -> str:
    opacity = "0.55" if dim else "1"
    return (
        f'<rect x="{x:.1f}" y="{y}" width="{length:.1f}" height="{_BAR}" rx="2" '
        f'fill="{colour}" fill-opacity="{opacity}"/>'
    )


def _dot(x: float, y: float) -> str:
    return f'<circle cx="{x:.1f}" cy="{y + _BAR / 2}" r="2.5" fill="#fff" stroke="{_LINE}"/>'


def _text(
    x: float, y: float, text: str, weight: str = "400", *, anchor: str = "start", size: int = 12
) -> str:
    return (
        f'<text x="{x:.1f}" y="{y}" font-size="{size}" font-weight="{weight}" '
        f'text-anchor="{anchor}" fill="{_INK}">{escape(text)}</text>'
    )


async def _draw() -> None:
    program = redis_servers.binary()
    if program is None:
        raise SystemExit("there is no Redis to stand on")
    with (
        redis_servers.folder() as folder,
        redis_servers.standalone(program, folder) as server,
        tempfile.TemporaryDirectory() as pages,
    ):
        async with Collector() as collector:
            await takeover.run(Path(pages), server.url, collector)
            traced = [span for span in collector.spans if span.name != "await index"]
            PICTURE.write_text(drawn(traced), "utf-8")


if __name__ == "__main__":
    asyncio.run(_draw())
