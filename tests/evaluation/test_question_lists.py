"""Lists that people write by hand and in spreadsheets are read, or refused by line and field."""

from __future__ import annotations

from pathlib import Path

import pytest

from service.evaluation import question_lists
from service.evaluation.question_lists import BadQuestionList, Question


def written(folder: Path, text: str, name: str = "list.csv") -> Path:
    path = folder / name
    path.write_bytes(text.encode())
    return path


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("question,document,text,refuse\nWhen?,a|b,nine,no\n", "list.csv"),
        ("\ufeffQuestion;Document;Text\r\nWhen?;a | b;nine\r\n;;\r\n", "list.csv"),
        ('question\tdocument\ttext\n"When?"\ta|b\tnine', "list.tsv"),
        ('{"question": "When?", "document": ["a", "b"], "text": "nine"}', "list.jsonl"),
    ],
)
def test_a_table_and_json_lines_say_the_same(tmp_path: Path, text: str, name: str) -> None:
    (question,) = question_lists.read(written(tmp_path, text, name))
    assert (question.ask, question.documents, question.texts) == ("When?", ("a", "b"), ("nine",))


def test_a_cell_may_hold_lines_and_its_row_is_counted_from_its_first(tmp_path: Path) -> None:
    text = 'question,refuse,conversation\n"First\nline?",,one\nSecond?,yes,one\n'
    assert question_lists.read(written(tmp_path, text)) == [
        Question(ask="First\nline?", line=2, conversation="one"),
        Question(ask="Second?", line=4, conversation="one", refuse=True),
    ]


@pytest.mark.parametrize(
    ("text", "name", "told"),
    [
        ("", "a.csv", "holds no question"),
        ("question\n\n", "a.csv", "holds no question"),
        ("ask\nWhen?", "a.csv", "line 1, field 'ask': is not known"),
        ("kind\nWhen?", "a.csv", "line 1: lacks the field 'question'"),
        ("question,question\na,b", "a.csv", "line 1, field 'question': comes twice"),
        ("question\nHow, and when?", "a.csv", "line 2: has 2 cells, and the header 1"),
        ("question,kind\nWhen?,a\n ,b", "a.csv", "line 3, field 'question': is empty"),
        ("question,refuse\nWhen?,perhaps", "a.csv", "line 2, field 'refuse': give yes or no"),
        ("question,refuse,text\nWhen?,yes,a", "a.csv", "line 2, field 'refuse': what is to be"),
        ('question\n"When?', "a.csv", "line 2: unexpected end of data"),
        ("question\n" + "a" * 10_001, "a.csv", "field 'question': has more than 10000"),
        ("\n[1]", "a.jsonl", "line 2: Expected `object`"),
        ('{"question": 1}', "a.jsonl", "line 1, field 'question': Expected `str`, got `int`"),
        ('{"question": "a", "says": 1}', "a.jsonl", "line 1, field 'says': is not known"),
        ('{"question": "a", "text": [1]}', "a.jsonl", "line 1, field 'text': Expected `str`"),
        ("[" * 100_000, "a.jsonl", "line 1"),
    ],
)
def test_what_cannot_be_used_is_named(tmp_path: Path, text: str, name: str, told: str) -> None:
    with pytest.raises(BadQuestionList) as refused:
        question_lists.read(written(tmp_path, text, name))
    assert told in str(refused.value)


def test_what_is_no_text_or_not_there_is_named(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_bytes(b"question\nWei\xdf?")
    for path, told in ((tmp_path / "a.csv", "is not UTF-8"), (tmp_path, "directory")):
        with pytest.raises(BadQuestionList, match=told):
            question_lists.read(path)
