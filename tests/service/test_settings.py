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


@pytest.mark.parametrize("field", settings.SECRETS)
def test_a_secret_is_read_from_a_file(tmp_path: Path, field: str) -> None:
    file = tmp_path / "secret"
    file.write_text("redis://:s3cret@elsewhere\r\n")
    given = settings.read({settings.file_variable(field): str(file)})
    assert getattr(given, field) == "redis://:s3cret@elsewhere"
    assert given.secret_files == {field: file}


@pytest.mark.parametrize("field", settings.SECRETS)
def test_a_secret_that_is_given_twice_is_refused(tmp_path: Path, field: str) -> None:
    file = tmp_path / "secret"
    file.write_text("new")
    both = {settings.variable(field): "old", settings.file_variable(field): str(file)}
    with pytest.raises(settings.SettingsError) as refused:
        settings.read(both)
    assert str(refused.value) == (
        f"{settings.variable(field)} and {settings.file_variable(field)} are set: keep one of them"
    )


def test_every_setting_that_holds_a_key_or_a_password_may_come_from_a_file() -> None:
    """A new setting with such a name has to be one of them."""
    named = {
        field
        for field in settings.FIELDS
        if re.search("key|secret|password|token(?!s)|redis_url", field)
    }
    assert named == set(settings.SECRETS)


@pytest.mark.parametrize(
    ("variables", "traces"),
    [
        ({}, False),
        ({"OTEL_TRACES_SAMPLER": "always_on"}, False),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": " "}, False),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://otel:4318"}, True),
        ({"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://otel:4318/v1/traces"}, True),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": "x", "OTEL_TRACES_EXPORTER": "otlp"}, True),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": "x", "OTEL_TRACES_EXPORTER": "none"}, False),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": "x", "OTEL_SDK_DISABLED": "TRUE"}, False),
    ],
)
def test_traces_are_sent_where_the_variables_of_opentelemetry_say_to_whom(
    variables: dict[str, str], traces: bool
) -> None:
    assert settings.read(variables).traces is traces


@pytest.mark.parametrize(
    "variables", [{"OTEL_EXPORTER_OTLP_PROTOCOL": "grpc"}, {"OTEL_TRACES_EXPORTER": "zipkin"}]
)
def test_a_way_to_send_traces_that_is_not_there_is_refused(variables: dict[str, str]) -> None:
    with pytest.raises(settings.SettingsError, match="traces are sent as otlp by http/protobuf"):
        settings.read({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://otel:4317", **variables})


def test_what_is_no_secret_comes_from_no_file() -> None:
    """Else who sets it would believe that it is read."""
    with pytest.raises(settings.SettingsError, match=r"^COLLOQUY_PORT_FILE is not known"):
        settings.read({"COLLOQUY_PORT_FILE": "/run/port"})


def test_a_file_that_cannot_be_used_is_named_without_what_is_in_it(tmp_path: Path) -> None:
    file = tmp_path / "secret"
    file.write_text("s3cret\nmore")
    with pytest.raises(settings.SettingsError) as refused:
        settings.read({"COLLOQUY_LLM_API_KEY_FILE": str(file)})
    assert str(refused.value) == (
        f"COLLOQUY_LLM_API_KEY_FILE is '{file}': the file has to hold one line of text"
    )


@pytest.mark.parametrize(
    ("host", "address"),
    [
        ("127.0.0.1", "127.0.0.1:8080"),
        ("0.0.0.0", "127.0.0.1:8080"),
        ("::", "127.0.0.1:8080"),
        ("::1", "[::1]:8080"),
        ("chat.example.org", "chat.example.org:8080"),
    ],
)
def test_a_service_that_listens_everywhere_answers_at_loopback(host: str, address: str) -> None:
    assert settings.Settings(host=host).local_address == address
