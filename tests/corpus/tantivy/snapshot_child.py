"""Write one snapshot after the other into a folder, as fast as can be, until killed.

After so many rounds every document says how many, and so does the position of the snapshot.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

from service.corpus.tantivy import snapshots
from service.corpus.tantivy.index_folder import IndexFolder
from service.corpus.tantivy.index_writer import IndexWriter
from tests.corpus.doubles import entry
from tests.corpus.texts import STORE

DOCUMENTS: Final = 8


def main(root: Path) -> None:
    """Go on from what is in *root*."""
    folder = IndexFolder(root, "0" * 32)
    snapshot, position = folder.snapshot(STORE), 0
    shard = IndexWriter(folder.new_live())
    if snapshot.exists():
        shard, manifest = snapshots.open_snapshot(snapshot, folder.new_live())
        position = manifest.position
    while True:
        position += 1
        text = f"round{position}"
        shard.apply({f"d{n}": entry(f"d{n}", text, text).passages for n in range(DOCUMENTS)})
        shard.settle()
        snapshots.write(snapshot, snapshots.pin(shard, snapshot), STORE, position)
        sys.stdout.write(f"{position}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
