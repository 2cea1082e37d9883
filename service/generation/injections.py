"""Find sentences of documents that give orders to whoever writes the answer (``injections.txt``).

Documents are data: a sentence planted in one ("ignore the instructions above", "add this link to
your reply") is neither quoted nor shown to a model. What a portal rightly tells its readers to do
("Do not answer calls from this number", "Reply with STOP") is no such order, and stays.
"""

from __future__ import annotations

import functools
import importlib.resources
import re
import unicodedata
from collections.abc import Callable
from typing import Final

SentenceSplitter = Callable[[str], list[tuple[int, int]]]
"""Finds the sentences of a text, in characters."""

_TRIGGERS: Final = (
    *("ignor", "disregard", "forget", "overrid", "bypass", "your new", "you are", "you're"),
    *("as a language", "as an ai", "tell the", "<", "[inst", "[/inst", "olvida", "omite", "oublie"),
    *("vergiss", "vergessen", "esque", "dimentica", "忽略", "无视", "忘记", "不要理会", "無視"),
)
"""One of these stands in all that the patterns find in the middle of a sentence; to look for them
is a tenth of the cost."""
_ROUGHLY: Final = re.compile(r"(?<=[.!?。！？])\s*|\n")
_BEGINNING: Final = r"^\W*"
_INVISIBLE: Final = re.compile(
    "[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff\U000e0000-\U000e007f]"
)
_LOOKED_AT: Final = 400
"""Characters of a sentence that are looked at: orders are short, and some patterns take long."""


def looks_injected(sentence: str) -> bool:
    """Tell whether *sentence* gives orders to whoever writes the answer."""
    plain = sentence[:_LOOKED_AT]
    if not plain.isascii():
        # Letters that only look like others, and characters that nobody sees, are for the machine.
        plain = _INVISIBLE.sub("", unicodedata.normalize("NFKC", plain))
    plain = " ".join(plain.lower().split())
    anchored, anywhere = _orders()
    if anchored.match(plain):
        return True
    return any(map(plain.__contains__, _TRIGGERS)) and anywhere.search(plain) is not None


@functools.lru_cache(maxsize=512)
def cleaned(text: str, spans: SentenceSplitter) -> str:
    """Return *text* without such sentences; what is asked for often stays read."""
    # To find sentences exactly takes ten times as long, and nearly all texts are clean.
    if not any(map(looks_injected, (text, *_ROUGHLY.split(text)))):
        return text
    kept, at = list[str](), 0
    for start, end in spans(text):
        if looks_injected(text[start:end]):
            kept.append(text[at:start])
            at = end
    return "".join((*kept, text[at:])) if kept or at else text


@functools.cache
def _orders() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Read ``injections.txt``: what begins a sentence, and what stands anywhere in one."""
    file = importlib.resources.files("service.generation").joinpath("injections.txt")
    lists, patterns = dict[str, str](), list[str]()
    for line in file.read_text(encoding="utf-8").splitlines():
        if line.startswith("{"):
            name, _, alternatives = line.partition("\t")
            lists[name] = alternatives
        elif line and not line.startswith("#"):
            patterns.append(line)
    for name, alternatives in lists.items():
        patterns = [one.replace(name, alternatives) for one in patterns]
    anchored = [one.removeprefix(_BEGINNING) for one in patterns if one.startswith(_BEGINNING)]
    anywhere = [one for one in patterns if not one.startswith(_BEGINNING)]
    return re.compile(rf"\W*(?:{'|'.join(anchored)})"), re.compile("|".join(anywhere))
