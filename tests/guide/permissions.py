"""Write the tables of the guide that say who may do what.

``python -m tests.guide.permissions`` writes them anew after a change to the rules; what stands
around them stays.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from service.corpus.documents import folders
from service.security.permissions import RULES, Rule
from service.security.principals import PrincipalKind

PAGE: Final = Path(folders.__file__).parents[2] / "guide" / "permissions.md"
_COLUMNS: Final = tuple(kind for kind in PrincipalKind if kind is not PrincipalKind.NOBODY)
_TABLE: Final = re.compile(r"(?:^\|.*\n)+", re.MULTILINE)


def page() -> str:
    """Return the page with its tables as the rules have them."""
    tables = iter(["".join(_kinds()), "".join(_methods())])
    return _TABLE.sub(lambda _: next(tables), PAGE.read_text("utf-8"))


def _kinds() -> Iterator[str]:
    yield f"| Permission | {' | '.join(_COLUMNS)} |\n|{' --- |' * (len(_COLUMNS) + 1)}\n"
    for rule in RULES:
        marks = ("yes" if kind in rule.kinds else "no" for kind in _COLUMNS)
        yield f"| {_permission(rule)} | {' | '.join(marks)} |\n"


def _methods() -> Iterator[str]:
    yield "| Permission | Methods |\n| --- | --- |\n"
    for rule in RULES:
        yield f"| {_permission(rule)} | {', '.join(f'`{each}`' for each in rule.methods)} |\n"


def _permission(rule: Rule) -> str:
    return f"{rule.action} {rule.resource}"


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
