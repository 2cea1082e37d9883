"""Which heads of requests are taken, as tables."""

from __future__ import annotations

import pytest

from service.security import request_head
from service.security.hosts import Hosts
from service.security.origin_policy import OriginPolicy
from service.security.request_policy import RequestPolicy

FRIEND = "https://help.example.org"
STRANGER = "https://evil.example"


def policy(*origins: str) -> RequestPolicy:
    hosts = Hosts(["portal.example"])
    return RequestPolicy(hosts, OriginPolicy(hosts, origins))


def verdict(
    *lines: str,
    method: str = "POST",
    path: str = "/v1/x",
    scheme: str = "http",
    origins: tuple[str, ...] = (FRIEND,),
) -> int:
    """Return the status that a request with these header *lines* is refused with, 0 for none."""
    headers: list[tuple[bytes, bytes]] = []
    for line in lines:
        name, _, value = line.partition(": ")
        headers.append((name.lower().encode(), value.encode("latin-1")))
    refusal = policy(*origins).refusal(request_head.read(method, path, scheme, headers))
    return 0 if refusal is None else refusal.http


@pytest.mark.parametrize(
    "host",
    "127.0.0.1 127.0.0.1:8080 192.168.1.7:80 10.0.0.3 0.0.0.0:8080 [::1] [::1]:8080 [fe80::1] "
    "[::ffff:127.0.0.1]:8080 localhost LocalHost:3000 localhost. localhost.:80 localhost: "
    "portal.example PORTAL.example:8443 portal.example.".split(),
)
def test_addresses_localhost_and_listed_names_are_answered(host: str) -> None:
    assert verdict(f"Host: {host}", method="GET") == 0


@pytest.mark.parametrize(
    "host",
    "evil.example portal.example.evil.example xportal.example a.portal.example localhost.evil "
    "evil.localhost 127.0.0.1.evil.example 127.0.0.1.nip.io 127.1 2130706433 0x7f.1 127.0.0.01 "
    "127.0.0.1. ::1 [::1%25eth0] [::1%evil] [evil] [::1 portal.example:http portal.example:999999 "
    "localhost..  user@localhost localhost/evil localhost,evil.example localhost#evil".split(),
)
def test_other_names_and_odd_spellings_are_not(host: str) -> None:
    """Browsers write 127.0.0.1 for 127.1 and its like: only names come as anything else."""
    assert verdict(f"Host: {host}", method="GET") == 421


def test_an_empty_host_is_nobody() -> None:
    assert verdict("Host: ", method="GET") == 421


def test_one_good_host_does_not_hide_another() -> None:
    assert verdict("Host: localhost", "Host: evil.example", method="GET") == 421


@pytest.mark.parametrize("path", ["/livez", "/readyz"])
def test_probes_may_use_any_name(path: str) -> None:
    assert verdict("Host: pod-7.internal", method="GET", path=path) == 0


@pytest.mark.parametrize("path", ["/metrics", "/", "/livez/x", "/v1/livez", "/readyz:x"])
def test_nothing_else_may(path: str) -> None:
    assert verdict("Host: pod-7.internal", method="GET", path=path) == 421


HOST = "Host: 127.0.0.1:8080"
OWN = "Origin: http://127.0.0.1:8080"


@pytest.mark.parametrize("method", ["POST", "PATCH", "PUT", "DELETE"])
@pytest.mark.parametrize(
    "lines",
    [
        (),
        (OWN,),
        ("Sec-Fetch-Site: same-origin",),
        ("Sec-Fetch-Site: none",),
        ("Sec-Fetch-Site: same-origin", "Origin: https://portal.example"),
        (f"Origin: {FRIEND}",),
        (f"Origin: {FRIEND}", "Sec-Fetch-Site: cross-site"),
        ("Origin: https://portal.example",),
        ("Origin: https://portal.example:8443",),
    ],
    ids=" ".join,
)
def test_programs_own_pages_and_friends_may_write(method: str, lines: tuple[str, ...]) -> None:
    assert verdict(HOST, *lines, method=method) == 0


FOREIGN = [
    (f"Origin: {STRANGER}",),
    ("Origin: null",),
    ("Origin: ",),
    ("Origin: http://127.0.0.1:9000",),
    ("Origin: https://127.0.0.1:8080",),
    ("Origin: http://127.0.0.1",),
    ("Origin: http://portal.example",),
    ("Origin: https://portal.example.evil.example",),
    ("Origin: https://evil.example/127.0.0.1:8080",),
    ("Origin: chrome-extension://127.0.0.1:8080",),
    (f"Origin: {FRIEND}.evil.example",),
    (f"Origin: http{FRIEND[5:]}",),
    (f"Origin: {FRIEND}:8443",),
    (OWN, f"Origin: {STRANGER}"),
    (f"Origin: {FRIEND}", f"Origin: {STRANGER}"),
    (f"Origin: {FRIEND} {STRANGER}",),
    ("Sec-Fetch-Site: cross-site",),
    ("Sec-Fetch-Site: same-site",),
    ("Sec-Fetch-Site: same-site", OWN),
    ("Sec-Fetch-Site: something-new",),
    ("Sec-Fetch-Site: ",),
    ("Sec-Fetch-Site: same-origin", "Sec-Fetch-Site: cross-site"),
    ("Sec-Fetch-Site: same-origin, cross-site",),
]


@pytest.mark.parametrize("method", ["POST", "PATCH", "PUT", "DELETE"])
@pytest.mark.parametrize("lines", FOREIGN, ids=" ".join)
def test_strangers_may_not(method: str, lines: tuple[str, ...]) -> None:
    assert verdict(HOST, *lines, method=method) == 403


@pytest.mark.parametrize("lines", FOREIGN, ids=" ".join)
def test_strangers_may_read_what_they_will_not_be_shown(lines: tuple[str, ...]) -> None:
    for method in ("GET", "HEAD", "OPTIONS"):
        assert verdict(HOST, *lines, method=method) == 0


@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_an_event_that_is_collected_is_a_write(method: str) -> None:
    path = "/v1/projects/p/locations/l/userEvents/:collect"
    assert verdict(HOST, "Sec-Fetch-Site: cross-site", method=method, path=path) == 403
    assert verdict(HOST, method=method, path=path) == 0


def test_everybody_may_where_the_operator_says_so() -> None:
    for lines in FOREIGN:
        assert verdict(HOST, *lines, origins=("*",)) == 0


@pytest.mark.parametrize(
    ("scheme", "host", "origin"),
    [
        ("http", "localhost:80", "http://localhost"),
        ("http", "localhost", "http://localhost:80"),
        ("https", "localhost:443", "https://localhost"),
        ("https", "LOCALHOST", "https://localhost"),
        ("ws", "localhost:8080", "http://localhost:8080"),
        ("wss", "localhost", "https://localhost"),
        ("http", "[::1]:8080", "http://[::1]:8080"),
    ],
)
def test_the_own_origin_has_the_scheme_and_the_host(scheme: str, host: str, origin: str) -> None:
    assert verdict(f"Host: {host}", f"Origin: {origin}", scheme=scheme) == 0


def test_a_host_that_is_not_ours_makes_no_origin_ours() -> None:
    """The page of a rebound name says both."""
    assert verdict("Host: evil.example:8080", "Origin: http://evil.example:8080") == 421


BODY = (HOST, "Content-Length: 2")


@pytest.mark.parametrize(
    "kind",
    [
        "application/json",
        "application/json; charset=utf-8",
        "APPLICATION/JSON ;charset=UTF-8",
        "application/json;",
    ],
)
def test_json_is_taken(kind: str) -> None:
    for framed in (BODY, (HOST, "Transfer-Encoding: chunked")):
        assert verdict(*framed, f"Content-Type: {kind}") == 0


@pytest.mark.parametrize(
    "kinds",
    [
        (),
        ("text/plain",),
        ("text/plain;charset=UTF-8",),
        ("text/plain; application/json",),
        ("text/plain, application/json",),
        ("application/json, text/plain",),
        ("application/x-www-form-urlencoded",),
        ("multipart/form-data; boundary=x",),
        ("application/json5",),
        ("application/jsonx; charset=utf-8",),
        ("application/vnd.api+json",),
        ("application/json", "text/plain"),
        ("",),
    ],
    ids=" & ".join,
)
def test_what_a_form_can_send_is_not(kinds: tuple[str, ...]) -> None:
    for framed in (BODY, (HOST, "Transfer-Encoding: chunked")):
        assert verdict(*framed, *(f"Content-Type: {kind}" for kind in kinds)) == 415


@pytest.mark.parametrize("method", ["POST", "PATCH", "PUT", "DELETE"])
def test_no_body_needs_no_type(method: str) -> None:
    for lines in ((), ("Content-Length: 0",), ("Content-Length: 00", "Content-Type: text/plain")):
        assert verdict(HOST, *lines, method=method) == 0


UPLOAD = "/upload/v1/projects/p/locations/l/ragCorpora/1/ragFiles/:upload"


@pytest.mark.parametrize(
    ("lines", "status"),
    [
        (("Content-Type: multipart/form-data; boundary=x",), 0),
        (("Content-Type: multipart/related; boundary=x",), 0),
        (("X-Goog-Upload-Command: upload, finalize",), 0),
        (("X-Goog-Upload-Command: start", "Content-Type: application/json"), 0),
        (("X-Goog-Upload-Command: upload", "Content-Type: application/pdf"), 0),
        ((), 415),
        (("Content-Type: text/plain",), 415),
        (("Content-Type: application/json",), 415),
        (("Content-Type: multipart/form-data", "Content-Type: text/plain"), 415),
        (("X-Goog-Upload-Command: upload", f"Origin: {STRANGER}"), 403),
    ],
)
def test_files_come_as_forms_or_by_command(lines: tuple[str, ...], status: int) -> None:
    assert verdict(*BODY, *lines, path=UPLOAD) == status


def test_a_command_makes_no_upload_of_another_path() -> None:
    assert verdict(*BODY, "X-Goog-Upload-Command: upload", path="/v1/x") == 415
