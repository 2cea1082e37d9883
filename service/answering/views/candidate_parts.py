"""The parts of a candidate: joined where they came in pieces, and where in them a text stands.

What a candidate is grounded in counts the bytes of its whole text; segments count those of the one
part in which they stand, beside thoughts and calls of functions that are parts as well.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

import msgspec

from sessions.resources.candidates import Candidate, GroundingSupport, Segment
from sessions.resources.contents import Content, Part


def joined(parts: Sequence[Part]) -> Iterator[Part]:
    """Yield *parts*, neighbouring texts of one kind as one."""
    for (is_text, thought), group in itertools.groupby(parts, _kind):
        if is_text:
            yield Part(text="".join(part.text or "" for part in group), thought=thought)
        else:
            yield from group


def _kind(part: Part) -> tuple[bool, bool]:
    return part.text is not None, part.thought


class TextPlaces:
    """Knows in which of the parts of one candidate its text stands, as its pieces come."""

    def __init__(self) -> None:
        self._count = 0
        self._kind: tuple[bool, bool] | None = None
        self._texts: list[tuple[int, int]] = []
        """The parts that are text and no thought, by number, each with its bytes."""

    def add(self, content: Content | None) -> None:
        """Count the parts of the next piece, joined with those before it as by `joined`."""
        for part in content.parts if content is not None else ():
            kind = _kind(part)
            is_new = kind != self._kind or not kind[0]
            self._count += is_new
            self._kind = kind
            if kind == (True, False):
                if is_new:
                    self._texts.append((self._count - 1, 0))
                number, size = self._texts[-1]
                self._texts[-1] = number, size + len((part.text or "").encode())

    def placed(self, candidate: Candidate) -> Candidate:
        """Return *candidate*, the last piece, with its segments told of the parts they stand in.

        A segment that goes on behind a call is told once for each of its parts.
        """
        metadata = candidate.grounding_metadata
        # Of one part the places are those of the whole text: what nearly every candidate is.
        if metadata is None or not metadata.grounding_supports or self._count <= 1:
            return candidate
        supports = tuple(
            msgspec.structs.replace(support, segment=segment)
            for support in metadata.grounding_supports
            for segment in self._segments(support)
        )
        metadata = msgspec.structs.replace(metadata, grounding_supports=supports)
        return msgspec.structs.replace(candidate, grounding_metadata=metadata)

    def _segments(self, support: GroundingSupport) -> Iterator[Segment]:
        segment = support.segment or Segment()
        data = segment.text.encode()
        begins = 0
        for number, size in self._texts:
            first = max(segment.start_index, begins)
            last = min(segment.end_index, begins + size)
            if first < last:
                text = data[first - segment.start_index : last - segment.start_index].decode()
                yield Segment(
                    part_index=number,
                    start_index=first - begins,
                    end_index=last - begins,
                    text=text,
                )
            begins += size
