"""Read the tags that name languages (BCP 47)."""

from __future__ import annotations

import functools
import re


@functools.lru_cache(maxsize=1_000)  # documents name their languages as they like
def base(tag: str) -> str:
    """Return the language of *tag* without region and script, in lower case."""
    return re.split(r"[-_]", tag.strip().lower(), maxsplit=1)[0]
