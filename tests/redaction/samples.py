"""Make up personal data as people type it, and numbers and names that only look like it."""

from __future__ import annotations

import random
import string
import uuid
from typing import Final

PLAIN: Final = (
    "{}",
    "I am {} and got no reply.",
    "Why was {} refused yesterday?",
    "Hello, {}, thank you",
    "请问{}为什么不行",
)
"""Sentences that do not say what is in them."""
CALLED: Final = (
    "My phone is {}",
    "Call me at {} please",
    "Tel.: {}",
    "phone number {} is not accepted",
    "Mein Telefon ist {}",
    "mi teléfono es {}",
    "我的电话是{}",
)
"""Sentences that say what a telephone number is."""
_IBANS: Final = (
    "DE dddddddddddddddddd|GB aaaadddddddddddddd|NL aaaadddddddddd|FR ddddddddddcccccccccccdd"
    "|NO ddddddddddd|ES dddddddddddddddddddd|PL dddddddddddddddddddddddd|CH dddddcccccccccccc"
    "|MT aaaadddddcccccccccccccccccc|SA ddcccccccccccccccccc"
).split("|")
_CARDS: Final = (
    "4ddddddddddddddd|51dddddddddddddd|2345dddddddddddd|34ddddddddddddd|6011dddddddddddd"
    "|3530dddddddddddd|36dddddddddddd|62dddddddddddddd|6304dddddddddddd"
).split("|")
_INTERNATIONAL: Final = (
    "+49 30 ddddddd|+4917dddddddd|+1 (2dd) 3dd-dddd|+12dd4dddddd|+44 20 dddd dddd|+33 6 dd dd dd dd"
    "|+34 6dd ddd ddd|+45 dd dd dd dd|+86 138 dddd dddd|+91 98ddd ddddd|+55 11 9dddd-dddd"
    "|0049 30 ddddddd|+81-90-dddd-dddd|+49 (0)89 ddd ddd"
).split("|")
_NATIONAL: Final = (
    "(2dd) 3dd-dddd|4dd-5dd-dddd|5dd.6dd.dddd|6dd 7dd dddd|1-8dd-2dd-dddd|030 ddddddd|0171/ddddddd"
    "|089 / ddd dd dd|06 dd dd dd dd|020 7ddd dddd|07ddd dddddd|06-dddddddd|138 dddd dddd"
    "|090-dddd-dddd|(040) dddddd"
).split("|")
_BARE: Final = (
    "6dd ddd ddd|dd dd dd dd|3dd ddd dddd|98ddd ddddd|2dd3dddddd|0171ddddddd|138dddddddd"
    "|(11) 9dddd-dddd|96ddddddd"
).split("|")
"""Forms that other numbers have as well."""
_OTHERS: Final = (
    "order 1dd-ddddddd-ddddddd|order number dddddddddd|ticket #dddddddd|version 1d.d.ddddd.dddd"
    "|v2.1d.3|192.168.1dd.1dd|10.0.d.d:80dd|2024-05-1d|1d.05.2024|1d.05.2024 1d:30"
    "|2024-05-1dT1d:30:00+02:00|error 0x8007000d|error 8007dddd"
    "|ORA-0dddd|KB50ddddd|$1,2dd,ddd.99|1.2dd.ddd,99 EUR"
    "|dd ddd ddd km|ISBN 978-3-16-14ddd0-0|ISSN 2049-3630"
    "|part 0445 110 ddd|AB-1dd-2dd-dddd|SKU dddd-dddd-dddd"
    "|case 20240ddddd|invoice RE-2024-0dddd|RFC 5321|pages 100-2dd|1990-202d|9:00-17:00|room 1.2dd"
    "|tracking 1Zdddddddddddddddd|gtin 40ddddddddddd|zip 1dddd-1ddd|lodash@4.1d.21|logo@2x.png"
    "|@handle_dd|user@localhost|GMT+0d00|+1d%|C++1d|dddd rows of dddd|16dddddddd seconds"
).split("|")


def filled(rng: random.Random, form: str) -> str:
    """Return *form* with digits for ``d``; words in it stay."""
    return "".join(
        rng.choice(string.digits) if char == "d" and not _in_word(form, at) else char
        for at, char in enumerate(form)
    )


def _in_word(form: str, at: int) -> bool:
    """Whether the ``d`` there is a letter of a word."""
    around = form[max(0, at - 1) : at] + form[at + 1 : at + 2]
    return any(char.isalpha() and char != "d" for char in around) or form[at : at + 2] == "dl"


def email(rng: random.Random) -> str:
    """Return an e-mail address."""
    name = "".join(rng.choices(string.ascii_lowercase, k=rng.randint(1, 9)))
    local = rng.choice(
        (name, f"{name}.lee", f"{name}+shop", f"{name}_1", name.title(), f"{name}-x7")
    )
    domain = rng.choice(
        ("example.org", "mail.example.co.uk", "x-y.example", "müller.de", "e1.museum")
    )
    return rng.choice(("{}", "{}", "<{}>", "mailto:{}")).format(f"{local}@{domain}")


def card(rng: random.Random) -> str:
    """Return the number of a card, alone or in groups."""
    number = filled(rng, rng.choice(_CARDS))
    digits = [int(each) for each in number]
    total = sum(digits[-3::-2]) + sum(sum(divmod(2 * each, 10)) for each in digits[-2::-2])
    number = number[:-1] + str(-total % 10)
    return rng.choice(("{}", "{}")).format(_grouped(number, rng.choice(("", " ", "-"))))


def iban(rng: random.Random) -> str:
    """Return an IBAN, alone or in groups, in either case."""
    country, form = rng.choice(_IBANS).split()
    kinds = {"d": string.digits, "a": string.ascii_uppercase, "c": string.digits + "ABCXYZ"}
    account = "".join(rng.choice(kinds[each]) for each in form)
    number = int("".join(str(int(char, 36)) for char in f"{account}{country}00"))
    made = _grouped(f"{country}{98 - number % 97:02}{account}", rng.choice(("", " ")))
    return made.lower() if rng.random() < 0.2 else made


def international(rng: random.Random) -> str:
    """Return a telephone number with the code of its country."""
    return filled(rng, rng.choice(_INTERNATIONAL))


def national(rng: random.Random) -> str:
    """Return a telephone number in a form that little else has."""
    return filled(rng, rng.choice(_NATIONAL))


def bare(rng: random.Random) -> str:
    """Return a telephone number in a form that other numbers have."""
    return filled(rng, rng.choice(_BARE))


def other(rng: random.Random) -> str:
    """Return what people ask about: an order, a version, a date, an error."""
    if rng.random() < 0.05:
        return str(uuid.UUID(int=rng.getrandbits(128), version=4))
    return filled(rng, rng.choice(_OTHERS))


def _grouped(text: str, mark: str) -> str:
    return mark.join(text[at : at + 4] for at in range(0, len(text), 4))
