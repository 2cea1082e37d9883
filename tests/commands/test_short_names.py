from __future__ import annotations

import pytest

from service.commands import short_names
from sessions.errors import InvalidArgument

STORE = "projects/colloquy/locations/global/collections/default_collection/dataStores/library"


@pytest.mark.parametrize(
    "given", ["..", "a/..", f"{STORE}/sessions/..", "a%2Fb", "a\x1bb", "", "/"]
)
def test_an_argument_names_what_it_says_or_nothing(given: str) -> None:
    with pytest.raises(InvalidArgument, match="--session"):
        short_names.session(given, STORE)
    with pytest.raises(InvalidArgument, match="--data-store"):
        short_names.data_store(given)
