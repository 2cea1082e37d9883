"""What the service of the gallery says."""

from __future__ import annotations

from typing import Any, Final

from tests.widget.scripted_service import STORE

QUESTION: Final = "How long may I keep a book?"
CONFIG: Final = {
    "displayName": "the library",
    "starterQuestions": [QUESTION, "Who may book a room?", "What does a late book cost?"],
    "contact": {"text": "The desk helps from nine to five.", "uri": "mailto:desk@example.org"},
}
TEXT: Final = """\
A book is kept **four weeks**, and a film one week. Ask at the desk to keep it longer.

1. Bring the book and your `card`.
2. Say how long you need it.

| Days late | Fee |
| --- | --- |
| 1 to 7 | 1 € |
| 8 to 30 | 5 € |

```
fee = days // 7 * 1.00
```

See [the rules](https://library.example/rules).
"""
LOANS: Final = {
    "unstructuredDocumentInfo": {
        "document": f"{STORE}/branches/0/documents/loans",
        "uri": "https://library.example/loans",
        "title": "Loans",
        "chunkContents": [
            {
                "content": "How long?\n\nA book is kept **four weeks**, and a film one week. "
                "Ask at the desk to keep it longer.\n\nWho is late pays a fee.",
                "pageIdentifier": "3",
            }
        ],
    }
}
FEES: Final = {
    "chunkInfo": {
        "content": "| 1 to 7 | 1 € |\n| 8 to 30 | 5 € |",
        "documentMetadata": {"title": "Fees and fines"},
    }
}
SESSIONS: Final[list[dict[str, Any]]] = [
    {
        "name": f"{STORE}/sessions/{number}",
        "displayName": name,
        "isPinned": number == 1,
        "endTime": "2026-03-02T10:00:00Z",
        "turns": [{"query": {"text": QUESTION}}],
    }
    for number, name in enumerate(("Books", "", "Rooms for a reading group of 40 people " * 3), 1)
]


def _cited(words: str, reference: int) -> dict[str, Any]:
    start = TEXT.index(words)
    span = [len(TEXT[:at].encode()) for at in (start, start + len(words))]
    source = {"referenceId": str(reference)}
    return {"startIndex": str(span[0]), "endIndex": str(span[1]), "sources": [source]}


ANSWER: Final[dict[str, Any]] = {
    "answerText": TEXT,
    "references": [FEES, LOANS],
    "citations": [
        _cited("A book is kept **four weeks**, and a film one week.", 1),
        _cited("Ask at the desk to keep it longer.", 1),
        _cited("| 1 to 7 | 1 € |\n| 8 to 30 | 5 € |", 0),
    ],
    "relatedQuestions": ["How do I return a book?", "May I keep a book for longer?"],
}
