"""Embed texts without a model, so that near in meaning's words is near in space.

A vector holds the telling stems of a text and their neighbouring pairs, each weighed by how much
it tells and, slowly, by how often it comes; names are hashed to 64 bits. Equal texts give equal
vectors everywhere and always. A chunk has one vector for the whole of it, its headings included,
and one for each sentence: a short query is never near a long text as a whole, however well one
sentence answers it.
"""

from __future__ import annotations

import functools
import hashlib
import itertools
import math
from array import array
from collections import Counter
from collections.abc import Mapping
from typing import Final

import msgspec

from service.language import content_terms, detection, sentences

_PAIR: Final = 0.2
"""What two neighbouring terms weigh together, beside one that tells as much as they on average."""
_CACHED: Final = 8_192
"""Texts whose vectors are kept, about 4 KB each."""
_SENTENCES: Final = 64
"""Sentences of one text that get a vector of their own."""


class Vector(msgspec.Struct, frozen=True):
    """A sparse vector of length 1 (or 0, for a text that tells nothing)."""

    dimensions: array[int]
    values: array[float]

    def dot(self, other: Mapping[int, float]) -> float:
        """Return the cosine between this vector and *other*, which has length 1 as well."""
        pairs = zip(self.dimensions, self.values, strict=True)
        return sum(value * other[dimension] for dimension, value in pairs if dimension in other)


class TextVectors(msgspec.Struct, frozen=True):
    """The vectors of a chunk."""

    language: str
    whole: Vector
    sentences: tuple[Vector, ...]


def distance(query: str, text: str, context: str = "") -> float:
    """Return how far *query* is from *text*, which stands under the headings *context*.

    0 is the same, 1 has nothing in common, and about 0.5 lies between what answers a question
    and what does not; no two texts are farther apart, though the scale goes to 2.

    The similarity is the mean of two, to the whole and to the nearest sentence; each is the
    square root of a cosine, since lexical cosines of a question and its answer are small.
    """
    embedded = embedding(text, context)
    query_vector = _query_vector(query, embedded.language)
    whole = min(1.0, embedded.whole.dot(query_vector))
    nearest = min(1.0, max((one.dot(query_vector) for one in embedded.sentences), default=whole))
    similarity = max(whole, (math.sqrt(whole) + math.sqrt(nearest)) / 2)
    return round(1.0 - similarity, 6)


@functools.lru_cache(maxsize=_CACHED)
def embedding(text: str, context: str = "") -> TextVectors:
    """Return the vectors of *text*."""
    language = detection.detect(text)
    spans = sentences.spans(text, language)[:_SENTENCES]
    return TextVectors(
        language=language,
        whole=_vector(f"{context}\n{text}", language),
        sentences=tuple(_vector(text[start:end], language) for start, end in spans),
    )


@functools.lru_cache(maxsize=256)
def _query_vector(query: str, language: str) -> Mapping[int, float]:
    vector = _vector(query, language)
    return dict(zip(vector.dimensions, vector.values, strict=True))


def _vector(text: str, language: str) -> Vector:
    telling = content_terms.of(text, language) or content_terms.all_of(text, language)
    weighed = {
        _dimension(term): content_terms.weight(term) * (1 + math.log(count))
        for term, count in Counter(telling).items()
    }
    for one, other in set(itertools.pairwise(telling)):
        weight = _PAIR * (content_terms.weight(one) + content_terms.weight(other)) / 2
        weighed[_dimension(f"{one} {other}")] = weight
    length = math.sqrt(sum(value * value for value in weighed.values())) or 1.0
    ordered = sorted(weighed.items())
    return Vector(
        array("Q", (dimension for dimension, _ in ordered)),
        array("f", (value / length for _, value in ordered)),
    )


@functools.lru_cache(maxsize=1 << 16)
def _dimension(feature: str) -> int:
    return int.from_bytes(hashlib.blake2b(feature.encode(), digest_size=8).digest())
