"""Alerts and the dashboard ask for what there is, fire when they should, and have a runbook."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, Final

import yaml
from prometheus_client.parser import text_string_to_metric_families

from service.metrics.answer_metrics import FAILURES, OTHER, STAGES
from service.metrics.metrics import BOUNDS, SEARCHES
from streaming.reading.resumptions import ResumeOutcome
from tests import programs
from tests.clients.discovery import Service, call

ROOT: Final = Path(__file__).parents[2]
RULES: Final = ROOT / "docker" / "observability" / "alerts.yaml"
DASHBOARD: Final = ROOT / "docker" / "observability" / "dashboard.json"
GUIDE: Final = ROOT / "service" / "guide" / "monitoring.md"
ALERTS: Final[list[dict[str, Any]]] = yaml.safe_load(RULES.read_text())["groups"][0]["rules"]
_METRIC: Final = re.compile(r"\bcolloquy_\w+")
_VALUES: Final = {
    "bound": re.compile("|".join((*BOUNDS, "sockets"))),
    "code": re.compile(r"left|[14]\d{3}"),
    "kind": re.compile("prompt|completion"),
    "le": re.compile(r"[0-9.e-]+|\+Inf"),
    "pool": re.compile("reading|proving|measuring|checking|searching"),
    "outcome": re.compile("|".join((*ResumeOutcome, *SEARCHES))),
    "method": re.compile("none|[A-Z][A-Za-z]+"),
    "reason": re.compile("|".join((*FAILURES, OTHER))),
    "stage": re.compile("|".join(STAGES)),
    "state": re.compile("SUCCEEDED|FAILED|greeting|ready|leaving|closing|open|away"),
    "status": re.compile("[1-5]xx"),
    "type": re.compile("LIKE|DISLIKE"),
}

FIRES: Final = {
    "ColloquyDown": {'up{job="colloquy"}': "0x60"},
    "ColloquyRedisAway": {"colloquy_redis_up": "0x60"},
    "ColloquyRedisFull": {"colloquy_redis_full": "1x60"},
    "ColloquyAnswersStand": {
        "colloquy_running_answers": "3x60",
        'colloquy_answers_total{state="SUCCEEDED",skipped="false"}': "7x60",
        'colloquy_answers_total{state="FAILED",skipped="false"}': "1x60",
    },
    "ColloquyAnswersFail": {
        'colloquy_answers_total{state="SUCCEEDED",skipped="false"}': "0+90x60",
        'colloquy_answers_total{state="FAILED",skipped="false"}': "0+10x60",
    },
    "ColloquyFirstTextSlow": {
        'colloquy_answer_first_text_seconds_bucket{le="5.0"}': "0+90x60",
        'colloquy_answer_first_text_seconds_bucket{le="10.0"}': "0+100x60",
        'colloquy_answer_first_text_seconds_bucket{le="+Inf"}': "0+100x60",
    },
    "ColloquyAnswersRefused": {
        'colloquy_refused_total{bound="answers"}': "0+2x60",
        "colloquy_answers_accepted_total": "0+98x60",
    },
    "ColloquyRequestsFail": {
        'colloquy_http_requests_total{method="AnswerQuery",status="2xx"}': "0+98x60",
        'colloquy_http_requests_total{method="AnswerQuery",status="5xx"}': "0+2x60",
    },
    "ColloquyFramesFail": {
        'colloquy_websocket_requests_total{method="AnswerQuery",status="2xx"}': "0+98x60",
        'colloquy_websocket_requests_total{method="AnswerQuery",status="5xx"}': "0+2x60",
    },
    "ColloquyResumesFail": {
        'colloquy_resumes_total{outcome="resumed"}': "0+90x60",
        'colloquy_resumes_total{outcome="gone"}': "0+6x60",
    },
    "ColloquyNearlyFull": {'colloquy_open_sockets{job="c",instance="a",state="ready"}': "17000x60"},
    "ColloquyRedisSlow": {
        'colloquy_redis_reply_seconds_bucket{le="0.05"}': "0+90x60",
        'colloquy_redis_reply_seconds_bucket{le="0.25"}': "0+100x60",
        'colloquy_redis_reply_seconds_bucket{le="+Inf"}': "0+100x60",
    },
    "ColloquyLogSlow": {
        'colloquy_log_lag_seconds_bucket{le="0.1"}': "0+90x60",
        'colloquy_log_lag_seconds_bucket{le="1.0"}': "0+100x60",
        'colloquy_log_lag_seconds_bucket{le="+Inf"}': "0+100x60",
    },
    "ColloquyEventLoopLate": {
        'colloquy_event_loop_lag_seconds_bucket{instance="a",le="0.1"}': "0+90x60",
        'colloquy_event_loop_lag_seconds_bucket{instance="a",le="1.0"}': "0+100x60",
        'colloquy_event_loop_lag_seconds_bucket{instance="a",le="+Inf"}': "0+100x60",
    },
    "ColloquyAnswersTakenOver": {"colloquy_answers_taken_over_total": "0+1x60"},
    "ColloquyEmbeddingsFail": {
        'colloquy_query_embeddings_total{outcome="embedded"}': "0+80x60",
        'colloquy_query_embeddings_total{outcome="failed"}': "0+20x60",
    },
    "ColloquyDocumentsDamaged": {"colloquy_damaged_documents": "1x60"},
    "ColloquyIndexLate": {"colloquy_index_lag_seconds": "30+60x60"},
}
"""For each alert an hour of samples, one a minute, by the end of which it fires."""
HEALTHY: Final = {
    'up{job="colloquy"}': "1x60",
    "colloquy_redis_up": "1x60",
    "colloquy_redis_full": "0x60",
    "colloquy_running_answers": "3x60",
    'colloquy_answers_total{state="SUCCEEDED",skipped="false"}': "0+97x60",
    'colloquy_answers_total{state="FAILED",skipped="false"}': "0+3x60",
    'colloquy_answer_first_text_seconds_bucket{le="5.0"}': "0+97x60",
    'colloquy_answer_first_text_seconds_bucket{le="10.0"}': "0+100x60",
    'colloquy_answer_first_text_seconds_bucket{le="+Inf"}': "0+100x60",
    'colloquy_refused_total{bound="answers"}': "0x60",
    'colloquy_refused_total{bound="address"}': "0+50x60",
    "colloquy_answers_accepted_total": "0+100x60",
    'colloquy_http_requests_total{method="AnswerQuery",status="2xx"}': "0+100x60",
    'colloquy_http_requests_total{method="AnswerQuery",status="4xx"}': "0+50x60",
    'colloquy_http_requests_total{method="AnswerQuery",status="5xx"}': "0x60",
    'colloquy_websocket_requests_total{method="AnswerQuery",status="2xx"}': "0+100x60",
    'colloquy_websocket_requests_total{method="AnswerQuery",status="4xx"}': "0+50x60",
    'colloquy_websocket_requests_total{method="AnswerQuery",status="5xx"}': "0x60",
    'colloquy_resumes_total{outcome="resumed"}': "0+90x60",
    'colloquy_resumes_total{outcome="snapshot"}': "0+8x60",
    'colloquy_resumes_total{outcome="gone"}': "0+2x60",
    'colloquy_requests_in_flight{job="c",instance="a"}': "40x60",
    'colloquy_limit{job="c",instance="a",bound="answers"}': "5000x60",
    'colloquy_limit{job="c",instance="a",bound="requests"}': "4000x60",
    'colloquy_limit{job="c",instance="a",bound="sockets"}': "20000x60",
    'colloquy_open_sockets{job="c",instance="a",state="greeting"}': "100x60",
    'colloquy_open_sockets{job="c",instance="a",state="ready"}': "9000x60",
    'colloquy_redis_reply_seconds_bucket{le="0.05"}': "0+100x60",
    'colloquy_redis_reply_seconds_bucket{le="0.25"}': "0+100x60",
    'colloquy_redis_reply_seconds_bucket{le="+Inf"}': "0+100x60",
    "colloquy_index_lag_seconds": "0.3x60",
    'colloquy_log_lag_seconds_bucket{le="0.1"}': "0+100x60",
    'colloquy_log_lag_seconds_bucket{le="1.0"}': "0+100x60",
    'colloquy_log_lag_seconds_bucket{le="+Inf"}': "0+100x60",
    'colloquy_event_loop_lag_seconds_bucket{instance="a",le="0.1"}': "0+100x60",
    'colloquy_event_loop_lag_seconds_bucket{instance="a",le="1.0"}': "0+100x60",
    'colloquy_event_loop_lag_seconds_bucket{instance="a",le="+Inf"}': "0+100x60",
    "colloquy_answers_taken_over_total": "0x60",
    'colloquy_query_embeddings_total{outcome="embedded"}': "0+99x60",
    'colloquy_query_embeddings_total{outcome="failed"}': "0+1x60",
    "colloquy_damaged_documents": "0x60",
    "colloquy_answer_first_text_seconds_count": "0+100x60",
}
"""An hour in which nothing is to be told, though callers are refused at their own bounds."""


def expressions() -> list[str]:
    """Return what the alerts and the panels ask Prometheus for."""
    panels = json.loads(DASHBOARD.read_text())["panels"]
    shown = [target["expr"] for panel in panels for target in panel["targets"]]
    return [*(alert["expr"] for alert in ALERTS), *shown]


def promtool(*args: str, given: str = "") -> None:
    """Run promtool on what it is *given*; what it found is in the failure."""
    programs.run(programs.path("promtool", "Debian's package prometheus"), *args, given=given)


def case(samples: dict[str, str], fires: list[str]) -> dict[str, Any]:
    """Return that of all alerts just *fires* fire at the end of the hour of *samples*."""
    rows = [{"series": series, "values": values} for series, values in samples.items()]
    names = [alert["alert"] for alert in ALERTS]
    count = f'ALERTS{{alertstate="firing",alertname=~"{"|".join(names)}"}}'
    told = [{"labels": f'{{alertname="{name}"}}', "value": 1} for name in fires]
    query = {"expr": f"count by (alertname) ({count})", "eval_time": "60m", "exp_samples": told}
    return {"interval": "1m", "input_series": rows, "promql_expr_test": [query]}


def test_every_metric_asked_for_is_one_that_a_service_exports(service: Service) -> None:
    text = service.application.container.metrics.text().decode()
    kinds = dict(re.findall(r"^# TYPE (\S+) (\w+)$", text, re.MULTILINE))
    exported = {name for name, kind in kinds.items() if kind != "histogram"}
    histograms = {name for name, kind in kinds.items() if kind == "histogram"}
    exported |= {f"{name}_{part}" for name in histograms for part in ("bucket", "sum", "count")}
    page = GUIDE.read_text("utf-8")
    queries = re.findall(r"^```promql$(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    asked = {name for each in (*expressions(), *queries) for name in _METRIC.findall(each)}
    assert asked
    assert asked - exported == set()


def test_every_alert_has_its_runbook() -> None:
    page = GUIDE.read_text("utf-8")
    sections = re.findall(r"^### (Colloquy\w+)$", page, re.MULTILINE)
    assert sections == [alert["alert"] for alert in ALERTS]
    for alert in ALERTS:
        anchor = alert["alert"].lower()
        assert alert["annotations"]["runbook_url"] == f"/guide/monitoring#{anchor}"


def test_prometheus_takes_the_names_of_all_metrics(service: Service) -> None:
    """Its naming rules say what is a counter and which unit a value has."""
    promtool("check", "metrics", given=service.application.container.metrics.text().decode())


def test_each_service_level_has_a_query_that_finds_it_held(tmp_path: Path) -> None:
    page = GUIDE.read_text("utf-8").partition("## What does Colloquy promise")[2]
    queries = re.search(r"^```promql$(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    assert queries is not None
    table = re.findall(r"^\| (?!Service level|---)", page.partition("```")[0], re.MULTILINE)
    held = [1, 0.97, 0.97, 0, 0.98, 0]
    assert len(table) == len(held)
    tests: list[Any] = []
    for query, value in zip(queries[1].strip().split("\n\n"), held, strict=True):
        _, _, expression = query.partition("\n")
        told = [{"labels": "{}", "value": value}]
        rounded = f"round({expression.replace('30d', '1h')}, 0.001)"
        tests.append({"expr": rounded, "eval_time": "60m", "exp_samples": told})
    file = tmp_path / "tests.yaml"
    hour = case(HEALTHY, []) | {"promql_expr_test": tests}
    file.write_text(yaml.safe_dump({"rule_files": [], "tests": [hour]}))
    promtool("test", "rules", str(file))


def test_prometheus_takes_the_rules() -> None:
    promtool("check", "rules", str(RULES))


def test_each_alert_fires_for_its_fault_and_for_no_other(tmp_path: Path) -> None:
    assert list(FIRES) == [alert["alert"] for alert in ALERTS]
    tests = [case(HEALTHY, []), *(case(HEALTHY | bad, [name]) for name, bad in FIRES.items())]
    file = tmp_path / "tests.yaml"
    file.write_text(yaml.safe_dump({"rule_files": [str(RULES)], "tests": tests}))
    promtool("test", "rules", str(file))


def test_the_guide_explains_each_metric_that_a_service_exports(service: Service) -> None:
    page = GUIDE.read_text("utf-8")
    explained = set(re.findall(r"^\| `(colloquy_\w+)` \|", page, re.MULTILINE))
    text = service.application.container.metrics.text().decode()
    exported = set(re.findall(r"^# TYPE (\S+)", text, re.MULTILINE))
    assert explained - exported == {"colloquy_embedded_chunks"}  # only with embeddings
    assert exported - explained == set()


def test_no_label_takes_what_a_caller_sends(service: Service) -> None:
    """One that did would have a value for each caller, and Prometheus would fill up."""
    odd = "zq7-of-a-caller"
    urls = (f"{service.url}/{odd}", f"{service.url}/v1/{odd}/{odd}:{odd}?{odd}={odd}")
    for url in urls:
        assert call(url, method="POST", body={odd: odd}, Origin=f"https://{odd}").status >= 400
    text = service.application.container.metrics.text().decode()
    assert odd not in text
    metrics = text_string_to_metric_families(text)
    samples = [sample for metric in metrics for sample in metric.samples]
    assert {label for sample in samples for label in sample.labels} == set(_VALUES)
    for sample in samples:
        for label, value in sample.labels.items():
            assert _VALUES[label].fullmatch(value), sample
