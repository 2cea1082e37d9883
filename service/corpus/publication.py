"""Read what fields say of the licence of a document and of when it was published.

Portals name the same in many ways: Dublin Core, schema.org, Open Graph, the meta tags of citations,
front matter. Only a field whose name says it counts: when a file was written or changed is no
publication, and a copyright notice is no licence.
"""

from __future__ import annotations

import datetime as dt
import email.utils
import re
from collections.abc import Mapping
from typing import Final, NamedTuple, cast

LICENSE: Final = "license"
DATE: Final = "datePublished"
"""The fields (of schema.org) that the statements of a file become."""
_LICENSES: Final = ("license", "licence", "licenseurl", "licenceurl", "dctermslicense", "cclicense")
_DATES: Final = (
    *("datepublished", "publicationdate", "publisheddate", "publishdate", "pubdate"),
    *("articlepublishedtime", "publishedtime", "publishtime", "publishedat", "published"),
    *("dctermsissued", "dcdateissued", "dateissued", "issued", "prismpublicationdate"),
    *("citationpublicationdate", "citationdate", "dctermsdate", "dcdate", "date"),
)
"""Names in letters alone, the clearest first."""
_NO_LETTER: Final = re.compile(r"[^a-z]+")
_LONGEST: Final = 300
"""Characters of a licence: its name or its address, and not its text."""
_EARLIEST: Final = 1000
"""The year before which four digits are no year of a publication."""
_WRITTEN: Final = (
    re.compile(
        r"(?P<year>\d{4})(?:(?P<sign>[-/.])(?P<month>\d{1,2})"
        r"(?:(?P=sign)(?P<day>\d{1,2})(?:[T\s]\d.*)?)?)?"
    ),
    re.compile(r"(?:D:)?(?P<year>\d{4})(?P<month>\d\d)(?:(?P<day>\d\d)(?:T?\d.*)?)?"),
)
"""ISO 8601, whole or in part, with signs and without them, as PDF writes it, too."""


class PartialDate(NamedTuple):
    """A date of which the day, or the month as well, may be unknown: 0."""

    year: int
    month: int = 0
    day: int = 0

    def __str__(self) -> str:
        """Return it as ISO 8601 writes it, as far as it is known."""
        parts = (f"{self.year:04}", *(f"{part:02}" for part in (self.month, self.day) if part))
        return "-".join(parts)


def license_of(fields: Mapping[str, object]) -> str:
    """Return the licence that *fields* name, "" where they name none."""
    for value in _values(fields, _LICENSES):
        named = value
        if isinstance(value, Mapping):  # a CreativeWork of schema.org
            work = cast("Mapping[str, object]", value)
            named = work.get("url") or work.get("@id") or work.get("name")
        if isinstance(named, str) and named.strip():
            text = " ".join(named.split())
            return text if len(text) <= _LONGEST else ""
    return ""


def date_of(fields: Mapping[str, object]) -> PartialDate | None:
    """Return when a document with these *fields* was published, None where they do not say."""
    dates = (read_date(value) for value in _values(fields, _DATES))
    return next((date for date in dates if date is not None), None)


def statements(said: Mapping[str, object]) -> dict[str, str]:
    """Return of what a file *said* of itself licence and date, by `LICENSE` and `DATE`."""
    date = date_of(said)
    found = {LICENSE: license_of(said), DATE: str(date) if date else ""}
    return {name: value for name, value in found.items() if value}


def joined(fields: Mapping[str, object], stated: Mapping[str, str]) -> dict[str, object]:
    """Return *fields* with what a file *stated*, where the fields do not say it themselves."""
    made = dict(fields)
    if LICENSE in stated and not license_of(fields):
        made[LICENSE] = stated[LICENSE]
    if DATE in stated and date_of(fields) is None:
        made[DATE] = stated[DATE]
    return made


def read_date(value: object) -> PartialDate | None:
    """Return the date that *value* is, a text or a year, None where it is none."""
    if isinstance(value, float) and value.is_integer():  # as a number of JSON may come
        value = int(value)
    if isinstance(value, int) and not isinstance(value, bool):
        value = str(value)
    if not isinstance(value, str) or len(value := value.strip()) > _LONGEST:
        return None
    if found := next(filter(None, (form.fullmatch(value) for form in _WRITTEN)), None):
        year, month, day = (int(found[part] or 0) for part in ("year", "month", "day"))
    elif parsed := email.utils.parsedate(value):
        year, month, day = parsed[:3]
    else:
        return None
    if year < _EARLIEST:
        return None
    try:
        dt.date(year, month or 1, day or 1)
    except ValueError:
        return None
    return PartialDate(year, month, day)


def _values(fields: Mapping[str, object], names: tuple[str, ...]) -> list[object]:
    """Return the values of the fields with these *names*, in the order of the names."""
    found: dict[str, object] = {}
    for name, value in fields.items():
        found.setdefault(_NO_LETTER.sub("", name.lower()), value)
    return [found[name] for name in names if name in found]
