"""Knows the data stores and engines of an installation, and what stands behind each."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import Final, Protocol

from msgspec import structs

from service.corpus.store import DocumentStore
from sessions import masks, names
from sessions.connection import Redis
from sessions.errors import AlreadyExists, FailedPrecondition, InvalidArgument, NotFound
from sessions.filters import Field, Value
from sessions.keys import Keys
from sessions.records import Collection, RecordStore
from sessions.resources.data_stores import DataStore
from sessions.resources.engines import Engine
from sessions.traversal import Query

DISPLAY_NAME: Final = 128
"""Characters of a display name (api.md 7.1)."""

_DATA_STORES: Final = Collection(
    id="dataStores",
    type=DataStore,
    default=10,
    maximum=50,
    fields={
        "solution_type": Field(
            Value.NAMES, lambda store: [kind.name for kind in store.solution_types]
        )
    },
)
_ENGINES: Final = Collection(
    id="engines",
    type=Engine,
    default=50,
    maximum=100,
    fields={"solution_type": Field(Value.NAME, lambda engine: engine.solution_type.name)},
)
