"""Turn a heading into the question that it answers, where that reads as somebody would ask it.

One that is a question is taken as it is; one that names an action, a rule or a topic that is
defined under it is turned into a question. No question is better than one that sounds made.
"""

from __future__ import annotations

import functools
import re
from typing import Final

from service.language import detection, function_words, ordinary_words

LONGEST: Final = 14
"""Words of a heading that reads well as a question."""
_ENGLISH: Final = "en"
_ASKS: Final = re.compile(
    r"(?:how|what|when|where|who|whom|whose|why|which|can|could|do|does|did|is|are|am|was|were|may"
    r"|must|should|will|would|have|has|if)\b",
    re.IGNORECASE,
)
_WH: Final = re.compile(r"(?:how|what|when|where|who|why|which)\b", re.IGNORECASE)
_AUXILIARY_SECOND: Final = re.compile(
    r"(?:\w+|what \w+|which \w+|how (?:much|many|long|often|old|far|soon)(?: \w{3,})?)"
    r" (?:is|are|do|does|can|will|should)\b",
    re.IGNORECASE,
)
_TOLD: Final = re.compile(
    r"(?P<asks>how|when|where|why) (?!(?:to|much|many|long|often|old|far|soon)\b)"
    r"(?P<what>[\w'’-]+(?: [\w'’-]+){0,3}) (?P<verb>is|are|can|will|should|must) (?P<rest>.+)",
    re.IGNORECASE,
)
_MARKUP: Final = re.compile(
    r"^\s*\d{1,2}/\d{1,2}/\d{2,4},?\s+\d{1,2}:\d\d(?:\s*[ap]m)?\s*\|?\s*"  # of a printed page
    r"|^\s*#+\s|\s#+\s*$|[*`]+|^\s*\(\d+\)\s*|^\s*Q(?:\d*[:.]|\d+)\s"
    r"|^\s*(?:\d+(?:\.\d+)*[.)]?|[A-Z]\.\d+(?:\.\d+)*\.?|step \d+:?)\s+|\[([^\]]*)\]\([^)]*\)",
    re.IGNORECASE,
)
_PAGED: Final = re.compile(r"[^a-z]*[A-Z]{2}[^a-z]* \d{1,3}")
"""A line of contents with the number of its page: "START UP 8"."""
_MARKS: Final = 2
"""Marks that may stand one behind the other: "3. Q: "."""
_DULL: Final = re.compile(
    r"(?:\W*|overview|introduction|summary|(?:table of )?contents?|about|see also|notes?|tips?"
    r"|other|important|warnings?|examples?|next steps?|before you begin|prerequisites|references?"
    r"|home|related (?:content|topics|links|articles|information)|resources|more information"
    r"|faqs?|contact(?: us)?|where (?:do|should) i (?:begin|start)\??"
    r"|questions(?: and answers)?|general|procedure|steps|syntax|description|background|details"
    r"|frequently asked questions|learn more|additional (?:resources|information)|conclusion"
    r"|appendix|still need help|was this helpful|what['’]s inside\??|in this (?:guide|issue)):?",
    re.IGNORECASE,
)
_VERBS: Final = frozenset(
    "access activate add apply appeal attach back build buy cancel change check choose claim close"
    " complete configure connect contact convert copy create customize deactivate delete deploy"
    " disable download edit enable enroll enter exchange export fill find fix get give grant import"
    " improve install join link locate lower make manage migrate modify monitor move obtain open"
    " order pay prepare prevent protect prove receive recover reduce register remove rename renew"
    " repair repay replace reset resolve restore restrict retrieve return review"
    " revoke run save schedule search secure select send set share sign start stop submit surrender"
    " switch take track transfer troubleshoot turn uninstall unlock update upgrade upload use"
    " validate verify view write".split()
)  # fmt: skip
_UNASKED: Final = frozenset("define meet set specify understand".split())
"""Verbs that begin headings as those above do, and nobody asks how to do it."""
_NOUNS: Final = frozenset(("building", "closing", "opening", "setting", "writing"))
_TROUBLE: Final = re.compile(r"\b(?:not|fail(?:s|ed|ing)|taking|missing)\b", re.IGNORECASE)
"""Stands in a heading that tells what goes wrong."""
_PARTICLE: Final = re.compile(r"(?:up|out|off|on|down|over|back|in(?= to))\b ?", re.IGNORECASE)
"""What belongs to the verb before it: "back up data"."""
_DETERMINED: Final = re.compile(
    r"(?:an?|the|my|your|our|their|its|this|these|those|all|any|every|each|some|no|more|multiple"
    r"|several|another|other|which|what|who|how|\d+)\b",
    re.IGNORECASE,
)
_BEHIND_HEAD: Final = re.compile(
    r" (?:of|in|into|for|by|with|without|on|onto|to|from|at|as|and|or|when|while|if|after|before"
    r"|using|via|through|between|over|under|manually|automatically)\b",
    re.IGNORECASE,
)
_UNCOUNTED: Final = frozenset(
    "access accounting advertising advice authentication authorization caching compression content"
    " data documentation email encryption feedback filtering hardware help history information"
    " insurance internet logging mail malware memory money monitoring music networking payment"
    " payroll permission power printing privacy proof replication scanning security software space"
    " spam storage support tax telemetry text time traffic training work".split()
)
"""Nouns that need neither an article nor a plural."""
_MINE: Final = frozenset(
    "account address app data device email location name order password pin plan profile"
    " subscription username".split()
)
"""What is one's own where nothing else is said: "Reset password"."""
_ELSEWHERE: Final = (
    (re.compile(r"(?:c[oó]mo|qué|cuándo|dónde|por qué|cuánto) ", re.IGNORECASE), "¿{}?"),
    (re.compile(r"(?:comment|pourquoi|quand|où|quels?|quelles?) ", re.IGNORECASE), "{} ?"),
    (re.compile(r"(?:wie|was|warum|wann|wo|welche[rs]?) ", re.IGNORECASE), "{}?"),
    (re.compile(r"(?:如何|怎样|怎么|为什么|什么)"), "{}？"),
)
"""How headings of other languages begin that only lack their question mark."""
_RULED: Final = re.compile(
    r"\b(?:requirements|fees?|hours|deadlines?|eligibility|benefits|limits|limitations|costs?|prices"
    r"|pricing|rules|policy|policies|options|penalties|advantages|differences|restrictions"
    r"|exceptions|consequences|risks)$",
    re.IGNORECASE,
)
"""What a portal says of many things: one asks "What are the license fees?" for "License fees"."""
_NOTED: Final = re.compile(r"(?<=\w{3})\s{0,3}\[[1-9]\d?\s?\](?=\W*$)")
"""The mark of a footnote at the end of a heading."""
_STATES: Final = re.compile(
    r"(?:(?!that|which|who|whether|if|what|how|when|where|why|while)\S+ )+"
    r"(?:is|are|was|were|cannot|may|must|should|will)\b",
    re.IGNORECASE,
)
"""Stands behind the first word of a statement, which names no action: "a pass is free"."""
_RULES: Final = range(2, 6)
"""Words of such a heading: one alone says not of what, a long one is no topic."""
_DEFINED_WITHIN: Final = 400
"""Characters under a heading in which what it names is defined, if it is."""
_ASIDE: Final = re.compile(r" \([^()]*\)$")
_CAPITALISED: Final = re.compile(r"\(?([A-Z][a-z]*(?:-[A-Z]?[a-z]+)*)(?:[^\w-].*)?$")
"""A word of which only the first letter is a capital, with what stands beside it."""
_SMALL: Final = 3
"""Letters of words that have no capital even where all others have: "of", "and"."""


@functools.lru_cache(maxsize=1_000)  # what is found often is suggested often
def as_question(heading: str, text: str = "") -> str:
    """Return *heading* as a question, "" where none reads well; *text* is what stands under it."""
    bare = _NOTED.sub("", heading)
    for _ in range(_MARKS):
        bare = _MARKUP.sub(lambda found: found[1] or "", bare).strip(" \t:.!-–—|")
    if not bare or len(bare.split()) > LONGEST or _DULL.fullmatch(bare) or _PAGED.fullmatch(bare):
        return ""
    if bare.endswith(("?", "？")):
        return _capital(_within_a_sentence(bare, text) if bare.isascii() else bare)
    for opening, closed in _ELSEWHERE:
        if opening.match(bare):
            return closed.format(_capital(bare))
    if detection.detect(f"{bare} {text[:300]}") != _ENGLISH or not bare.isascii():
        return ""
    return _english(bare.replace(" & ", " and "), text)


def _english(bare: str, text: str) -> str:
    """Return the English heading *bare* as a question, "" where none reads well."""
    bare = _ASIDE.sub("", bare)
    told = _within_a_sentence(bare, text)
    if re.match(r"how to \w", bare, re.IGNORECASE):
        return f"How do I {_yours_to_mine(told[len('how to ') :])}?"
    if _WH.match(bare) and _AUXILIARY_SECOND.match(bare):
        return f"{_capital(told)}?"
    if asked := _TOLD.fullmatch(told):  # "How fees are paid"
        return f"{_capital(asked['asks'])} {asked['verb']} {asked['what']} {asked['rest']}?"
    if _ASKS.match(bare):
        return ""
    first, _, rest = told.partition(" ")
    if _is_title(bare, text):
        return _defined(bare, bare, text)
    if _STATES.match(rest):
        return ""
    if verb := first.lower() if first.lower() in _VERBS else _verb_of(first.lower()):
        done = _done(rest)
        return f"How do I {_yours_to_mine(f'{verb} {done}')}?" if done else ""
    if _RULED.search(bare) and len(bare.split()) in _RULES:
        return _ruled(told)
    return _defined(bare, told, text)


def _done(rest: str) -> str:
    """Return what is done, of which *rest* stands behind the verb; "" where it is not whole.

    The word before it may be a noun, or an order that stands in its place only: "Use of", "Updates
    in", "Upload or download failing", "Pay here", "Access log format".
    """
    if re.match(r"(?:of|in(?! to)|for|by|here|this|these|it|cases?)\b|$", rest, re.IGNORECASE):
        return ""
    if rest.lower() in _MINE:
        return f"my {rest}"
    if joined := re.match(r"(?P<up>up )?(?P<and>and|or) (?P<verb>\w+) ?(?P<rest>.*)", rest):
        verb = joined["verb"].lower()
        verb = verb if verb in _VERBS else _verb_of(verb)
        if _TROUBLE.search(rest) or not _is_whole(joined["rest"]):
            return ""
        if not verb and not _DETERMINED.match(joined["rest"]):
            return ""
        return f"{joined['up'] or ''}{joined['and']} {verb or joined['verb']} {joined['rest']}"
    return rest if _is_whole(rest) else ""


def _is_whole(named: str) -> bool:
    """Tell whether *named* can stand behind a verb: with an article, as several, or as a name."""
    named = _PARTICLE.sub("", named, count=1) if _PARTICLE.match(named) else named
    if not named or _DETERMINED.match(named):
        return bool(named)
    if re.match(r"(?:to|from|with) ", named):
        return True
    behind = _BEHIND_HEAD.search(named)
    *before, head = (named[: behind.start()] if behind else named).rstrip(" ,;").split()
    if any(_is_gerund(word) for word in before):
        return False  # "Backing up and Recovering data" joined otherwise, "setting tax options"
    is_several = head.endswith("s") and not head.endswith(("ss", "us", "is"))
    is_name = any(letter.isupper() or letter.isdecimal() for letter in head)
    return is_several or is_name or head.lower() in _UNCOUNTED


def _ruled(topic: str) -> str:
    """Ask for the rules that *topic* names last, "" where it is an action or half a list."""
    topic = re.sub(r"^(?:the|an?) ", "", topic, flags=re.IGNORECASE)
    *inner, _ = topic.split()
    if not inner or inner[-1].lower() in ("and", "or") or _is_gerund(inner[0]):
        return ""
    topic = _RULED.sub(lambda found: found[0].lower(), topic)
    is_several = topic.endswith("s") or " and " in topic
    return f"What {'are' if is_several else 'is'} the {topic}?"


def _defined(bare: str, topic: str, text: str) -> str:
    """Ask what *topic* is where *text* begins by saying it."""
    named = rf"((?:(?:an?|the) )?){re.escape(bare)}(?: \([^)]*\))?"
    defined = rf"(?:^|[\n.!?])\W*{named} (is|are|refers?|means?)\b"
    if found := re.search(defined, text[:_DEFINED_WITHIN], re.IGNORECASE):
        article = "" if re.match(r"(?:an?|the) ", topic, re.IGNORECASE) else found[1].lower()
        return f"What {'are' if found[2].lower() == 'are' else 'is'} {article}{topic}?"
    return ""


def _within_a_sentence(heading: str, text: str) -> str:
    """Return *heading* as it is written within a sentence: capitals are kept by names alone.

    The first word is a name where *text* writes it so within a sentence; in a Heading With Capitals
    another one is, where *text* does so, or where it is no word that everybody knows.
    """
    if _is_title(heading, text):
        return heading
    if heading.isupper() and " " in heading:  # "NODE STATES", but "SNMP"
        heading = " ".join(
            word.capitalize() if _is_known(word) else word for word in heading.split()
        )
    first, *rest = heading.split()
    if first.isalpha() and first.istitle() and first != "I" and not _is_name(first, text):
        first = first.lower()
    telling = [word for word in rest if len(word) > _SMALL and not _carries(word)]
    if all(word[0].isupper() for word in telling):
        rest = [_lowered(word, text) for word in rest]
    return " ".join((first, *rest))


def _is_title(heading: str, text: str) -> bool:
    """Tell whether *text* writes all of *heading* With Capitals within a sentence."""
    first, *rest = heading.split()
    if not rest or not (first[0].isupper() and rest[-1][0].isupper()):
        return False
    return re.search(rf"\w,? {re.escape(heading)}\b", text) is not None


def _lowered(word: str, text: str) -> str:
    """Return *word* without its capital, unless it is a name."""
    found = _CAPITALISED.match(word)
    if found is None or found[1] == "I":
        return word
    if _carries(found[1]):
        return word.lower()
    is_written = re.search(rf"\b{re.escape(found[1].lower())}\b", text)
    if _is_name(found[1], text) or not (is_written or _is_known(found[1])):
        return word
    return word.lower()


def _carries(word: str) -> bool:
    """Tell whether *word* carries a sentence, and is no part of a name."""
    return word.lower() in function_words.of(_ENGLISH)


def _is_known(word: str) -> bool:
    """Tell whether everybody knows *word*, or each part of it: "E-Mail"."""
    parts = [part for part in word.lower().split("-") if len(part) > 1]
    return all(ordinary_words.is_ordinary(part, _ENGLISH) for part in parts)


def _is_name(word: str, text: str) -> bool:
    """Tell whether *text* writes *word* with its capital behind a word without, and never else."""
    if re.search(rf"\b{re.escape(word.lower())}\b", text):
        return False
    return re.search(rf"\b[a-z][\w-]*,? {re.escape(word)}\b", text) is not None


def _is_gerund(word: str) -> bool:
    word = word.lower()
    stem = word.removesuffix("ing")
    made = {stem, stem + "e", stem[:-1]}
    return word != stem and not made.isdisjoint(_VERBS | _UNASKED)


def _verb_of(gerund: str) -> str:
    """Return the verb that *gerund* is made of, "" where it is none that we know."""
    if not gerund.endswith("ing") or gerund in _NOUNS:
        return ""
    stem = gerund[: -len("ing")]
    return next((v for v in (stem, stem + "e", stem[:-1]) if v in _VERBS), "")


def _yours_to_mine(text: str) -> str:
    """Return *text* as the user would say it of themselves."""
    text = re.sub(r"\byour\b", "my", text)
    return re.sub(r"\byou\b", "I", re.sub(r"\byourself\b", "myself", text))


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]
