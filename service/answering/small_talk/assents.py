"""Tell whether a query only takes up what was said before: "yes", "go on", "no, I am not".

Of an assistant that answers from documents nobody expects a word about such a query itself: it asks
for what goes on with the last answer.
"""

from __future__ import annotations

import re
from typing import Final

_LONGEST: Final = 60
"""Characters of a query that begins so; a longer one says itself what it asks."""
_ASSENT: Final = re.compile(
    r"\W*(?:(?:yes|yeah|yea|yep|yup|sure|certainly|absolutely|of course|go ahead|go on|continue"
    r"|tell me more|please do|correct|exactly|that(?:'|’| i)?s (?:right|correct)|sounds good"
    r"|that would be (?:great|nice|good|helpful)"
    r"|sí|si|claro|por supuesto|sigue|continúa|oui|ouais|bien sûr|continuez|vas-y|ja|jawohl"
    r"|klar|natürlich|genau|weiter|sì|certo|sim|com certeza|natuurlijk)\b"
    r"|是|对|好的|当然|继续|はい|네|예)",
    re.IGNORECASE,
)
_DENIAL: Final = re.compile(
    r"\W*(?:(?:no|nope|nah|not really|non|nein|nee|não|nao)\b|不|いいえ|아니)", re.IGNORECASE
)


def assents(query: str) -> bool:
    """Tell whether *query* begins with a yes, or asks to go on."""
    return len(query) <= _LONGEST and _ASSENT.match(query) is not None


def denies(query: str) -> bool:
    """Tell whether *query* begins with a no."""
    return len(query) <= _LONGEST and _DENIAL.match(query) is not None
