"""Ask the labelled questions and print every answer with its verdict.

    python -m tests.questions [--portal P] [--kind K] [--trait T] [--id ID] [--show wrong|all|none]

The environment variable COLLOQUY_EVALUATION names the folder whose ``portals/`` has the documents;
without it only the guide is asked.
"""

from __future__ import annotations

import argparse
import asyncio
import collections
import sys
from collections.abc import Sequence
from pathlib import Path

from service.evaluation import intervals
from tests.questions import asking, labels, local_portals
from tests.questions.asking import Asked
from tests.questions.labels import Kind, Question, Trait
from tests.questions.verdicts import Verdict


def main() -> None:
    """Ask what the arguments choose."""
    asked: list[Asked] = []
    options = _options()
    for name in options.portal or labels.PORTALS:
        if asking.folder_of(name) is None:
            sys.stdout.write(f"{name}: COLLOQUY_EVALUATION names no folder that has it\n")
            continue
        questions = labels.read(name)
        wanted = [one for one in questions if _is_wanted(one, options)]
        if wanted:
            todo = list(asking.with_chats(questions, wanted))
            found = asyncio.run(asking.ask_all(name, asking.opened(name), todo))
            asked += [one for one in found if one.question in wanted]
    for one in asked:
        if options.show == "all" or (options.show == "wrong" and not one.judgement.verdict.good):
            sys.stdout.write(shown(one))
    sys.stdout.write(table(asked))
    if options.markdown:
        options.markdown.write_text(in_markdown(asked), "utf-8")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--portal", action="append", choices=labels.PORTALS)
    parser.add_argument("--kind", action="append", choices=[kind.value for kind in Kind])
    parser.add_argument("--trait", action="append", choices=[trait.value for trait in Trait])
    parser.add_argument("--id", action="append")
    parser.add_argument("--markdown", type=Path, help="write the tally as a table of the guide")
    parser.add_argument("--show", choices=("wrong", "all", "none"), default="wrong")
    return parser.parse_args()


def _is_wanted(question: Question, options: argparse.Namespace) -> bool:
    traits = {trait.value for trait in question.traits}
    return (
        (not options.kind or question.kind.value in options.kind)
        and (not options.trait or bool(traits & set(options.trait)))
        and (not options.id or question.id in options.id)
    )


def shown(one: Asked) -> str:
    """Return a question with its answer and what that is worth, to be read."""
    question, answer = one.question, one.answer
    judged = one.judgement
    cited = {
        local_portals.document_of(answer.references[int(source.reference_id)])
        for citation in answer.citations
        for source in citation.sources
    }
    why = "".join(f"\n      - {reason}" for reason in judged.reasons)
    text = answer.answer_text.replace("\n", "\n    ")
    related = "".join(f"\n    ? {each}" for each in answer.related_questions)
    chat = f", {question.chat}" if question.chat else ""
    return (
        f"\n[{judged.verdict.value.upper()}] {one.portal}/{question.id}"
        f" ({question.kind.value}{chat}){why}\n  Q: {question.ask}\n  A: {text}\n"
        f"  from: {', '.join(sorted(cited)) or '-'}{related}\n"
    )


def table(asked: Sequence[Asked]) -> str:
    """Return how many answers got which verdict: by portal, kind and trait, and in all."""
    rows = [
        *(
            (each, [one for one in asked if one.portal == each])
            for each in dict.fromkeys(one.portal for one in asked)
        ),
        *((kind.value, [one for one in asked if one.question.kind is kind]) for kind in Kind),
        *((trait.value, [one for one in asked if trait in one.question.traits]) for trait in Trait),
        ("all", asked),
    ]
    head = "".join(f"{column.value:>18}" for column in Verdict)
    lines = [f"\n{'':14}{'n':>5}{head}"]
    for name, of in rows:
        counted = collections.Counter(one.judgement.verdict for one in of)
        if total := counted.total():
            cells = "".join(f"{counted[column] or '·':>18}" for column in Verdict)
            lines.append(f"{name:14}{total:>5}{cells}")
    good = sum(one.judgement.verdict.good for one in asked)
    return "\n".join(lines) + f"\n\nright or rightly refused: {good} of {len(asked)}\n"


def in_markdown(asked: Sequence[Asked]) -> str:
    """Return the tally of the portals as the guide's page on quality shows it."""
    portals = [*dict.fromkeys(one.portal for one in asked), ""]
    rows = [f"| Portal | Questions |{''.join(f' {one.value} |' for one in Verdict)} Good, 95 % |"]
    rows.append("| --- |" + " --- |" * (len(Verdict) + 2))
    for portal in portals:
        of = [one for one in asked if portal in ("", one.portal)]
        counted = collections.Counter(one.judgement.verdict for one in of)
        good = intervals.of_share(sum(one.judgement.verdict.good for one in of), len(of))
        cells = "".join(f" {counted[one]} |" for one in Verdict)
        share = f"{good.value:.0%} ({good.low:.0%} to {good.high:.0%})"
        rows.append(f"| {portal or 'all'} | {len(of)} |{cells} {share} |")
    return "\n".join(rows) + "\n"


if __name__ == "__main__":
    main()
