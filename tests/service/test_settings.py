from __future__ import annotations

import re
from pathlib import Path

import pytest

from service import settings


def test_nothing_in_the_environment_is_needed() -> None:
    assert settings.read({}) == settings.Settings()


def test_every_setting_is_read_from_its_variable() -> None:
    given = settings.read(
        {
            "COLLOQUY_HOST": "0.0.0.0",
            "COLLOQUY_PORT": "9000",
            "COLLOQUY_DATA_DIR": "/somewhere",
            "COLLOQUY_REDIS_URL": "redis://elsewhere",
            "COLLOQUY_LLM_BASE_URL": "http://model/v1",
            "COLLOQUY_LLM_MODEL": "small",
            "COLLOQUY_LLM_API_KEY": "k",
            "COLLOQUY_SAMPLE": "off",
            "COLLOQUY_LEASE": "1.5",
        }
    )
    assert (given.host, given.port, given.data_dir) == ("0.0.0.0", 9000, Path("/somewhere"))
    assert given.redis_url == "redis://elsewhere"
    assert (given.llm_base_url, given.llm_model) == ("http://model/v1", "small")
    assert (given.llm_api_key, given.sample, given.lease) == ("k", False, 1.5)


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("COLLOQUY_PORT", "http"),
        ("COLLOQUY_PORT", "65536"),
        ("COLLOQUY_SAMPLE", "maybe"),
        ("COLLOQUY_LEASE", "0.1"),
        ("COLLOQUY_DEADLINE", "soon"),
        ("COLLOQUY_GRACE", "nan"),
        ("COLLOQUY_URL_HOSTS", "https://www.example.org"),
        ("COLLOQUY_URL_HOSTS", "www.example.org, a/b"),
        ("COLLOQUY_SEARCH_URL", "127.0.0.1:8888"),
        ("COLLOQUY_SEARCH_URL", "https://user:secret@search.example"),
        ("COLLOQUY_SEARCH_URL", "https://search.example/search?q="),
        ("COLLOQUY_HOSTS", "https://help.example.org"),
        ("COLLOQUY_HOSTS", "help.example.org:8080"),
        ("COLLOQUY_HOSTS", "*"),
        ("COLLOQUY_HOSTS", "ok.example, *.example.org"),
        ("COLLOQUY_HOSTS", "hälp.example.org"),
        ("COLLOQUY_ORIGINS", "example.org"),
        ("COLLOQUY_ORIGINS", "https://*.example.org"),
        ("COLLOQUY_ORIGINS", "https://user@example.org"),
        ("COLLOQUY_ORIGINS", "https://example.org/page"),
        ("COLLOQUY_ORIGINS", "null"),
    ],
)
def test_a_bad_value_stops_the_start_and_names_its_variable(variable: str, value: str) -> None:
    with pytest.raises(settings.SettingsError, match=f"^{variable} is '{re.escape(value)}': give "):
        settings.read({variable: value})


def test_an_endpoint_without_a_model_is_refused() -> None:
    with pytest.raises(settings.SettingsError, match="COLLOQUY_LLM_MODEL"):
        settings.read({"COLLOQUY_LLM_BASE_URL": "http://model/v1"})


def test_hosts_and_origins_are_written_as_browsers_do() -> None:
    given = settings.read(
        {
            "COLLOQUY_HOSTS": "Help.Example.org., intranet",
            "COLLOQUY_ORIGINS": "HTTPS://Www.Example.org:443/, http://a.example:80,http://[::1]:3000",
        }
    )
    assert given.hosts == ("help.example.org", "intranet")
    assert given.origins == ("https://www.example.org", "http://a.example", "http://[::1]:3000")


def test_what_of_the_web_may_be_read_is_listed() -> None:
    given = settings.read(
        {
            "COLLOQUY_URL_HOSTS": "www.example.org, *.example.com:8443,10.1.0.0/16",
            "COLLOQUY_SEARCH_URL": "http://127.0.0.1:8888/searxng",
        }
    )
    assert given.url_hosts == ("www.example.org", "*.example.com:8443", "10.1.0.0/16")
    assert given.search_url == "http://127.0.0.1:8888/searxng"


@pytest.mark.parametrize(
    ("host", "names"),
    [
        ("127.0.0.1", ()),
        ("::1", ()),
        ("localhost", ()),
        ("0.0.0.0", ()),
        ("Desk.lan", ("desk.lan",)),
    ],
)
def test_a_name_that_is_listened_on_is_one_of_the_service(host: str, names: tuple[str]) -> None:
    """Not localhost: what else listens there would have its pages counted as our own."""
    assert settings.Settings(host=host).known_hosts == names
