"""Read the tags that name languages (BCP 47)."""

from __future__ import annotations

import re


def base(tag: str) -> str:
    """Return the language of *tag* without region and script, in lower case."""
    return re.split(r"[-_]", tag.strip().lower(), maxsplit=1)[0]
