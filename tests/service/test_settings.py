from __future__ import annotations

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
    ],
)
def test_a_bad_value_stops_the_start_and_names_its_variable(variable: str, value: str) -> None:
    with pytest.raises(settings.SettingsError, match=f"^{variable} is '{value}': give "):
        settings.read({variable: value})


def test_an_endpoint_without_a_model_is_refused() -> None:
    with pytest.raises(settings.SettingsError, match="COLLOQUY_LLM_MODEL"):
        settings.read({"COLLOQUY_LLM_BASE_URL": "http://model/v1"})
