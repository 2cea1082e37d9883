"""What the robots.txt of a site allows this service (RFC 9309)."""

from __future__ import annotations

import re
from typing import Final

from protego import Protego

LIMIT: Final = 500 * 1024
"""Bytes of a robots.txt that are read (RFC 9309, 2.5); the rest has no effect."""
_AGENT_LINE: Final = re.compile(r"user[- ]?agent ?[: ](.*)", re.I)


class RobotsRules:
    """The rules of one site for one agent."""

    def __init__(self, text: str, agent: str) -> None:
        """Read *text*; blocks, for half a second where it is as long as it may be."""
        self._agent = agent.lower()
        # The rules of a group are kept once for each agent that it names: a file of ten thousand
        # agents and as many rules would take minutes and gigabytes. Those of others do not count.
        named = "\n".join(self._renamed(line) for line in text.splitlines())
        self._rules = Protego.parse(named)

    def allow(self, url: str) -> bool:
        """Tell whether the page at *url* may be read."""
        return self._rules.can_fetch(url, self._agent)

    def _renamed(self, line: str) -> str:
        line = " ".join(line.split())
        found = _AGENT_LINE.match(line)
        if found is None:
            return line
        named = found[1].partition("#")[0].strip().lower()
        is_ours = named.partition("/")[0].strip("* ") == self._agent
        return f"User-agent: {named if named == '*' else self._agent if is_ours else 'others'}"
