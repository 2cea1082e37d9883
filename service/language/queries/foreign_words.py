"""The words of a query in another language than the documents, ready to be looked up.

Those that only carry it are left out; compounds, and scripts that write no spaces, are cut.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Container, Iterator, Sequence
from typing import Final

from service.language import chinese, function_words, index_terms, tags, word_vectors
from service.language.queries import separable_verbs, translations

MOST: Final = 16
"""Words that are cut into their parts; those behind them stay whole."""
_LONGEST: Final = 4
"""Words of the longest phrase."""
_PHRASES: Final = {
    "zh": re.compile(
        "为什么|怎么样|怎么办|有没有|是不是|能不能|可不可以|请问|如何|怎么|怎样|什么|哪些|哪里|哪个|哪儿|多少|是否"
        "|可以|能够|应该|如果|或者|我们|你们|他们|这个|那个|一个|正在|时候"
        "|自己|(?<!自)我的?|[你您]的?|(?<!其)[他她]的?|(?<=[记丢掉])了|[吗呢吧啊了]+(?=$|\\W)"
    ),
    "ja": re.compile(
        "どのように|どうすれば|どうやって|できますか|ありますか|教えてください|ください|について|ですか|ますか|とは何"
        "|どの|どこ|どう|いつ|なぜ|何|私|方法"
    ),
    "ko": re.compile(
        "(?<!\\S)(?:어떻게|어디(?:서|에서)?|언제(?:까지)?|누가|왜|무엇(?:을|이|인가요)?|뭐(?:예요|죠)?|얼마나?|몇|어떤"
        "|무슨|제가?|저는|나의?|내가?|우리|그리고|또는|수|것|때|해(?:요|야)|하(?:나요|죠|면|려면)|되(?:나요|죠)|돼요|됩니까"
        "|있(?:나요|어요|습니까)|없(?:나요|어요)|합니까|인가요|입니까|주세요|알려주세요)(?=\\W|$)"
    ),
}
_CHARACTERS: Final = frozenset(
    "的了是在我你您他她它们吗呢吧啊和与或及不没有也都就要会能可这那哪么个一些把被对从到给让用以之其请几谁为何最"
)
"""Function words of Chinese: the longest are cut out before words are looked for, and characters
among them when what is left has been cut."""


_CARRYING: Final = {
    "de": "meinen meinem meiner tun tue mache machen macht bekomme bekommen bekommt brauche",
    "es": "he haga tienen tener quisiera quedo queda",
    "fr": "avoir pourrais voudrais",
}
"""Words of questions that name nothing asked about: auxiliaries, and verbs that fit everything."""


def of(query: str, language: str, known: Container[str] = ()) -> list[str]:
    """Return the words of *query* that tell something, as they are written, each once.

    Words that the table of vectors has together stay so. What is *known* by its `key` is not cut.
    """
    empty = _empty(tags.base(language))
    query = separable_verbs.joined(query, language)
    words = [
        word
        for word in dict.fromkeys(_joined(_told(bare(query, language), language), language))
        if word.lower() not in empty and word not in _CHARACTERS
    ]
    cut = [
        part
        for word in words[:MOST]
        for part in ([word] if key(word) in known else _parts(word, language))
    ]
    return [word for word in cut if word.lower() not in empty] + words[MOST:]


def bare(query: str, language: str) -> str:
    """Return *query* with spaces for what only carries it, where its script writes none.

    Chinese in simplified characters. Other languages stay as they are, and so does what only
    carries. Pairs of characters that lie across two words mean nothing, and are the rarest.
    """
    base = tags.base(language)
    phrases = _PHRASES.get(base)
    told = chinese.simplified(query) if base == "zh" else query
    left = phrases.sub(" ", told) if phrases else told
    return left if any(map(str.isalnum, left)) else told


@functools.cache
def _empty(language: str) -> frozenset[str]:
    carrying = _CARRYING.get(language, "").split()
    return function_words.of(language) | frozenset(carrying)


def _told(text: str, language: str) -> list[str]:
    """Return the words of *text*, of "l'amende" and "d'une" what is behind the apostrophe."""
    found = word_vectors.words_of(text)
    return [translations.without_elision(word, language) for word in found]


def _joined(words: Sequence[str], language: str) -> Iterator[str]:
    """Yield *words*, those of a phrase together."""
    at = 0
    while at < len(words):
        lengths = range(min(_LONGEST, len(words) - at), 1, -1) if at < MOST * 2 else ()
        fits = (n for n in lengths if _is_phrase(" ".join(words[at : at + n]), language))
        length = next(fits, 1)
        yield " ".join(words[at : at + length])
        at += length


def _parts(word: str, language: str) -> Sequence[str]:
    """Return what *word* is made of, itself where it is known whole."""
    return [word] if translations.of(word, language) else word_vectors.parts(word, language)


def _is_phrase(text: str, language: str) -> bool:
    return bool(translations.of(text, language)) or word_vectors.is_of(text, language)


def key(word: str) -> str:
    """Return *word* folded, as readings name it; "" where it is none."""
    return " ".join(index_terms.of(word, "")) if word.isascii() else word_vectors.fold(word)
