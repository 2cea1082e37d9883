"""Let the metrics ask the open parts of the service for what these keep."""

from __future__ import annotations

from service.api.websocket_endpoint import WebSocketConnections
from service.composition.container import Container
from service.corpus.index import FollowingIndex
from service.corpus.tantivy.index import TantivyIndex
from service.metrics.metrics import Metrics
from service.middleware.request_limit import RequestsInFlight
from service.stores import Stores
from streaming.reading.resumptions import ResumeCounts
from streaming.running.runner import Runner


def watch(
    opened: Container,
    sockets: WebSocketConnections,
    requests: RequestsInFlight,
    resumes: ResumeCounts,
) -> None:
    """Have the metrics of *opened* tell of all its parts, and of those that are given beside it."""
    metrics, index = opened.metrics, opened.answering.index
    _watch_sockets(metrics, sockets, resumes)
    _watch_written(metrics, opened.answering.runner)
    _watch_redis(metrics, opened.stores)
    _watch_index(metrics, index)
    metrics.watch("requests_in_flight", "Requests over HTTP here now", lambda: requests.count)
    description = "Calls that run or wait beside the event loop"
    pools = opened.thread_pools
    metrics.watch_each(
        "thread_pool_calls",
        description,
        "pool",
        lambda: {**pools.calls, "searching": index.searching},
    )
    # Beside each of these is a gauge of how many there are.
    limits = {
        "answers": opened.settings.max_answers,
        "requests": requests.most,
        "sockets": sockets.most,
    }
    metrics.watch_each("limit", "How many there may be here at a time", "bound", lambda: limits)


def _watch_sockets(metrics: Metrics, sockets: WebSocketConnections, resumes: ResumeCounts) -> None:
    metrics.watch_each("open_sockets", "WebSockets open here now", "state", sockets.states)
    description = "Bytes that wait for clients to take them"
    metrics.watch("socket_waiting_bytes", description, sockets.waiting_bytes)
    description = "WebSockets that ended here, by the code of the close"
    metrics.watch_counts("socket_closes", description, "code", lambda: sockets.closes)
    description = "Readers that came back for an answer, by what became of that"
    metrics.watch_counts("resumes", description, "outcome", lambda: resumes.by_outcome)


def _watch_written(metrics: Metrics, runner: Runner) -> None:
    """Watch how what is written comes to the logs."""
    written, watch_distribution = runner.measures, metrics.watch_distribution
    metrics.watch("running_answers", "Answers written here now", lambda: runner.running)
    description = "Entries of answers that one write to Redis holds"
    watch_distribution("log_batch_entries", description, written.entries)
    description = "From such a write to its acknowledgement"
    watch_distribution("log_append_seconds", description, written.append_seconds)
    description = "From the first that waits to be written to that"
    watch_distribution("log_lag_seconds", description, written.lag_seconds)
    description = "All that was sent to append entries"
    metrics.watch_count("log_sent_bytes", description, lambda: written.sent_bytes)
    description = "Answers written here whose log has to be compared first"
    metrics.watch("log_answers_in_doubt", description, lambda: runner.in_doubt)


def _watch_redis(metrics: Metrics, stores: Stores) -> None:
    redis, measures = stores.redis, stores.redis.measures
    description = "Whether Redis is there, with its data"
    data = stores.installation
    metrics.watch("redis_up", description, lambda: redis.available and not data.lost, "min")
    description = "Whether Redis is out of memory"
    metrics.watch("redis_full", description, lambda: stores.memory.full, "max")
    description = "From a write to Redis to the reply to all that it held, now and then"
    metrics.watch_distribution("redis_reply_seconds", description, measures.reply_seconds)
    description = "Connections to nodes of Redis, by whether they are there"
    metrics.watch_each("redis_connections", description, "state", redis.connections)
    description = "Connections to nodes of Redis that were opened"
    metrics.watch_count("redis_connections_opened", description, lambda: measures.opened)
    description = "Commands that Redis has not replied to yet"
    metrics.watch("redis_waiting_commands", description, lambda: redis.unanswered)


def _watch_index(metrics: Metrics, index: FollowingIndex) -> None:
    """Watch what each process has for itself, of the same documents."""
    description = "Documents that are not found since what is stored of them is damaged"
    metrics.watch("damaged_documents", description, lambda: index.damaged, "max")
    description = "What was stored so long ago can be found"
    metrics.watch("index_lag_seconds", description, lambda: index.lag, "max")
    if not isinstance(index, TantivyIndex):  # what all share has its size in Redis
        return
    upkeep = index.upkeep

    def watch(name: str, description: str, part: int) -> None:
        metrics.watch(name, description, lambda: upkeep.size()[part], "max")

    watch("index_data_stores", "Data stores that have an index here", 0)
    watch("index_documents", "Documents in the indexes here", 1)
    watch("index_chunks", "Chunks in the indexes here", 2)
    description = "Bytes of the indexes on disk"
    metrics.watch("index_disk_bytes", description, lambda: upkeep.disk_bytes, "max")
