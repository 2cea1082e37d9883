"""Read who asks what holds where nothing is chosen as asking for the default.

Visitors know what they leave open, "if I don't choose one", and pages call it by the word that is
usual for it: "by default".
"""

from __future__ import annotations

import re
from typing import Final

_READ: Final = 400
"""Characters of a query that are read."""
_END: Final = r"(?=\W*$|[,;.?!:]|\s+(?:how|what|which|who|where|when|is|are|do|does|will|can)\b)"
_GIVE: Final = "say|give|choose|specify|set|name|pick|select|enter|configure|define"
_SET: Final = "choose|specify|set|select|configure|define|change"
_GIVEN: Final = (
    "said|given|chosen|specified|set|named|picked|selected|entered|configured|defined|stated"
    "|changed"
)
_GIVING: Final = "saying|giving|choosing|specifying|setting|picking|selecting|configuring"
_WHO: Final = "(?:i|we|you|one|they|people|someone|somebody)"
_OPEN: Final = {
    "by default": (
        rf"\b(?:if|when) {_WHO} (?:do not|don['’]?t|did not|didn['’]?t|never)"
        rf" (?:(?:{_GIVE}|change) (?:anything|any|one)(?: else| special| different)?"
        rf"|(?:{_SET}) (?:it|them|that))"
        rf"|\b(?:if|when) {_WHO} (?:{_GIVE}|change) (?:nothing|none)(?: else| special)?"
        rf"|\b(?:if|when) (?:nothing|none|not) (?:else |(?:is|was|has been) )?(?:{_GIVEN})"
        rf"|\bunless {_WHO} (?:{_GIVE}|change)"
        r" (?:something|anything|it|them|one|another|otherwise)(?: else| different)?"
        rf"|\bunless (?:otherwise (?:{_GIVEN})|(?:{_GIVEN}) otherwise)"
        rf"|\bwithout (?:{_GIVING}|changing) (?:anything|any|one)(?: else| special)?"
    ),
    "por defecto": (
        r"\bsi no (?:digo|dices|elijo|eliges|indico|indicas|especifico|pongo|configuro|escojo)"
        r" (?:nada|ningun[oa]|otra cosa)"
    ),
    "par défaut": (
        r"\bsi (?:je|on) n(?:e |['’])(?:dis|dit|choisis|choisit|indique|précise|règle|mets)"
        r" (?:rien|pas|aucune?)"
    ),
    "standardmäßig": (
        r"\bwenn (?:ich|man|wir) (?:nichts|keine[ns]?|nichts anderes)"
        r" (?:sage|sagt|wähle|wählt|angebe|angibt|einstelle|einstellt|festlege|festlegt|ändere)"
    ),
}
"""What says in a language that nothing is chosen, by what it is called that holds then."""
_LEFT_OPEN: Final = tuple(
    (default, re.compile(f"(?:{pattern}){_END}", re.IGNORECASE))
    for default, pattern in _OPEN.items()
)


def spelled_out(query: str) -> str:
    """Return *query* with the word for the default for each clause that nothing is chosen in."""
    if len(query) <= _READ:
        for default, pattern in _LEFT_OPEN:
            query = pattern.sub(default, query)
    return query
