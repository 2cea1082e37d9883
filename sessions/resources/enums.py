"""Give every documented enum both of its wire forms, name and number.

msgspec decodes an enum by the keys of ``_value2member_map_`` and encodes ``_value_``. A
documented enum is declared by number; here the map is keyed by name and ``_value_`` becomes a
`Tag` that msgspec does not know, so that the encoder's hook decides which form goes out:
numbers where the request says ``$alt=json;enum-encoding=int``. The two forms cost the same, and a
decoded enum costs what any enum costs.
"""

from __future__ import annotations

import enum
from typing import Any


class Tag:
    """The two wire forms of one enum member."""

    __slots__ = ("name", "number")

    def __init__(self, name: str, number: int) -> None:
        self.name = name
        self.number = number


class Documented(enum.Enum):
    """An enum of the documents, declared as ``NAME = number``."""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        for member in cls:
            member._value_ = Tag(member.name, member._value_)
        cls._value2member_map_ = {member.name: member for member in cls}

    @property
    def value(self) -> str:  # pyright: ignore[reportIncompatibleMethodOverride]
        """The name: what schema generators list."""
        return self.name

    @property
    def number(self) -> int:
        """The number of this member in the documents."""
        tag: Tag = self._value_
        return tag.number

    def __repr__(self) -> str:
        return f"{type(self).__name__}.{self.name}"
