"""Which addresses of the web are asked for."""

from __future__ import annotations

import ipaddress

import pytest
from yarl import URL

from service.url_hosts import UrlHosts, is_public

EVERYWHERE = UrlHosts(("*",))


@pytest.mark.parametrize(
    "address",
    ["8.8.8.8", "2606:4700::1111", "::ffff:8.8.8.8", "64:ff9b::808:808", "2a00:1450:4001::200e"],
)
def test_what_anybody_may_have_is_public(address: str) -> None:
    assert is_public(ipaddress.ip_address(address))


@pytest.mark.parametrize(
    "address",
    [
        *("127.0.0.1", "0.0.0.0", "10.0.0.1", "192.168.1.1", "172.16.0.1", "100.64.0.1"),
        *("169.254.169.254", "168.63.129.16", "192.0.0.192", "192.88.99.1", "224.0.0.1"),
        *("240.0.0.1", "255.255.255.255", "198.18.0.1", "203.0.113.1"),
        *("::", "::1", "fe80::1", "fe80::1%eth0", "2606:4700::1111%1", "fc00::1", "fd00:ec2::254"),
        *("::ffff:127.0.0.1", "::127.0.0.1", "::ffff:169.254.169.254", "64:ff9b::7f00:1"),
        *("64:ff9b::a9fe:a9fe", "64:ff9b:1::1", "2002:7f00:1::", "2001:0:1::", "ff02::1"),
        *("fec0::1", "2001:db8::1", "3fff::1", "5f00::1"),
    ],
)
def test_what_only_some_networks_have_is_not_public(address: str) -> None:
    assert not is_public(ipaddress.ip_address(address))
    assert not EVERYWHERE.admit_address(ipaddress.ip_address(address))


@pytest.mark.parametrize(
    ("entry", "url"),
    [
        ("*", "http://example.org/"),
        ("*", "https://EXAMPLE.org./a?b"),
        ("*", "http://8.8.8.8/"),
        ("www.example.org", "https://www.example.org/"),
        ("www.example.org", "https://ｗｗｗ.example.org/"),
        ("WWW.Example.org.", "https://www.example.org:443/"),
        ("bücher.example", "http://xn--bcher-kva.example/"),
        ("*.example.org", "http://a.b.example.org/"),
        ("wiki.example.org:8080", "http://wiki.example.org:8080/"),
        ("10.1.0.0/16", "http://10.1.2.3/"),
        ("127.0.0.1:5000", "http://127.0.0.1:5000/"),
        ("[::1]:5000", "http://[::1]:5000/"),
        ("::1", "http://[0:0:0:0:0:0:0:1]/"),
    ],
)
def test_what_is_listed_may_be_asked_for(entry: str, url: str) -> None:
    assert UrlHosts((entry,)).admit_url(URL(url))


@pytest.mark.parametrize(
    ("entry", "url"),
    [
        ("*", "http://example.org:8080/"),
        ("*", "https://example.org:80/"),
        ("*", "ftp://example.org/"),
        ("*", "http://user@example.org/"),
        ("*", "http://:secret@example.org/"),
        ("*", "http://127.0.0.1/"),
        ("*", "http://[::ffff:127.0.0.1]/"),
        ("*", "http://[fe80::1%25eth0]/"),
        ("*", "http://2130706433/"),
        ("*", "http://0x7f.1/"),
        ("*", "http://0177.0.0.1/"),
        ("*", "http://127.1/"),
        ("*", "http://127。0。0。1/"),
        ("*", "http://a b/"),
        ("www.example.org", "http://example.org/"),
        ("www.example.org", "http://www.example.org.evil.test/"),
        ("www.example.org", "http://www.еxample.org/"),
        ("www.example.org", "http://www.example.org:8080/"),
        ("*.example.org", "http://example.org/"),
        ("*.example.org", "http://badexample.org/"),
        ("wiki.example.org:8080", "http://wiki.example.org/"),
        ("10.1.0.0/16", "http://10.2.0.1/"),
        ("10.1.0.0/16", "http://example.org/"),
    ],
)
def test_what_is_not_listed_may_not(entry: str, url: str) -> None:
    assert not UrlHosts((entry,)).admit_url(URL(url))


def test_a_name_may_mean_an_internal_address_that_is_listed_beside_it() -> None:
    hosts = UrlHosts(("wiki.internal:8080", "10.1.0.0/16"))
    assert hosts.admit_url(URL("http://wiki.internal:8080/"))
    assert hosts.admit_address(ipaddress.ip_address("10.1.2.3"))
    assert hosts.admit_address(ipaddress.ip_address("::ffff:10.1.2.3"))
    assert not hosts.admit_address(ipaddress.ip_address("10.2.0.1"))


def test_nothing_is_admitted_where_nothing_is_listed() -> None:
    assert not UrlHosts()
    assert not UrlHosts().admit_url(URL("http://example.org/"))


@pytest.mark.parametrize(
    "entry",
    [
        "",
        "http://example.org",
        "example.org/path",
        "a b",
        "*.*",
        "ex*mple.org",
        "1.2.3",
        "example.org:0",
        "example.org:70000",
        "user@example.org",
        "0x7f.1",
    ],
)
def test_what_is_no_host_is_refused(entry: str) -> None:
    with pytest.raises(ValueError, match=r"give hosts such as|a port is"):
        UrlHosts((entry,))
