"""Who is behind a proxy is what listed proxies say, and nothing that a client makes up."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.security.client_address import UNKNOWN, ForwardedClient, Proxies, is_loopback, site

_LISTED = Proxies(["10.0.0.0/8", "fd00::/8"])
_PROXY = "10.0.0.5"


def client(
    *headers: tuple[str, str], peer: str = _PROXY, proxies: Proxies = _LISTED
) -> ForwardedClient:
    """Return who sends *headers* by way of *peer*."""
    return proxies.client(peer, [(name.encode(), value.encode()) for name, value in headers])


def forwarded_for(value: str, peer: str = _PROXY) -> str:
    """Return the address that ``X-Forwarded-For`` leads to."""
    return client(("x-forwarded-for", value), peer=peer).address


@pytest.mark.parametrize("name", ["x-forwarded-for", "forwarded"])
def test_nobody_is_believed_who_is_not_listed(name: str) -> None:
    """Anybody may write these headers; one who is listed nowhere speaks for itself."""
    value = "for=192.0.2.9" if name == "forwarded" else "192.0.2.9"
    assert client(
        (name, value), ("x-forwarded-proto", "https"), peer="203.0.113.1"
    ) == ForwardedClient("203.0.113.1")
    assert client((name, value), proxies=Proxies()) == ForwardedClient(_PROXY)


@pytest.mark.parametrize(
    ("value", "address"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("192.0.2.1:4711", "192.0.2.1"),
        ("[2001:db8::1]:4711", "2001:db8::1"),
        ("2001:db8::1", "2001:db8::1"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("6.6.6.6, 192.0.2.1", "192.0.2.1"),
        ("6.6.6.6, 10.0.0.9, 192.0.2.1, 10.0.0.7", "192.0.2.1"),
        ("10.0.0.9, 10.0.0.7", "10.0.0.9"),
        ("6.6.6.6, unknown, 10.0.0.7", "10.0.0.7"),
        ("6.6.6.6, nonsense", _PROXY),
        ("fe80::1%eth0", _PROXY),
        ("", _PROXY),
        (" , ,", _PROXY),
    ],
)
def test_the_client_is_the_last_that_is_no_listed_proxy(value: str, address: str) -> None:
    """What stands left of it may be made up, and what cannot be read ends the way."""
    assert forwarded_for(value) == address


def test_several_lines_are_one_list() -> None:
    """RFC 9110, 5.3: their order is the order of the proxies."""
    lines = ("x-forwarded-for", "6.6.6.6"), ("x-forwarded-for", "192.0.2.1")
    assert client(*lines).address == "192.0.2.1"


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("for=192.0.2.1", ForwardedClient("192.0.2.1")),
        (
            'For="[2001:db8::17]:4711";Proto=HTTPS;Host="help.example.org"',
            ForwardedClient("2001:db8::17", "https", "help.example.org"),
        ),
        (
            "for=192.0.2.1;proto=https;host=a.example, for=10.0.0.9;proto=http;host=inner",
            ForwardedClient("192.0.2.1", "https", "a.example"),
        ),
        ("for=6.6.6.6;proto=https, for=192.0.2.1;proto=http", ForwardedClient("192.0.2.1", "http")),
        ("for=unknown;proto=https", ForwardedClient(_PROXY)),
        ("for=_hidden, for=10.0.0.9", ForwardedClient("10.0.0.9")),
        ('for="6.6.6.6, for=192.0.2.1', ForwardedClient("192.0.2.1")),
        ('for="6.6.6.6, for="[2001:db8::1]"', ForwardedClient(_PROXY)),
        ("for=6.6.6.6;for=7.7.7.7", ForwardedClient(_PROXY)),
        ('for=192.0.2.1;by="a,b;for=6.6.6.6"', ForwardedClient("192.0.2.1")),
        ("for=192.0.2.1;proto=gopher;host=a/b", ForwardedClient("192.0.2.1")),
        ("proto=https", ForwardedClient(_PROXY)),
    ],
)
def test_forwarded_is_read_by_its_rfc(value: str, expected: ForwardedClient) -> None:
    """Quoted commas are no separators, and an element that is broken tells nothing."""
    assert client(("forwarded", value)) == expected


def test_two_accounts_that_differ_are_none() -> None:
    """A proxy that writes one of the headers may pass on the other as its client sent it."""
    both = ("forwarded", "for=6.6.6.6;proto=https"), ("x-forwarded-for", "192.0.2.1")
    assert client(*both) == ForwardedClient(_PROXY)
    agreeing = ("forwarded", "for=192.0.2.1"), ("x-forwarded-for", "192.0.2.1")
    assert client(*agreeing).address == "192.0.2.1"


def test_of_two_accounts_that_agree_on_the_address_only_what_both_say_is_believed() -> None:
    """A client knows its own address, and may send the header that its proxy does not write."""
    own = "forwarded", "for=192.0.2.1;proto=http;host=evil.example"
    proxys = ("x-forwarded-for", "192.0.2.1"), ("x-forwarded-proto", "https")
    assert client(own, *proxys) == ForwardedClient("192.0.2.1")
    same = "forwarded", "for=192.0.2.1;proto=https"
    assert client(same, *proxys) == ForwardedClient("192.0.2.1", "https")


@pytest.mark.parametrize(
    "headers",
    [
        (),
        (("x-forwarded-for", "nonsense"),),
        (("x-forwarded-for", "192.0.2.1, unknown"),),
        (("x-forwarded-for", "6.6.6.6, 127.0.0.9"),),
        (("x-forwarded-for", "192.0.2.1"), ("forwarded", "for=6.6.6.6")),
        (("forwarded", 'for="6.6.6.6, for="192.0.2.1"'),),
        (("forwarded", "for=127.0.0.1"),),
        (("forwarded", 'for="[::ffff:127.0.0.1]:80"'),),
    ],
)
def test_who_comes_by_way_of_a_proxy_is_never_this_machine(
    headers: tuple[tuple[str, str], ...],
) -> None:
    """It has no limits, and a client may see to it that the proxy's word cannot be read."""
    near = Proxies(["127.0.0.1", "::1"])
    for peer in ("127.0.0.1", "::1", "::ffff:127.0.0.1"):
        assert client(*headers, peer=peer, proxies=near).address == UNKNOWN
    # A client in a listed network has its own entry passed over.
    inside = ("x-forwarded-for", "127.0.0.1, 10.1.2.3")
    assert client(inside).address == UNKNOWN
    assert not is_loopback(UNKNOWN)
    assert not near.are_at(UNKNOWN)


def test_an_open_quote_ends_with_its_line() -> None:
    """It swallows nothing of what a proxy wrote below it, or nobody would be behind that."""
    lines = ("forwarded", 'for="6.6.6.6'), ("forwarded", 'for="192.0.2.1"')
    assert client(*lines).address == "192.0.2.1"
    assert client(("forwarded", "for=6.6.6.6"), ("forwarded", "for=10.0.0.9")).address == "6.6.6.6"
    hops = [("forwarded", "for=6.6.6.6"), *[("forwarded", "for=10.0.0.9")] * 1_000]
    assert client(*hops).address == "10.0.0.9"


def test_scheme_and_host_are_the_nearest_proxys() -> None:
    """Without an address they are told as well; what is neither is nothing."""
    told = ("x-forwarded-proto", "gopher, https"), ("x-forwarded-host", "help.example.org:8443")
    assert client(*told) == ForwardedClient(_PROXY, "https", "help.example.org:8443")
    assert client(("x-forwarded-host", "a b")) == ForwardedClient(_PROXY)


@pytest.mark.parametrize("hop", ["6.6.6.6", "10.0.0.9"])
def test_a_thousand_hops_are_not_read(hop: str) -> None:
    """The last that were read stand: no request passes so many proxies."""
    assert forwarded_for(", ".join([hop] * 1_000)) == hop
    assert client(("forwarded", ", ".join([f"for={hop}"] * 1_000))).address == hop
    assert forwarded_for("6.6.6.6, " + ", ".join(["10.0.0.9"] * 1_000)) == "10.0.0.9"


@given(st.text(st.characters(codec="latin-1"), max_size=200))
def test_no_client_can_pass_for_another(made_up: str) -> None:
    """Whatever it sends, the proxy appends what it saw; at worst the proxy itself is the client."""
    honest = "192.0.2.1"
    sent = f"{made_up}, {honest}".encode("latin-1")
    assert _LISTED.client(_PROXY, [(b"x-forwarded-for", sent)]).address == honest
    sent = f"{made_up}, for={honest}".encode("latin-1")
    assert _LISTED.client(_PROXY, [(b"forwarded", sent)]).address in (honest, _PROXY)


def test_a_network_of_ipv6_is_one_client() -> None:
    """A home may take another address of its /64 for each request."""
    assert site("2001:db8:1:2:3:4:5:6") == site("2001:db8:1:2::9") == "2001:db8:1:2::/64"
    assert site("2001:db8:1:3::1") != site("2001:db8:1:2::1")
    assert site("::ffff:192.0.2.1") == site("192.0.2.1") == "192.0.2.1"
    assert site("testclient") == "testclient"
    assert site("fe80::1%eth0") == site("fe80::2%eth1") == "fe80::/64"


def test_clients_of_ipv4_are_told_apart_behind_a_translator() -> None:
    """It shows all of them in one network of IPv6."""
    assert site("64:ff9b::192.0.2.1") == "192.0.2.1"
    assert site("64:ff9b:1::192.0.2.1") == "64:ff9b:1::/64"


def test_this_machine_is_known() -> None:
    """Also where IPv4 comes by IPv6."""
    assert is_loopback("127.0.0.9")
    assert is_loopback("::1")
    assert is_loopback("::ffff:127.0.0.1")
    assert not is_loopback("192.0.2.1")
    assert not is_loopback("")
    assert is_loopback("LocalHost.")
    assert not is_loopback("help.localhost")
