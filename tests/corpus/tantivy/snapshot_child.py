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
from tests.corpus.doubles import content
from tests.corpus.texts import STORE

DOCUMENTS: Final = 8


def main(root: Path) -> None:
    """Go on from what is in *root*."""
    folder = IndexFolder(root, "0" * 32)
    snapshot, position = folder.snapshot(STORE), 0
    writer = IndexWriter(folder.new_live())
    if snapshot.exists():
        writer, manifest = snapshots.open_snapshot(snapshot, folder.new_live())
        position = manifest.position
    while True:
        position += 1
        text = f"round{position}"
        writer.apply({f"d{n}": content(f"d{n}", text, text) for n in range(DOCUMENTS)})
        writer.wait_for_merges()
        snapshots.write(snapshot, snapshots.pin(writer, snapshot), STORE, position)
        sys.stdout.write(f"{position}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
