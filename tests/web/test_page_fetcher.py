"""What pages are read, what is never asked for, and what no server can take of this one."""

from __future__ import annotations

import gzip
from collections.abc import AsyncIterator, Callable

import pytest

from service.corpus.isolation.pool import ParsingPool
from service.url_hosts import UrlHosts
from service.web import connections, page_fetcher
from service.web.page_fetcher import PageError, PageFetcher
from tests.doubles import lost, silence, status
from tests.web.doubles import Site, endless, moved, page

pytestmark = pytest.mark.anyio

FEES = "<html><head><title>Fees</title></head><body><p>The pool costs 5 €.</p></body></html>"
Make = Callable[..., PageFetcher]


@pytest.fixture(scope="module")
async def parsers() -> AsyncIterator[ParsingPool]:
    async with ParsingPool() as pool:
        yield pool


@pytest.fixture
async def site() -> AsyncIterator[Site]:
    async with Site() as site:
        site.pages["/fees"] = page(FEES)
        yield site


@pytest.fixture
async def fetcher(site: Site, parsers: ParsingPool) -> AsyncIterator[PageFetcher]:
    """Read pages of *site*, and of everything that is public."""
    hosts = UrlHosts((site.host, f"localhost:{site.port}", "*"))
    async with connections.client(hosts) as http:
        yield PageFetcher(http, hosts, parsers)


async def refused(fetcher: PageFetcher, address: str) -> str:
    with pytest.raises(PageError) as caught:
        await fetcher.fetch(address)
    return str(caught.value)


async def test_a_page_is_read_with_title_text_and_address(site: Site, fetcher: PageFetcher) -> None:
    read = await fetcher.fetch(site.url("/fees#pool"))
    assert read.url == site.url("/fees")
    assert read.content.title == "Fees"
    assert [chunk.text for chunk in read.content.chunks] == ["The pool costs 5 €."]
    assert site.asked == ["/robots.txt", "/fees"]
    assert site.agents == {"Colloquy/0.1.0"}


async def test_a_page_is_asked_for_once_in_ten_minutes(site: Site, fetcher: PageFetcher) -> None:
    await fetcher.fetch(site.url("/fees"))
    await fetcher.fetch(site.url("/fees"))
    assert (site.visits("/fees"), site.visits("/robots.txt")) == (1, 1)


@pytest.mark.parametrize(
    ("content_type", "body", "said"),
    [
        ("text/plain", "Open daily.", "Open daily."),
        ("text/markdown", "# Hours\n\nOpen *daily*.", "Open daily."),
        ("text/html; charset=iso-8859-2", "<p>Kawiarnia mała</p>".encode("iso-8859-2"), "mała"),
        ("text/html", "<p>Naïve</p>".encode("utf-16"), "Naïve"),
    ],
)
async def test_text_is_read_as_its_site_says(
    site: Site, fetcher: PageFetcher, content_type: str, body: str | bytes, said: str
) -> None:
    site.pages["/"] = page(body, content_type)
    read = await fetcher.fetch(site.url("/"))
    assert said in " ".join(chunk.text for chunk in read.content.chunks)


async def test_redirects_are_followed_and_the_last_address_is_told(
    site: Site, fetcher: PageFetcher
) -> None:
    site.pages["/old"] = moved("/newer", 301)
    site.pages["/newer"] = moved(site.url("/fees"), 307)
    assert (await fetcher.fetch(site.url("/old"))).url == site.url("/fees")


@pytest.mark.parametrize(
    "target",
    [
        "http://169.254.169.254/latest/meta-data/",
        "http://[::ffff:127.0.0.1]:{port}/fees",
        "http://user@127.0.0.1:{port}/fees",
        "http://127.1:{port}/fees",
        "http://2130706433:{port}/fees",
        "http://0x7f000001/",
        "//127.0.0.1:1/fees",
        "file:///etc/passwd",
        "gopher://127.0.0.1/",
    ],
)
async def test_each_redirect_is_checked_anew(site: Site, fetcher: PageFetcher, target: str) -> None:
    site.pages["/"] = moved(target.format(port=site.port))
    assert await refused(fetcher, site.url("/")) in ("HOST_NOT_ALLOWED", "BROKEN_REDIRECT")
    assert site.visits("/fees") == 0


async def test_a_name_that_means_this_machine_is_refused_where_it_is_connected_to(
    site: Site, fetcher: PageFetcher, parsers: ParsingPool
) -> None:
    """The name is listed, with its port; its address is neither public nor listed for it."""
    hosts = UrlHosts((f"localhost:{site.port}",))
    async with connections.client(hosts) as http:
        alone = PageFetcher(http, hosts, parsers)
        assert await refused(alone, f"http://localhost:{site.port}/fees") == "ADDRESS_NOT_PUBLIC"
    assert site.asked == []
    assert (await fetcher.fetch(f"http://localhost:{site.port}/fees")).content.title == "Fees"


async def test_endless_redirects_end(site: Site, fetcher: PageFetcher) -> None:
    for number in range(10):
        site.pages[f"/{number}"] = moved(f"/{number + 1}")
    assert await refused(fetcher, site.url("/0")) == "TOO_MANY_REDIRECTS"
    assert site.visits("/5") == 1
    assert site.visits("/6") == 0


async def test_a_redirect_without_a_target_is_no_page(site: Site, fetcher: PageFetcher) -> None:
    site.pages["/"] = moved("")
    assert await refused(fetcher, site.url("/")) == "BROKEN_REDIRECT"


@pytest.mark.parametrize(
    "robots", ["User-agent: *\nDisallow: /", "user agent COLLOQUY\nDisallow: /"]
)
async def test_a_site_may_refuse(site: Site, fetcher: PageFetcher, robots: str) -> None:
    site.pages["/robots.txt"] = page(robots, "text/plain")
    assert await refused(fetcher, site.url("/fees")) == "ROBOTS_DISALLOW"
    assert site.visits("/fees") == 0


async def test_a_site_that_fails_allows_nothing(site: Site, fetcher: PageFetcher) -> None:
    site.pages["/robots.txt"] = status(503)
    assert await refused(fetcher, site.url("/fees")) == "ROBOTS_UNAVAILABLE"


async def test_only_the_beginning_of_a_long_robots_txt_counts(
    site: Site, fetcher: PageFetcher
) -> None:
    site.pages["/robots.txt"] = endless(b"User-agent: x\nDisallow: /\n" * 1000)
    assert (await fetcher.fetch(site.url("/fees"))).content.title == "Fees"


@pytest.mark.parametrize(
    ("content_type", "body", "why"),
    [
        ("image/png", b"\x89PNG", "TYPE_NOT_READ"),
        ("text/html", b"\x00\x01\x02", "TYPE_NOT_READ"),
        ("application/pdf", b"<html>no</html>", "TYPE_NOT_READ"),
        ("text/html", b"%PDF-1.7 no", "BROKEN_FILE"),
        ("text/html", b"<script>1</script>", "NO_TEXT"),
        ("text/html", b"<div>" * 5_000 + b"x", "TOO_DEEP"),
    ],
)
async def test_what_is_no_text_is_not_read(
    site: Site, fetcher: PageFetcher, content_type: str, body: bytes, why: str
) -> None:
    site.pages["/"] = page(body, content_type)
    assert await refused(fetcher, site.url("/")) == why


async def test_what_was_zipped_is_read(site: Site, fetcher: PageFetcher) -> None:
    site.pages["/"] = page(gzip.compress(FEES.encode()), headers={"Content-Encoding": "gzip"})
    assert (await fetcher.fetch(site.url("/"))).content.title == "Fees"


async def test_no_body_is_read_beyond_its_bound(site: Site, fetcher: PageFetcher) -> None:
    bomb = gzip.compress(b"<p>" + b"x" * 50_000_000)
    site.pages["/bomb"] = page(bomb, headers={"Content-Encoding": "gzip"})
    site.pages["/endless"] = endless(b"<p>more</p>" * 10_000)
    assert len(bomb) < 100_000
    assert await refused(fetcher, site.url("/bomb")) == "TOO_LARGE"
    assert await refused(fetcher, site.url("/endless")) == "TOO_LARGE"


@pytest.mark.parametrize(
    ("coding", "body"),
    [("gzip", b"no"), ("br", b"x"), ("gzip", gzip.compress(b"x" * 99, mtime=0)[:20])],
)
async def test_what_cannot_be_decoded_is_not_read(
    site: Site, fetcher: PageFetcher, coding: str, body: bytes
) -> None:
    site.pages["/"] = page(body, headers={"Content-Encoding": coding})
    assert await refused(fetcher, site.url("/")) == "BODY_BROKEN"


async def test_a_page_that_is_not_there_is_told(site: Site, fetcher: PageFetcher) -> None:
    site.pages["/lost"] = lost()
    assert await refused(fetcher, site.url("/none")) == "STATUS_404"
    assert await refused(fetcher, site.url("/lost")) == "UNREACHABLE"


async def test_a_server_that_drips_is_left(
    site: Site, fetcher: PageFetcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each byte comes in time, and all of them never."""
    monkeypatch.setattr(page_fetcher, "SECONDS", 0.2)
    site.pages["/"] = endless(b"", headers={"Content-Length": "10"})
    assert await refused(fetcher, site.url("/")) == "TIMEOUT"


async def test_a_server_that_says_nothing_is_left(
    site: Site, fetcher: PageFetcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page_fetcher, "SECONDS", 0.05)
    site.pages["/"] = silence()
    assert await refused(fetcher, site.url("/")) == "TIMEOUT"


@pytest.mark.parametrize(
    "address",
    [
        *("", "pool", "http://", "http:///x", "http://[::1", "http://a b/", "ftp://example.org/"),
        *("http://example.org:70000/", "http://" + "x" * 3_000 + "/"),
    ],
)
async def test_what_is_no_address_is_refused(fetcher: PageFetcher, address: str) -> None:
    assert not fetcher.admit(address)
    assert await refused(fetcher, address) in ("INVALID_URL", "HOST_NOT_ALLOWED")
