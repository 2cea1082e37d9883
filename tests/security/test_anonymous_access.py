from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from service.security import anonymous_access
from service.settings import Settings, SettingsError

LOCAL = Settings(
    hosts=("localhost",),
    origins=("http://localhost:3000", "http://127.0.0.1", "https://[::1]:8443"),
)


@pytest.mark.parametrize("host", ["127.0.0.1", "127.9.9.9", "::1", "localhost", "LOCALHOST."])
def test_what_only_this_machine_reaches_may_be_open(host: str) -> None:
    anonymous_access.check(replace(LOCAL, host=host), ["http://localhost"])


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("host", "0.0.0.0"),
        ("host", "::"),
        ("host", ""),
        ("host", "192.168.1.4"),
        ("host", "128.0.0.1"),
        ("host", "127.0.0.1.example.org"),
        ("host", "help.localhost"),
        ("host", "::ffff:10.0.0.1"),
        ("hosts", "help.example.org"),
        ("hosts", "localhost.example.org"),
        ("origins", "*"),
        ("origins", "https://www.example.org"),
        ("origins", "http://localhost.example.org"),
    ],
)
def test_whatever_reaches_further_needs_a_key_or_the_word_of_the_operator(
    field: str, value: str
) -> None:
    given: Any = value if field == "host" else (*getattr(LOCAL, field), value)
    settings = replace(LOCAL, **{field: given})
    with pytest.raises(
        SettingsError,
        match=r"COLLOQUY_HOST.*keys create.*COLLOQUY_ANONYMOUS=on|"
        r"COLLOQUY_ORIGINS.*keys create.*COLLOQUY_ANONYMOUS=on",
    ) as refused:
        anonymous_access.check(settings)
    assert f"={value} " in str(refused.value)
    anonymous_access.check(replace(settings, anonymous=True))


def test_a_page_that_one_data_store_allows_counts_as_well() -> None:
    with pytest.raises(SettingsError, match=r"https://www\.example\.org of the portal file"):
        anonymous_access.check(LOCAL, ["https://www.example.org"])


@pytest.mark.parametrize(
    ("anonymous", "any_key", "what"),
    [
        (False, False, "whoever is on this machine may do everything"),
        (True, False, "whoever reaches the port may do everything"),
        (False, True, "nobody is let in"),
        (True, True, "may become a visitor, and do nothing else"),
    ],
)
def test_the_operator_is_told_what_the_setting_means_now(
    anonymous: bool, any_key: bool, what: str
) -> None:
    settings = replace(LOCAL, anonymous=anonymous)
    assert what in anonymous_access.told(settings, any_key=any_key)


@pytest.mark.parametrize(
    ("changes", "origins"),
    [
        ({}, ("http://127.0.0.1:8080", "http://localhost:8080")),
        ({"host": "localhost"}, ("http://127.0.0.1:8080", "http://localhost:8080")),
        ({"host": "::1", "port": 80}, ("http://[::1]", "http://localhost")),
        ({"host": "0.0.0.0"}, ()),
        ({"hosts": ("help.example.org",)}, ()),
        ({"origins": ("https://www.example.org",)}, ()),
        ({"proxies": ("127.0.0.1",)}, ()),
        ({"anonymous": True}, ()),
    ],
)
def test_the_demo_is_for_a_service_that_only_this_machine_reaches(
    changes: dict[str, Any], origins: tuple[str, ...]
) -> None:
    assert anonymous_access.demo_origins(replace(Settings(), **changes)) == origins
