"""What the earlier turns of a session give to the next query."""

from __future__ import annotations

import pytest

from service.answering.history import History
from service.generation.generator import PastTurn
from sessions import connection, names, wire
from sessions.errors import Unavailable
from sessions.keys import Keys
from sessions.resources import answers, sessions
from tests.redis_servers import Server
from tests.streaming.lossy import Lossy
from tests.waiting import eventually

pytestmark = pytest.mark.anyio

SESSION = names.session(names.SAMPLE_DATA_STORE, "1")


async def test_an_outage_is_no_empty_history(redis_server: Server, keys: Keys) -> None:
    """It is told, so that the answer waits; a follow-up without its context would be wrong."""
    lossy = Lossy(redis_server.socket)
    async with lossy.opened(), connection.connect(lossy.url) as redis:
        said = answers.Answer(answer_text="At ten.", state=answers.State.SUCCEEDED)
        told = names.answer(SESSION, "1")
        turn = sessions.Turn(query=sessions.Query(text="When does it open?"), answer=told)
        key, turns = keys.answer(told), keys.turns(SESSION)
        await redis.execute(key, "HSET", key, "json", wire.dump(said))
        await redis.execute(turns, "RPUSH", turns, wire.dump(turn))
        history = History(redis, keys)
        lossy.lose(b"HGET")
        with pytest.raises(Unavailable):
            await history.before(names.answer(SESSION, "2"), SESSION)
        await eventually(lambda: redis.available)
        past = await history.before(names.answer(SESSION, "2"), SESSION)
    assert past == (PastTurn("When does it open?", "At ten."),)
