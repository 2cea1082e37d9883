"""What was read is kept for a while, within bounds."""

from __future__ import annotations

import pytest

from service.web.expiring_cache import ExpiringCache

pytestmark = pytest.mark.anyio


async def test_a_value_is_kept_for_its_time() -> None:
    kept, gone = ExpiringCache[str](room=2, seconds=60), ExpiringCache[str](room=2, seconds=0)
    for cache in (kept, gone):
        cache.put("a", "A")
    assert (kept.get("a"), gone.get("a"), kept.get("b")) == ("A", None, None)


async def test_what_was_unused_for_longest_makes_room() -> None:
    cache = ExpiringCache[str](room=10, seconds=60)
    cache.put("a", "A", size=4)
    cache.put("b", "B", size=4)
    cache.get("a")
    cache.put("c", "C", size=4)
    assert [cache.get(key) for key in "abc"] == ["A", None, "C"]
    cache.put("a", "new", size=6)
    assert [cache.get(key) for key in "ac"] == ["new", "C"]


async def test_what_is_larger_than_the_room_is_not_kept() -> None:
    cache = ExpiringCache[str](room=10, seconds=60)
    cache.put("a", "A")
    cache.put("b", "B", size=11)
    assert [cache.get(key) for key in "ab"] == ["A", None]
