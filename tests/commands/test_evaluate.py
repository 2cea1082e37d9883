"""What ``colloquy evaluate`` says of a wrong call; ``whole/test_evaluate`` shows a right one."""

from __future__ import annotations

from pathlib import Path

import pytest

from service.__main__ import parser
from service.commands import evaluate
from service.settings import Settings
from sessions.errors import InvalidArgument, Unavailable

pytestmark = pytest.mark.anyio
NOBODY = "http://127.0.0.1:1"


async def status(*arguments: str) -> int:
    return await evaluate.run(parser().parse_args(["evaluate", *arguments]), Settings())


@pytest.fixture
def questions(tmp_path: Path) -> str:
    (tmp_path / "a.csv").write_text("question,refuse\nWhen?,no\n")
    return str(tmp_path / "a.csv")


async def test_a_call_names_either_data_or_questions(
    questions: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert [await status(), await status("data", "--questions", questions)] == [2, 2]
    assert capsys.readouterr().err.count("give either a folder of data or --questions") == 2


def spoilt(questions: str) -> str:
    Path(questions).write_text("question,refuse\nWhen?,perhaps\n")
    return questions


async def test_a_bad_list_or_folder_is_said(
    tmp_path: Path, questions: str, capsys: pytest.CaptureFixture[str]
) -> None:

    assert await status("--questions", spoilt(questions)) == 2
    assert "line 2, field 'refuse': give yes or no" in capsys.readouterr().err
    assert await status(str(tmp_path)) == 2
    assert "corpora: holds no file" in capsys.readouterr().err


async def test_a_report_that_cannot_be_written_is_said_before_anything_is_asked(
    tmp_path: Path, questions: str, capsys: pytest.CaptureFixture[str]
) -> None:
    nowhere = str(tmp_path / "absent" / "report.html")
    assert await status("--questions", questions, "--report", nowhere, "--url", NOBODY) == 2
    assert "No such file or directory" in capsys.readouterr().err


@pytest.mark.parametrize("option", ["--every", "--parallel"])
def test_a_share_is_a_number_from_1_on(option: str, capsys: pytest.CaptureFixture[str]) -> None:
    for wrong in ("0", "-1", "x"):
        with pytest.raises(SystemExit):
            parser().parse_args(["evaluate", "data", option, wrong])
        assert f"give a number from 1 on, not '{wrong}'" in capsys.readouterr().err


async def test_nobody_at_the_address_is_told_with_the_remedy(questions: str) -> None:
    with pytest.raises(Unavailable, match="start it: colloquy serve"):
        await status("--questions", questions, "--url", NOBODY)


async def test_a_wrong_name_is_refused(questions: str) -> None:
    for option in ("--data-store", "--engine"):
        with pytest.raises(InvalidArgument, match=option):
            await status("--questions", questions, option, "..", "--url", NOBODY)
