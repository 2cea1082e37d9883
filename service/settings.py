"""Read the settings from ``COLLOQUY_*``, once."""

from __future__ import annotations

import difflib
import os
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

import msgspec

from service import secret_files, setting_values
from service.setting_values import CallerBounds

RATE_LIMITS: Final = CallerBounds(visitor=60, user=120, address=1_200, key=60_000, project=120_000)
"""No person asks once a second, and no school twenty times; programs are stopped where they would
be taken for an attack."""
CONCURRENT_REQUESTS: Final = CallerBounds(
    visitor=10, user=20, address=200, key=2_000, project=5_000
)
"""What a person has open in tabs, a school in a lesson, and a program with streams."""


class SettingsError(Exception):
    """A setting cannot be used; the message names the variable and the remedy."""


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """What the operator decides. Every field has a default that works."""

    host: str = "127.0.0.1"
    """COLLOQUY_HOST: the address to listen on."""

    port: int = 8080
    """COLLOQUY_PORT: the port to listen on, 0 to 65535; 0 takes a free one."""

    data_dir: Path = Path(".colloquy")
    """COLLOQUY_DATA_DIR: where the bundled Redis keeps everything, and the index is kept."""

    redis_url: str = ""
    """COLLOQUY_REDIS_URL: a Redis of your own (redis://, rediss://, unix://, redis+sentinel://,
    redis+cluster://); empty starts the bundled one."""

    redis_replicas: int = 0
    """COLLOQUY_REDIS_REPLICAS: how many replicas of your Redis must have a query before it is
    accepted, and a piece of text before it is told, 0 to 5; 0 waits for none, and a failover may
    lose the last moments."""

    index: str = "embedded"
    """COLLOQUY_INDEX: ``embedded`` has each replica keep a search index of its own, ``redis`` has
    all share one in the Query Engine of Redis."""

    llm_base_url: str = ""
    """COLLOQUY_LLM_BASE_URL: an OpenAI-compatible endpoint, up to and with ``/v1``; empty
    answers with sentences from the documents."""

    llm_model: str = ""
    """COLLOQUY_LLM_MODEL: the model to ask for; needed with COLLOQUY_LLM_BASE_URL."""

    llm_api_key: str = ""
    """COLLOQUY_LLM_API_KEY: sent as a bearer token to the endpoint; empty sends none."""

    embeddings: bool = False
    """COLLOQUY_EMBEDDINGS: ``local`` also finds by meaning, with the model of the extra
    ``colloquy[embeddings]``; ``off`` finds by words alone, unless there is an endpoint."""

    embedding_base_url: str = ""
    """COLLOQUY_EMBEDDING_BASE_URL: an OpenAI-compatible endpoint for embeddings, up to and with
    ``/v1``, to search by them."""

    embedding_model: str = ""
    """COLLOQUY_EMBEDDING_MODEL: the model to ask for; needed with COLLOQUY_EMBEDDING_BASE_URL."""

    embedding_api_key: str = ""
    """COLLOQUY_EMBEDDING_API_KEY: sent as a bearer token to that endpoint; empty sends none."""

    llm_temperature: float = 0.2
    """COLLOQUY_LLM_TEMPERATURE: how freely the model chooses its words, 0 to 2."""

    llm_max_tokens: int = 4_096
    """COLLOQUY_LLM_MAX_TOKENS: tokens that the model may write for one answer, its thoughts
    included, 16 to 1000000."""

    llm_daily_tokens: int = 0
    """COLLOQUY_LLM_DAILY_TOKENS: tokens of the model that a project may use in a day (UTC), up to
    1000000000000; then the model is not asked until the next. 0 is no bound."""

    llm_rewrite: bool = False
    """COLLOQUY_LLM_REWRITE: ``on`` lets the model rewrite follow-ups before they are searched for,
    within 3 seconds; ``off`` rephrases them without it."""

    url_hosts: tuple[str, ...] = ()
    """COLLOQUY_URL_HOSTS: hosts whose pages generation may read when it is asked to, such as
    www.example.org, *.example.org or 10.1.0.0/16, separated by commas, each with a port where that
    is not the usual one; ``*`` for all that are public, empty for none."""

    search_url: str = ""
    """COLLOQUY_SEARCH_URL: a SearXNG, or what answers like one, through which generation may search
    the web when it is asked to; the queries of users are sent there. Empty searches nothing."""
    llm_thoughts: bool = False
    """COLLOQUY_LLM_THOUGHTS: ``on`` shows what the model thinks in the steps of answers, to all who
    may read them; thoughts may tell of the portal's instructions."""

    sample: bool = True
    """COLLOQUY_SAMPLE: ``off`` starts with an empty store, ``on`` imports the guide into it."""

    import_dir: Path | None = None
    """COLLOQUY_IMPORT_DIR: a folder that stands for gs://, with a folder for each bucket; empty
    lets nobody import files into corpora by their addresses."""

    portal: Path | None = None
    """COLLOQUY_PORTAL: a TOML file that says what the portal is called, how its people are reached,
    and which words mean the same to it; empty says nothing of it."""

    models: tuple[str, ...] = ()
    """COLLOQUY_MODELS: the model ids that generation answers to, joined by commas; empty answers
    to every id."""

    hosts: tuple[str, ...] = ()
    """COLLOQUY_HOSTS: names under which this service is reached beside its IP addresses and
    localhost, such as help.example.org, separated by commas; requests to others are refused."""

    api_key: str = ""
    """COLLOQUY_API_KEY: the API key that ``colloquy chat`` and ``colloquy evaluate`` show to the
    service that they ask; the service itself does not read it. Empty shows none."""

    anonymous: bool = False
    """COLLOQUY_ANONYMOUS: ``on`` serves callers without a credential beyond this machine: all of
    them may do everything while there is no API key, and become visitors once there is one."""

    origins: tuple[str, ...] = ()
    """COLLOQUY_ORIGINS: pages of other sites that may embed the chat and write, such as
    https://www.example.org, separated by commas; ``*`` for all. A page of our own always may."""

    proxies: tuple[str, ...] = ()
    """COLLOQUY_PROXIES: addresses and networks of the proxies in front, such as 10.0.0.5 or
    10.1.0.0/16, separated by commas; what they say of a client's address, scheme and host is
    believed, and what anybody else says of them is not."""

    project_numbers: tuple[str, ...] = ()
    """COLLOQUY_PROJECT_NUMBERS: the numbers by which programs name projects beside their ids, such
    as colloquy=123456789012, separated by commas; a number that is not listed is a project."""

    session_days: float = 0.0
    """COLLOQUY_SESSION_DAYS: days after which a session or conversation that nobody used is
    deleted with its answers, 0 to 36500; 0 keeps them until somebody deletes them."""

    event_days: float = 30.0
    """COLLOQUY_EVENT_DAYS: days for which user events, and the queries that completion learns from,
    are kept, 0 to 3650; 0 keeps none of them."""

    suggestion_users: int = 5
    """COLLOQUY_SUGGESTION_USERS: how many people must have asked a phrase before it is suggested to
    others, 2 to 1000."""

    lease: float = 5.0
    """COLLOQUY_LEASE: seconds until an answer of a dead replica is taken over, 0.5 to 60."""

    deadline: float = 120.0
    """COLLOQUY_DEADLINE: seconds that one answer may take, 1 to 3600."""

    max_answers: int = 5_000
    """COLLOQUY_MAX_ANSWERS: answers that one process writes at a time, 1 to 1000000; further
    questions are refused."""

    max_requests: int = 4_000
    """COLLOQUY_MAX_REQUESTS: requests over HTTP that one process works at, open streams among
    them, 1 to 1000000; further ones are refused."""

    rate_limits: CallerBounds = RATE_LIMITS
    """COLLOQUY_RATE_LIMITS: requests that a caller may send in a minute, reads apart, such as
    visitor=30,address=600, 0 to 100000000 each; 0 is no bound. Kinds that are not named keep their
    default."""

    concurrent_requests: CallerBounds = CONCURRENT_REQUESTS
    """COLLOQUY_CONCURRENT_REQUESTS: requests of a caller that are worked at, at the same time, such
    as user=10, 0 to 100000000 each; 0 is no bound. Kinds that are not named keep their default."""

    grace: float = 10.0
    """COLLOQUY_GRACE: seconds that running answers get at shutdown, 0 to 600."""

    access_log: float = 0.05
    """COLLOQUY_ACCESS_LOG: the share of the requests that succeed about which the log has a line,
    0 to 1; those that fail have one."""

    traces: bool = False
    """Whether the variables of OpenTelemetry say where traces go."""

    secret_files: Mapping[str, Path] = {}
    """The files that ``COLLOQUY_…_FILE`` name, by the field of `SECRETS` that is read from each."""

    @property
    def local_address(self) -> str:
        """Host and port as a URL has them, for this machine: loopback where all is listened to."""
        host = "127.0.0.1" if self.host in ("0.0.0.0", "::") else self.host  # noqa: S104
        return f"{f'[{host}]' if ':' in host else host}:{self.port}"

    @property
    def known_hosts(self) -> tuple[str, ...]:
        """The names of this service: those listed, and the one that it listens on."""
        # Not localhost: a page of any other server there would count as one of our own.
        listens = self.host.lower() if re.search("[a-z]", self.host, re.IGNORECASE) else ""
        return (*self.hosts, *({listens} - {"", "localhost"}))


_READERS: Final[Mapping[str, Callable[[str], object]]] = {
    "host": str,
    "port": setting_values.whole(0, 65535),
    "data_dir": Path,
    "redis_url": str,
    "redis_replicas": setting_values.whole(0, 5),
    "index": setting_values.one_of("embedded", "redis"),
    "llm_base_url": str,
    "llm_model": str,
    "llm_api_key": str,
    "embeddings": setting_values.embeddings,
    "embedding_base_url": str,
    "embedding_model": str,
    "embedding_api_key": str,
    "llm_temperature": setting_values.number(0, 2),
    "llm_max_tokens": setting_values.whole(16, 1_000_000),
    "llm_daily_tokens": setting_values.whole(0, 1_000_000_000_000),
    "llm_rewrite": setting_values.switch,
    "url_hosts": setting_values.url_hosts,
    "search_url": setting_values.url,
    "llm_thoughts": setting_values.switch,
    "sample": setting_values.switch,
    "import_dir": setting_values.folder,
    "portal": Path,
    "models": setting_values.listed,
    "hosts": setting_values.hosts,
    "api_key": str,
    "anonymous": setting_values.switch,
    "origins": setting_values.origins,
    "proxies": setting_values.networks,
    "project_numbers": setting_values.numbers,
    "session_days": setting_values.number(0, 36500, "days"),
    "event_days": setting_values.number(0, 3650, "days"),
    "suggestion_users": setting_values.whole(2, 1_000),
    "lease": setting_values.number(0.5, 60, "seconds"),
    "deadline": setting_values.number(1, 3600, "seconds"),
    "max_answers": setting_values.whole(1, 1_000_000),
    "max_requests": setting_values.whole(1, 1_000_000),
    "rate_limits": setting_values.by_kind(RATE_LIMITS),
    "concurrent_requests": setting_values.by_kind(CONCURRENT_REQUESTS),
    "grace": setting_values.number(0, 600, "seconds"),
    "access_log": setting_values.number(0, 1),
}


_ENDPOINTS: Final = ("EXPORTER_OTLP_ENDPOINT", "EXPORTER_OTLP_TRACES_ENDPOINT")
_OTLP_HTTP: Final = "http/protobuf"

FIELDS: Final = tuple(_READERS)
"""The fields of `Settings` that have a variable of their own."""

SECRETS: Final = ("redis_url", "llm_api_key", "embedding_api_key", "api_key")
"""Those that may hold a secret, and so be read from a file instead."""


def variable(field: str) -> str:
    """Return the name of the environment variable of a field of `Settings`."""
    return f"COLLOQUY_{field.upper()}"


def file_variable(field: str) -> str:
    """Return the name of the variable that names a file instead, for a field of `SECRETS`."""
    return f"{variable(field)}_FILE"


def read(environment: Mapping[str, str]) -> Settings:
    """Return the settings that *environment* holds; an empty variable counts as absent.

    Raises:
        SettingsError: a value cannot be used, or does not go with another; the message never
            holds a secret.
    """
    files = _secret_files(environment)
    given: dict[str, object] = {"secret_files": files, "traces": _traces(environment)}
    for field, reader in _READERS.items():
        if value := environment.get(variable(field), "").strip():
            try:
                given[field] = reader(value)
            except ValueError as exc:
                raise SettingsError(f"{variable(field)} is '{value}': {exc}") from exc
    for field, path in files.items():
        try:
            given[field] = secret_files.read(path)
        except ValueError as exc:
            raise SettingsError(f"{file_variable(field)} is '{path}': {exc}") from exc
    settings = msgspec.convert(given, Settings)
    _check_pairs(settings)
    return settings


def _secret_files(environment: Mapping[str, str]) -> dict[str, Path]:
    """Return which field is read from which file.

    Raises:
        SettingsError: a secret is given twice, or what is no secret is named as a file.
    """
    files: dict[str, Path] = {}
    for field in FIELDS:
        if not (path := environment.get(file_variable(field), "").strip()):
            continue
        if field not in SECRETS:
            raise SettingsError(
                f"{file_variable(field)} is not known, as {variable(field)} is no secret: "
                f"set {variable(field)}"
            )
        if environment.get(variable(field), "").strip():
            # Which of the two is the old one nobody can say here.
            raise SettingsError(
                f"{variable(field)} and {file_variable(field)} are set: keep one of them"
            )
        files[field] = Path(path)
    return files


def _traces(environment: Mapping[str, str]) -> bool:
    """Tell whether traces are to be sent, by OpenTelemetry's own variables.

    Its specification would send them to this machine where nothing is said; here nobody asked then.

    Raises:
        SettingsError: they are to be sent in a way that is not there.
    """

    def said(name: str) -> str:
        return environment.get(f"OTEL_{name}", "").strip()

    kept = said("SDK_DISABLED").lower() == "true" or said("TRACES_EXPORTER") == "none"
    if kept or not (said(_ENDPOINTS[0]) or said(_ENDPOINTS[1])):
        return False
    protocol = said("EXPORTER_OTLP_TRACES_PROTOCOL") or said("EXPORTER_OTLP_PROTOCOL") or _OTLP_HTTP
    if protocol != _OTLP_HTTP or said("TRACES_EXPORTER") not in ("", "otlp"):
        raise SettingsError(
            "OTEL_TRACES_EXPORTER and OTEL_EXPORTER_OTLP_PROTOCOL: traces are sent as otlp by "
            f"{_OTLP_HTTP} alone; set them so, or leave them out"
        )
    return True


def _check_pairs(settings: Settings) -> None:
    """Raise `SettingsError` where a setting does not go with another."""
    if settings.llm_base_url and not settings.llm_model:
        raise SettingsError(
            "COLLOQUY_LLM_BASE_URL is set: name the model to ask for in COLLOQUY_LLM_MODEL"
        )
    if settings.embedding_base_url and not settings.embedding_model:
        raise SettingsError(
            "COLLOQUY_EMBEDDING_BASE_URL is set: name the model to ask for in "
            "COLLOQUY_EMBEDDING_MODEL"
        )
    if settings.embedding_base_url and settings.embeddings:
        raise SettingsError(
            "COLLOQUY_EMBEDDINGS is local and COLLOQUY_EMBEDDING_BASE_URL is set: keep one of them"
        )


def from_environment() -> Settings:
    """Return the settings of this process; raises `SettingsError` as `read` does."""
    return read(os.environ)


def unknown_variables() -> list[str]:
    """Say of each variable COLLOQUY_* of this process that is no setting which one may be meant."""
    known = {variable(field) for field in FIELDS} | {file_variable(field) for field in SECRETS}
    told: list[str] = []
    for name in sorted(os.environ):
        if name.startswith("COLLOQUY_") and name not in known:
            near = difflib.get_close_matches(name, known, 1)
            told.append(f"{name} is no setting" + (f"; is {near[0]} meant?" if near else ""))
    return told
