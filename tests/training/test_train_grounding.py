"""The program that fits the weights of grounding scores."""

from __future__ import annotations

import gzip
import json
import random
import subprocess
import sys
from pathlib import Path

import pytest

from service.answering.proof.claim_scores import Faults, Measures
from tests.training import edited_sentences, train_grounding
from tests.training.train_grounding import Example, Weights, area, fit, judged, solved, written

TEXT = "The fee for a permit is paid by card at an office. Renew before it expires in 30 days."
CLAIMS = [("The permit fee is paid by card.", 1), ("Rockets fly to the moon on cheese.", 0)]
DOCUMENTS = [
    f"The office in {name} must send every form to the applicant within 30 working days. "
    f"A visitor can renew the {name} permit before it expires at any counter of the service."
    for name in ("Albany", "Boston", "Chicago")
]


def write(folder: Path) -> None:
    (folder / "grounding").mkdir()
    (folder / "corpora").mkdir()
    rows = [
        {"source": source, "claim": claim, "label": label, "references": [TEXT, "Unrelated."]}
        for source in ("one", "two")
        for claim, label in CLAIMS
        for _ in range(3)
    ]
    lines = "\n".join(map(json.dumps, rows))
    (folder / "grounding" / "attribution.jsonl").write_text(lines)
    packed = "\n".join(json.dumps({"text": text}) for text in DOCUMENTS).encode()
    (folder / "corpora" / "portal.jsonl.gz").write_bytes(gzip.compress(packed))


def test_it_writes_weights_that_tell_claims_apart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path)
    out = tmp_path / "weights.txt"
    monkeypatch.setattr(sys, "argv", ["train", str(tmp_path), "--out", str(out)])
    train_grounding.main()
    assert "mean over the sources: 1.000" in capsys.readouterr().out
    assert out.read_text().startswith("bias ")
    weights = fit([*judged(tmp_path)])
    assert [weights.score(one) > 0.5 for one in judged(tmp_path)] == [True] * 3 + [False] * 3 + [
        True
    ] * 3 + [False] * 3


def test_it_is_started_by_its_name() -> None:
    command = [sys.executable, "-m", "tests.training.train_grounding", "--help"]
    assert b"grounding" in subprocess.run(command, capture_output=True, check=True).stdout


def test_the_same_data_gives_the_same_weights(tmp_path: Path) -> None:
    write(tmp_path)
    one, other = ([*judged(tmp_path), *train_grounding.edited(tmp_path)] for _ in range(2))
    assert written(fit(one)) == written(fit(other))


def test_equations_are_solved() -> None:
    assert solved([[0.0, 2.0], [4.0, 1.0]], [2.0, 6.0]) == [1.25, 1.0]


def test_the_area_is_the_share_of_pairs_in_order() -> None:
    assert area([(0.9, 1), (0.5, 0), (0.5, 1), (0.1, 0)]) == pytest.approx(3.5 / 4)


def test_a_quotation_is_supported_whatever_the_weights() -> None:
    measures = Measures(*[0.0] * len(Measures._fields))
    faults = Faults(*[False] * len(Faults._fields))
    lie = Example("one", "one", 0, quoted=False, measures=measures, faults=faults)
    weights = Weights(-9.0, measures)
    assert weights.score(lie) < 0.01
    assert weights.score(lie._replace(quoted=True)) == 1.0


def test_each_edit_changes_the_sentence() -> None:
    edited = list(edited_sentences.of(DOCUMENTS, random.Random(1)))
    assert {one.kind for one in edited} >= {"negated", "a word inserted", "shortened"}
    assert all(one.claim not in one.text for one in edited if one.kind in edited_sentences.EDITS)
