"""Take out of the text of a model what is not meant for its reader.

That is thoughts, calls of tools, and the tokens of its chat template.

A machine without I/O; how the text was cut into pieces changes nothing. Ordinary text passes at
once. What is held back is the beginning of a tag, until it is one or not; thoughts in the middle
of a text, until they end; and a text that begins as thoughts do whose opening tag the endpoint
swallowed. Code between back quotes passes as it is: it may be about such tags.
"""

from __future__ import annotations

import re
from typing import Final

_TAG: Final = re.compile(
    r"<[|｜](?P<special>[\w▁:./ -]{1,40})[|｜]>|<(?P<end>/?)(?P<tag>[a-z][\w:]{0,24})>"
    r"|\[(?P<bracket_end>/?)(?P<bracket>THINK|TOOL_CALLS|INST)\]|◁(?P<arrow_end>/?)think▷",
    re.IGNORECASE,
)
_BEGINS_TAG: Final = re.compile(
    r"<(?:[|｜][\w▁:./ -]{0,40}[|｜]?|/?(?:[a-z][\w:]{0,24})?)|\[/?[A-Z_]{0,10}|◁/?\w{0,5}",
    re.IGNORECASE,
)
_THOUGHTS: Final = frozenset(
    "think thinking thought thoughts reasoning reflection scratchpad analysis antthinking"
    " seed:think inner_monologue".split()
)
_TOOLS: Final = frozenset(
    "tool_call tool_calls function_call function_calls tool_response tool_result tool_use"
    " function_results".split()
)
_OVER: Final = frozenset(("im_end", "eot_id", "eom_id", "endoftext", "end_of_text", "return"))
"""Special tokens after which nothing belongs to the answer; what follows is a turn made up."""
_TURNS: Final = frozenset(("im_start", "start_header_id"))
_OVER_TAGS: Final = frozenset(("eos", "end_of_turn"))
_BEGIN_TAGS: Final = frozenset(("s", "bos"))
_HEADER: Final = re.compile(r"final(?:\s*<\|constrain\|>[^<]{0,20})?<\|message\|>")
_TURN_ENDS: Final = re.compile(r"\n|<\|end_header_id\|>")
_TOOL_ENDS: Final = re.compile(r"<[|｜][^|｜>]{0,40}(?:end|/tool)[^|｜>]{0,20}[|｜]>")
_CALLS_TOOL: Final = re.compile(rf"<(?:{'|'.join(sorted(_TOOLS))})>\s{{0,8}}[{{\[<]")
_NEXT: Final = re.compile(r"[<`\[◁\n]")
_ALOUD: Final = (
    *("okay, so the ", "okay, so i ", "okay, let", "okay, the user", "okay, i need", "ok, so the "),
    *("ok, let", "ok, the user", "alright, so ", "alright, let", "alright, the user", "hmm,"),
    *("let me think", "let me see", "let me look", "let me analy", "let me check the sou"),
    *("we need to answer", "we need to respond", "we need to figure", "we need to determine"),
    *("we are asked", "we are given", "the user asks", "the user is ask", "the user want"),
    *("the user asked", "the question asks", "the question is asking", "first, i need to"),
    *("i need to answer", "i need to figure", "i need to find the answer", "so the user "),
    *("thinking process:", "here's a thinking process", "here is a thinking process"),
)
"""How models begin to think; no portal is answered so, in lower case."""
_GLUED: Final = re.compile("analysis(?=[A-Z])")
"""What is left of the opening of thoughts in OpenAI's harmony format without its special tokens."""
_GLUED_END: Final = re.compile("assistantfinal")
_CLOSED: Final = re.compile(
    rf"</(?:{'|'.join(sorted(_THOUGHTS))})>|\[/THINK\]|◁/think▷|<\|end_of_thought\|>"
    rf"|{_HEADER.pattern}|{_GLUED_END.pattern}",
    re.IGNORECASE,
)
"""Any end of thoughts, where it is not known what opened them."""
_ANALYSIS: Final = re.compile(
    r"analysis<\|message\|>(.*?)(?=<\|(?:end|return|call|start|channel)\|>|\Z)", re.DOTALL
)
"""Thoughts in OpenAI's harmony format, among the headers of its messages and calls."""
_LONGEST_HELD: Final = 64_000
"""Characters; thoughts that are longer, and never closed, were none."""
_LONGEST_TAG: Final = 48
_SENTENCE_ENDS: Final = (".", "!", "?", ":", "。", "！", "？", "：", ">")


class ReasoningFilter:
    """Passes on the answer in the text of one completion.

    *within_thoughts* says that the text begins in the middle of them. Without *guesses*, a text
    that begins as thoughts do, but with no tag, is none. With *keeps_thoughts* they are there to be
    taken; otherwise nothing is kept of them.
    """

    def __init__(
        self,
        *,
        within_thoughts: bool = False,
        guesses: bool = True,
        keeps_thoughts: bool = False,
    ) -> None:
        self._guesses = guesses
        self._keeps_thoughts = keeps_thoughts
        self._thoughts = list[str]()
        """The thoughts that nobody has taken yet, as they were written."""
        self._thinks = within_thoughts
        """Whether what the buffer goes on with is thought, and no call of a tool."""
        self._opening = 0
        """How many characters of the buffer are the tag that opens what is held."""
        self._in_channels = False
        """Whether the thoughts are in OpenAI's harmony format, with headers and calls."""
        self._buffer, self._at = "", 0
        """What was fed, and how much of it is passed or dropped."""
        self._searched = 0
        """Up to where the end of thoughts was looked for in vain."""
        self._until: re.Pattern[str] | None = _CLOSED if within_thoughts else None
        """What ends the thoughts that the buffer goes on with, None where it goes on with text."""
        self._drops = False
        """Whether these are dropped as they come: nothing would make text of them."""
        self._before = ""
        """How the text that was passed ends, "" as long as there is none."""
        self._ticks = 0
        self._in_line = self._in_fence = self._over = self._gave_up = False
        self.began_within_thoughts = False
        """Whether thoughts ended that nothing had opened."""

    def feed(self, text: str) -> str:
        """Return what may be told now."""
        return self._read(text, last=False)

    def finish(self) -> str:
        """Return what was held back, when there is no more text."""
        rest = self._read("", last=True)
        self._until = None
        return rest

    @property
    def holds(self) -> bool:
        """Whether something is held back."""
        return bool(self._buffer)

    def take_thoughts(self) -> str:
        """Return the thoughts since the last call, as far as it is certain that they are any."""
        if not self._thoughts or (self._in_channels and self._until is not None):
            return ""
        thoughts = "".join(self._thoughts)
        if self._in_channels:
            thoughts = "\n".join(_ANALYSIS.findall(thoughts))
        self._thoughts, self._in_channels = [], False
        return thoughts

    def _read(self, text: str, *, last: bool) -> str:
        if self._over:
            return ""
        self._buffer += text
        passed = list[str]()
        while (part := self._step(last=last)) is not None:
            passed.append(part)
        self._searched -= self._at
        self._buffer, self._at = self._buffer[self._at :], 0
        return "".join(passed)

    def _step(self, *, last: bool) -> str | None:
        """Return the next text to pass, perhaps none of it; None where more must be known."""
        if self._at == len(self._buffer) or self._over:
            return None
        if self._until is not None:
            return self._skip_thoughts(self._until, last=last)
        if not self._before:
            return self._begin(last=last)
        found = _NEXT.search(self._buffer, self._at)
        if found is None or found.start() > self._at:
            self._end_ticks()
            return self._pass(found.start() if found else len(self._buffer))
        return self._read_mark(last=last)

    def _skip_thoughts(self, until: re.Pattern[str], *, last: bool) -> str | None:
        """Drop thoughts up to their end, or give up that they are any."""
        # The end may have begun before what is new.
        since = max(self._at, self._searched - _LONGEST_TAG)
        most = len(self._buffer) if self._drops else self._at + _LONGEST_HELD
        found = until.search(self._buffer, since, most)
        if found is not None:
            self.began_within_thoughts |= until is _CLOSED
            self._keep(found.start())
            self._leave(found.end())
            return ""
        if self._drops:
            self._keep(
                len(self._buffer) if last else max(self._at, len(self._buffer) - _LONGEST_TAG)
            )
            return None
        if not last and len(self._buffer) <= most:
            self._searched = len(self._buffer)
            return None
        calls_tool = _CALLS_TOOL.match(self._buffer, self._at) is not None
        self._leave(len(self._buffer) if calls_tool else self._at)
        # No thoughts after all: what seemed to open them is text, and so is what will. To hold
        # each of many back would read all that follows it, over and over.
        self._gave_up = not calls_tool
        return "" if calls_tool else self._pass(self._at + 1)

    def _begin(self, *, last: bool) -> str | None:
        """Look at how the text begins."""
        while self._at < len(self._buffer) and self._buffer[self._at].isspace():
            self._at += 1
        begins = " ".join(self._buffer[self._at : self._at + 64].replace("’", "'").split())
        if not begins:
            return None
        if found := _GLUED.match(begins):
            return self._enter(self._at + found.end(), _GLUED_END, drops=True)
        begins = begins.lower()
        aloud = _ALOUD if self._guesses else ()
        if not last and any(one.startswith(begins) for one in (*aloud, "analysis")):
            return None
        if begins.startswith(aloud):
            return self._enter(self._at, _CLOSED, drops=False)
        if begins[0] in "<[◁":
            return self._read_mark(last=last)
        self._before = "\n"
        return ""

    def _read_mark(self, *, last: bool) -> str | None:
        """Read the back quote, the line end or the tag that comes next."""
        first = self._buffer[self._at]
        if first == "`":
            self._ticks += 1
            return self._pass(self._at + 1)
        self._end_ticks()
        if first == "\n" or self._in_line or self._in_fence:
            self._in_line = self._in_line and first != "\n"
            return self._pass(self._at + 1)
        if found := _TAG.match(self._buffer, self._at):
            return self._read_tag(found)
        if not last and _BEGINS_TAG.fullmatch(self._buffer, self._at):
            return None
        return self._pass(self._at + 1)

    def _read_tag(self, found: re.Match[str]) -> str:
        """Obey the tag *found*."""
        if found["special"] is not None:
            return self._read_special(found, re.sub("[▁ ]", "_", found["special"].lower()))
        name = (found["tag"] or found["bracket"] or "think").lower()
        closes = bool(found["end"] or found["bracket_end"] or found["arrow_end"])
        if (closes and name == "s" and "<s>" not in self._before) or name in _OVER_TAGS:
            return self._end()
        if name == "inst" or (name in _BEGIN_TAGS and not self._before):
            return self._leave(found.end())
        if self._gave_up or (name not in _THOUGHTS and name not in _TOOLS):
            return self._pass(found.end())
        if closes:
            self.began_within_thoughts |= name in _THOUGHTS
            return self._leave(found.end())
        if name in _THOUGHTS and not self._stands_alone():
            return self._pass(found.end())
        if found["bracket"] and name in _TOOLS:
            return self._end()
        opens = bool(self._before)
        self._enter(found.start() if opens else found.end(), _end_of(found[0]), drops=not opens)
        self._thinks = name in _THOUGHTS
        self._opening = found.end() - self._at
        return ""

    def _read_special(self, found: re.Match[str], name: str) -> str:
        """Obey a special token of a chat template."""
        if self._before and (name in _OVER or name in _TURNS):
            return self._end()
        if name in ("channel", "start"):
            # Thoughts, or calls, up to the header of the answer.
            self._in_channels = True
            return self._enter(found.end(), _HEADER, drops=True)
        if name in _TURNS:
            self._enter(found.end(), _TURN_ENDS, drops=True)
            self._thinks = False
            return ""
        if "end" in name or name.startswith("/"):
            return self._leave(found.end())
        if "tool" in name or "python" in name:
            self._enter(found.end(), _TOOL_ENDS, drops=True)
            self._thinks = False
            return ""
        if name == "begin_of_thought":
            return self._enter(found.end(), _CLOSED, drops=True)
        return self._leave(found.end())

    def _stands_alone(self) -> bool:
        """Tell whether what comes next begins something: a line, or a sentence."""
        bare = self._before.rstrip(" \t")
        return not bare or bare.endswith(("\n", *_SENTENCE_ENDS))

    def _enter(self, at: int, until: re.Pattern[str], *, drops: bool) -> str:
        """Go on within thoughts, which begin *at*."""
        self._at = self._searched = at
        self._until, self._drops, self._thinks, self._opening = until, drops, True, 0
        return ""

    def _keep(self, end: int) -> None:
        """Go on at *end*; what comes before it is thought, or dropped."""
        if self._keeps_thoughts and self._thinks:
            self._thoughts.append(self._buffer[self._at + self._opening : end])
        self._at, self._opening = end, 0

    def _leave(self, at: int) -> str:
        """Go on with text, which begins *at*."""
        self._at, self._until, self._drops = at, None, False
        return ""

    def _end(self) -> str:
        self._over, self._at = True, len(self._buffer)
        return ""

    def _pass(self, end: int) -> str:
        """Pass on the text up to *end*."""
        text, self._at = self._buffer[self._at : end], end
        self._before = (self._before + text)[-_LONGEST_TAG:]
        return text

    def _end_ticks(self) -> None:
        """Enter or leave code when a run of back quotes is over."""
        if self._ticks == 1:
            self._in_line = not self._in_line and not self._in_fence
        elif self._ticks >= len("```"):
            self._in_fence, self._in_line = not self._in_fence, False
        self._ticks = 0


def _end_of(opening: str) -> re.Pattern[str]:
    """Return what closes the thoughts that the tag *opening* opens."""
    return re.compile(re.escape(f"{opening[0]}/{opening[1:]}"), re.IGNORECASE)
