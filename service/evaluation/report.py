"""Show judged replies as one HTML file that needs nothing beside itself.

Everything in it was written by others: questions, answers, titles, links. All of it is escaped, and
the page permits itself neither scripts nor resources.
"""

from __future__ import annotations

import collections
import datetime as dt
import html
import importlib.resources
from collections.abc import Iterator, Sequence
from typing import Final

import msgspec

from service.evaluation import intervals
from service.evaluation.intervals import ConfidenceInterval
from service.evaluation.rest_client import FoundSource
from service.evaluation.verdicts import Judged, Verdict
from service.version import VERSION

_FIRST: Final = (
    Verdict.WRONGLY_ANSWERED,
    Verdict.WRONG,
    Verdict.WRONGLY_REFUSED,
    Verdict.FAILED,
    Verdict.UNJUDGED,
    Verdict.RIGHT,
    Verdict.RIGHTLY_REFUSED,
)
"""What has to be looked at comes first."""
_EXPLAINED: Final = {
    Verdict.WRONGLY_ANSWERED: "The list wants these refused, and they were answered.",
    Verdict.WRONG: "These lack what the list expects, or rest on another document.",
    Verdict.WRONGLY_REFUSED: "The list expects an answer, and there was none.",
    Verdict.FAILED: "The service could not be asked.",
    Verdict.UNJUDGED: "The list says nothing of what to expect.",
    Verdict.RIGHT: "These say and cite what the list expects.",
    Verdict.RIGHTLY_REFUSED: "These were refused, as the list wants.",
}
_POLICY: Final = (
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
)


class Run(msgspec.Struct, frozen=True, kw_only=True):
    """What was asked, where and when."""

    name: str
    asked: str
    url: str
    at: dt.datetime


def page(run: Run, judged: Sequence[Judged]) -> str:
    """Return the report on *judged* as a page of HTML."""
    style = (
        importlib.resources.files("service.evaluation").joinpath("report.css").read_text("utf-8")
    )
    title = f"How good are the answers? {run.name}"
    return "\n".join(
        (
            '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{_text(title)}</title>\n<style>\n{style}</style>\n</head>\n<body>",
            *_head(run, judged),
            *_kinds(judged),
            *_groups(judged),
            "</body>\n</html>\n",
        )
    )


def _head(run: Run, judged: Sequence[Judged]) -> Iterator[str]:
    counted = collections.Counter(one.verdict for one in judged)
    count = len(judged) - counted[Verdict.UNJUDGED]
    good = sum(one.verdict.good for one in judged)
    share = intervals.of_share(good, count)
    yield f"<header>\n<h1>{_text(run.name)}</h1>"
    when = run.at.strftime("%d %B %Y, %H:%M UTC").lstrip("0")
    yield f'<p class="meta">{_text(run.asked)} at {_text(run.url)}, {when}, Colloquy {VERSION}</p>'
    if count:
        yield f'<p class="headline"><strong>{_percent(share.value)}</strong>'
        yield f"<span>as expected: {good} of {count} questions"
        yield f"(95 % interval {_percent(share.low)} to {_percent(share.high)})</span></p>"
    yield '<div class="stack" aria-hidden="true">'
    yield from (
        f'<i class="{_class(verdict)}" style="flex: {counted[verdict]}"></i>'
        for verdict in Verdict
        if counted[verdict]
    )
    yield '</div>\n<ul class="legend">'
    yield from (
        f'<li><i class="dot {_class(verdict)}"></i><b>{counted[verdict]}</b> {verdict.value}</li>'
        for verdict in Verdict
        if counted[verdict]
    )
    yield "</ul>\n</header>"


def _kinds(judged: Sequence[Judged]) -> Iterator[str]:
    """Yield a bar for each kind of question, the weakest first."""
    kinds: dict[str, list[Judged]] = {}
    for one in judged:
        if one.verdict is not Verdict.UNJUDGED:
            kinds.setdefault(one.question.kind or "other questions", []).append(one)
    if len(kinds) < 2:
        return
    shares = {
        kind: (intervals.of_share(sum(one.verdict.good for one in of), len(of)), of)
        for kind, of in kinds.items()
    }
    yield '<h2>By kind of question</h2>\n<div class="kinds">'
    for kind, (share, of) in sorted(shares.items(), key=lambda item: item[1][0].value):
        good = sum(one.verdict.good for one in of)
        yield f"<div><span>{_text(kind)}</span>{_bar(share)}"
        yield f'<span class="count">{good} of {len(of)}</span></div>'
    yield '</div>\n<p class="hint">The thin marks show the 95 % interval of each share.</p>'


def _bar(share: ConfidenceInterval) -> str:
    wide = 100 * (share.high - share.low)
    return (
        f'<div class="bar"><i style="width: {100 * share.value:.1f}%"></i>'
        f'<u style="left: {100 * share.low:.1f}%; width: {wide:.1f}%"></u></div>'
    )


def _groups(judged: Sequence[Judged]) -> Iterator[str]:
    for verdict in _FIRST:
        group = [one for one in judged if one.verdict is verdict]
        if group:
            name = verdict.value.capitalize()
            yield f'<h2><i class="dot {_class(verdict)}"></i>{name} ({len(group)})</h2>'
            yield f'<p class="hint">{_EXPLAINED[verdict]}</p>'
            for one in group:
                yield from _question(one)


def _question(one: Judged) -> Iterator[str]:
    question, reply = one.question, one.reply
    about = " · ".join(filter(None, (question.kind, question.conversation)))
    yield f"<details>\n<summary><span>{_text(question.ask)}</span>"
    yield f"<em>{_text(about)}</em></summary>" if about else "</summary>"
    yield '<div class="inside">'
    if one.reasons:
        yield f'<p class="why">{"<br>".join(map(_text, one.reasons))}</p>'
    if reply.text:
        yield f'<p class="label">Answer</p>\n<div class="answer">{_text(reply.text)}</div>'
    if cited := [source for source in reply.sources if source.cited]:
        yield '<p class="label">Cited</p>\n<ul class="sources">'
        yield from (f"<li>{_source(source)}{_passage(source)}</li>" for source in cited)
        yield "</ul>"
    if others := [source for source in reply.sources if not source.cited]:
        names = "; ".join(_source(source) for source in others)
        yield f'<p class="label">Found besides</p>\n<p class="sources uncited">{names}</p>'
    if wanted := _expected(one):
        yield f'<p class="label">Expected</p>\n<ul class="sources">{wanted}</ul>'
    grounding = "" if reply.grounding is None else f", grounding score {reply.grounding:.2f}"
    yield f'<p class="meta">line {question.line}, {1000 * reply.seconds:.0f} ms{grounding}</p>'
    yield "</div>\n</details>"


def _expected(one: Judged) -> str:
    question = one.question
    said = [f"says “{text}”" for text in question.texts]
    cites = [f"cites {' or '.join(question.documents)}"] if question.documents else []
    refused = ["is refused"] if question.refuse else []
    return "".join(f"<li>{_text(each)}</li>" for each in (*said, *cites, *refused))


def _source(source: FoundSource) -> str:
    name = _text(source.title or source.id)
    if source.uri.startswith(("https://", "http://")):  # any other scheme may do something
        return f'<a href="{_text(source.uri)}" rel="noreferrer noopener">{name}</a>'
    return name


def _passage(source: FoundSource) -> str:
    return f"<blockquote>{_text(source.passage)}</blockquote>" if source.passage else ""


def _class(verdict: Verdict) -> str:
    return verdict.value.replace(" ", "-")


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def _text(given: str) -> str:
    """Return *given* as text in HTML, also within an attribute."""
    return html.escape(given, quote=True)
