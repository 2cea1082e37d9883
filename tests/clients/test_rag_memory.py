"""A RAG corpus as the memory of an agent, by the calls that public memory services make of it.

They upload each session as a text file of one line of JSON for each event, name the file after its
application, user and session, and read the lines of retrieved contexts back as events.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.clients.test_vertexai_rag import (
    module,
    newer,
    tidied,
)

__all__ = ["newer", "tidied"]
pytestmark = [
    pytest.mark.filterwarnings("ignore:This feature is deprecated"),
    pytest.mark.filterwarnings("ignore:The Vertex SDK GenAI rag module is experimental"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
]
TOLD = (
    ("user", "My dog Rex is allergic to chicken. What may he eat? I feed him twice a day."),
    ("model", 'Fish is fine: "salmon" or tuna, e.g. 200 g a day. É bom! And no {"x": 1} bones.'),
    *(("user" if n % 2 else "model", f"Remark {n} on the weather. It rains.") for n in range(40)),
    ("user", "Remember that the vet is called Dr. Okafor."),
)


def written(folder: Path, told: Sequence[tuple[str, str]]) -> str:
    """Write the events of a session as a memory service does, and return the path."""
    lines = [
        json.dumps({"author": author, "timestamp": 1_700_000_000.5 + at, "text": text})
        for at, (author, text) in enumerate(told)
    ]
    path = folder / "session.txt"
    path.write_text("\n".join(lines))
    return str(path)


def remembered(contexts: Sequence[Any]) -> list[tuple[str, str]]:
    """Return the events in *contexts*, as a memory service reads them: whole lines only."""
    found: list[tuple[str, str]] = []
    for context in contexts:
        for line in context.text.split("\n"):
            if not line.strip():
                continue
            event = json.loads(line)  # a line that was cut would be lost
            found.append((event["author"], event["text"]))
    return found


def test_what_was_said_is_remembered_by_its_user(
    secure: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, tidied: None
) -> None:
    rag = module("rag", secure, monkeypatch)
    corpus = rag.create_corpus(display_name="memory").name
    rag.upload_file(corpus_name=corpus, path=written(tmp_path, TOLD), display_name="app.ann.s1")
    other = written(tmp_path, [("user", "My dog Bello eats chicken.")])
    rag.upload_file(corpus_name=corpus, path=other, display_name="app.bob.s2")
    # A threshold for another metric, as these programs send it: it admits everything.
    near = rag.Filter(vector_distance_threshold=10)
    reply = rag.retrieval_query(
        text="What is my dog allergic to?",
        rag_resources=[rag.RagResource(rag_corpus=corpus)],
        rag_retrieval_config=rag.RagRetrievalConfig(top_k=5, filter=near),
    )
    found = reply.contexts.contexts
    assert {context.source_display_name for context in found} == {"app.ann.s1", "app.bob.s2"}
    mine = [context for context in found if context.source_display_name == "app.ann.s1"]
    assert set(remembered(mine)) <= set(TOLD)
    assert TOLD[0] in remembered(mine[:1])


def test_the_memories_of_one_user_are_named_by_their_files(newer: Any, tmp_path: Path) -> None:
    corpus = newer.rag.create_corpus(rag_corpus={"display_name": "memory"}).name
    for user, told in (("ann", TOLD), ("bob", [("user", "My vet is Dr. Smith.")])):
        newer.rag.upload_file(
            corpus_name=corpus, path=written(tmp_path, told), display_name=f"app.{user}.s"
        )
    listed = newer.rag.list_files(name=corpus, config={"page_size": 100}).rag_files
    ids = [file.name.rpartition("/")[2] for file in listed if ".ann." in file.display_name]
    store = {
        "rag_resources": [{"rag_corpus": corpus, "rag_file_ids": ids}],
        "vector_distance_threshold": 10,
    }
    query = {"text": "Who is my vet?", "similarity_top_k": 2}
    found = newer.rag.retrieve_contexts(vertex_rag_store=store, query=query).contexts.contexts
    assert {context.source_display_name for context in found} == {"app.ann.s"}
    assert TOLD[-1] in remembered(found)
