"""Read the values of settings from text; each function raises `ValueError` with the remedy."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

import msgspec

from service import project_numbers
from service.url_hosts import UrlHosts

_NAME: Final = re.compile(r"[a-z0-9_]([a-z0-9_.-]{0,251}[a-z0-9_])?")
_ORIGIN: Final = re.compile(rf"https?://({_NAME.pattern}|\[[0-9a-f:.]+\])(:[0-9]{{1,5}})?")
_ADDRESS: Final = re.compile(r"https?://[^\s/?#@]+(?:/[^\s?#]*)?")
_USUAL_PORT: Final = re.compile(r"^(http://.*):80$|^(https://.*):443$")


class CallerBounds(msgspec.Struct, frozen=True, kw_only=True):
    """A number for each kind of caller; 0 is no bound."""

    visitor: int
    user: int
    address: int
    key: int
    project: int

    def __str__(self) -> str:
        """Return the bounds as the operator writes them."""
        return ",".join(f"{kind}={bound}" for kind, bound in msgspec.structs.asdict(self).items())


def listed(value: str) -> tuple[str, ...]:
    """Return the parts of *value* between commas."""
    return tuple(part.strip() for part in value.split(",") if part.strip())


def folder(value: str) -> Path:
    """Return the folder of this path, which is there."""
    if not Path(value).is_dir():
        raise ValueError("there is no such folder")
    return Path(value)


def hosts(value: str) -> tuple[str, ...]:
    """Return the names of hosts in *value*, in lower case and without the dot of the root."""
    given = tuple(part.lower().removesuffix(".") for part in listed(value))
    for name in given:
        if not _NAME.fullmatch(name):
            raise ValueError("give names such as help.example.org, without scheme or port")
    return given


def origins(value: str) -> tuple[str, ...]:
    """Return the origins in *value* as browsers write them: in lower case, without the usual port.

    Raises:
        ValueError: one is none.
    """
    given = tuple(part.rstrip("/").lower() for part in listed(value))
    for origin in given:
        if origin != "*" and not _ORIGIN.fullmatch(origin):
            raise ValueError("give origins such as https://www.example.org, or *")
    return tuple(_USUAL_PORT.sub(r"\1\2", origin) for origin in given)


def exact_origins(given: Sequence[str]) -> tuple[str, ...]:
    """Return *given*, each of them an origin exactly as browsers send it.

    Raises:
        ValueError: one is none, or ``*``.
    """
    for origin in given:
        if origin == "*" or origins(origin) != (origin,):
            raise ValueError(
                f"'{origin}' is no origin as browsers send it; give some such as "
                "https://www.example.org, in lower case and without a slash at the end"
            )
    return tuple(given)


def numbers(value: str) -> tuple[str, ...]:
    """Return the assignments of project numbers in *value*."""
    given = listed(value)
    project_numbers.check(given)
    return given


def url_hosts(value: str) -> tuple[str, ...]:
    """Return the hosts of the web in *value*."""
    given = listed(value)
    UrlHosts(given)
    return given


def url(value: str) -> str:
    """Return *value*, an address of the web."""
    if not _ADDRESS.fullmatch(value):
        raise ValueError("give an address such as http://127.0.0.1:8888")
    return value


def switch(value: str) -> bool:
    """Return whether *value* is on."""
    match value.lower():
        case "on" | "true" | "1" | "yes":
            return True
        case "off" | "false" | "0" | "no":
            return False
        case _:
            raise ValueError("give on or off")


def one_of(*names: str) -> Callable[[str], str]:
    """Return what reads one of *names*."""

    def read(value: str) -> str:
        if (name := value.lower()) not in names:
            raise ValueError(f"give {' or '.join(names)}")
        return name

    return read


def embeddings(value: str) -> bool:
    """Return whether *value* asks for the local model."""
    match value.lower():
        case "local":
            return True
        case "off":
            return False
        case _:
            raise ValueError("give local or off")


def networks(value: str) -> tuple[str, ...]:
    """Return the addresses and networks in *value*."""
    given = listed(value)
    for network in given:
        try:
            ipaddress.ip_network(network, strict=False)
        except ValueError:
            raise ValueError("give addresses and networks such as 10.0.0.5, 10.1.0.0/16") from None
    return given


def by_kind(defaults: CallerBounds) -> Callable[[str], CallerBounds]:
    """Return what reads a number for each kind of caller, beside *defaults*."""

    def read(value: str) -> CallerBounds:
        given: dict[str, int] = {}
        for part in listed(value):
            kind, _, number = part.partition("=")
            if kind not in defaults.__struct_fields__:
                known = ", ".join(defaults.__struct_fields__)
                raise ValueError(f"give {known} a number, such as visitor=30,address=600")
            given[kind] = whole(0, 100_000_000)(number)
        return msgspec.structs.replace(defaults, **given)

    return read


def whole(low: int, high: int) -> Callable[[str], int]:
    """Return what reads a whole number from *low* to *high*."""

    def read(value: str) -> int:
        number = int(value) if value.lstrip("-").isdecimal() else low - 1
        if not low <= number <= high:
            raise ValueError(f"give a whole number from {low} to {high}")
        return number

    return read


def number(low: float, high: float, unit: str = "") -> Callable[[str], float]:
    """Return what reads a number of a *unit* from *low* to *high*."""
    what = f"a number of {unit}" if unit else "a number"

    def read(value: str) -> float:
        try:
            number = float(value)
        except ValueError:
            number = low - 1
        if not low <= number <= high:
            raise ValueError(f"give {what} from {low:g} to {high:g}")
        return number

    return read
