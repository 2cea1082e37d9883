"""Read the portal file, the TOML that COLLOQUY_PORTAL names."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Final

import msgspec

from service.portal.portal import Portal
from service.project_numbers import ProjectNumbers
from service.settings import SettingsError, variable

_NO_NUMBERS: Final = ProjectNumbers()
_LARGEST: Final = 1 << 20
"""Bytes of a portal file: a hundred times what a long list of synonyms takes."""
_PLACE: Final = re.compile(r"(?P<what>.*) - at `\$\.?(?P<where>[^`]*)`", re.DOTALL)


class PortalError(SettingsError):
    """The portal file cannot be used; the message names file, field and remedy."""


def read(file: Path | None, numbers: ProjectNumbers = _NO_NUMBERS) -> Portal:
    """Return what *file* says of the portal; without a file, the portal that has only defaults.

    Projects that are named by their *numbers* there have their ids in what is returned.

    Raises:
        PortalError: the file cannot be read, or a field of it cannot be used.
    """
    if file is None:
        return Portal()
    try:
        with file.open("rb") as opened:
            data = opened.read(_LARGEST + 1)
        if len(data) > _LARGEST:
            raise ValueError(f"the file is larger than {_LARGEST:,} bytes")
        return numbers.resolve(msgspec.convert(tomllib.loads(data.decode("utf-8-sig")), Portal))
    except OSError as exc:
        raise _error(file, f"cannot be read ({exc.strerror}); name a file that can") from exc
    except UnicodeDecodeError as exc:
        raise _error(file, f"is not in UTF-8 (byte {exc.start}); save it in UTF-8") from exc
    except msgspec.ValidationError as exc:
        raise _error(file, _field(str(exc))) from exc
    except (ValueError, RecursionError) as exc:
        raise _error(file, f"is not TOML that can be used: {exc}") from exc


def _field(complaint: str) -> str:
    """Return *complaint* of msgspec with its field in front, as it is written in the file."""
    if found := _PLACE.fullmatch(complaint):
        what = found["what"]
        where = re.sub(r"\[(\d+)\]", lambda at: f" number {int(at[1]) + 1}", found["where"])
        where = where.replace("[...]", ", one of its languages")
        return f"has a field that cannot be used: {where}: {what}; mend it or take it out"
    return f"cannot be used: {complaint}; mend it or take it out"


def _error(file: Path, problem: str) -> PortalError:
    return PortalError(f"{variable('portal')} is '{file}': the file {problem}")
