"""What a process takes before it serves."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Final

import pytest

TAKE: Final = """
import resource
from service import logs
from service.server import listening
resource.setrlimit(resource.RLIMIT_NOFILE, ({soft}, {most}))
logs.configure()
listening.take_descriptors()
print(resource.getrlimit(resource.RLIMIT_NOFILE)[0])
"""


@pytest.mark.parametrize(
    ("soft", "most", "said"), [(1024, 12_000, []), (1024, 5000, ["few_descriptors"])]
)
def test_a_process_takes_the_descriptors_it_may(soft: int, most: int, said: list[str]) -> None:
    program = TAKE.format(soft=soft, most=most)
    ended = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=30
    )
    assert int(ended.stdout) == most
    assert [json.loads(line)["event"] for line in ended.stderr.splitlines()] == said
