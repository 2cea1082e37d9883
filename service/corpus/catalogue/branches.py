"""The branch of a data store that documents are in, and how they are cut there."""

from __future__ import annotations

import msgspec

from service.corpus.catalogue.catalogue import Catalogue
from service.corpus.parsing import chunking
from sessions import names
from sessions.errors import NotFound


class Branch(msgspec.Struct, frozen=True):
    """The branch of a data store: its name, and the tokens that a chunk of it may have."""

    name: str
    chunk_size: int

    @property
    def data_store(self) -> str:
        """The data store that it is of."""
        return names.data_store_of(self.name)


async def read(catalogue: Catalogue, name: str) -> Branch:
    """Return the branch of this *name*.

    Raises:
        NotFound: there is no such data store, or it has no such branch.
    """
    store = await catalogue.get_data_store(names.data_store_of(name))
    if name != f"{store.name}/branches/0":
        raise NotFound(
            f"there is no branch '{names.last_id(name)}'; use default_branch", resource=name
        )
    config = store.document_processing_config
    chunking_config = config.chunking_config if config else None
    layout = chunking_config.layout_based_chunking_config if chunking_config else None
    return Branch(name, (layout.chunk_size if layout else 0) or chunking.SIZE)
