"""Each composition fits the Compose Specification, and what it mounts and starts is there.

None is started: no engine runs here. The schema beside this is that of the specification
(Apache-2.0), which Compose itself uses.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, Final

import jsonschema_rs
import pytest
import yaml

from service import settings
from tests import programs
from tests.supply_chain import locks

FOLDER: Final = Path(__file__).parents[2] / "docker"
SCHEMA: Final = jsonschema_rs.validator_for(
    json.loads((Path(__file__).parent / "compose-spec.json").read_text())
)
BASE: Final = "compose.yaml"
OVERLAYS: Final = sorted(path.name for path in FOLDER.glob("compose.*.yaml"))
HARDENED: Final = {
    "read_only": True,
    "tmpfs": ["/tmp"],
    "cap_drop": ["ALL"],
    "security_opt": ["no-new-privileges:true"],
}


def composition(name: str) -> dict[str, Any]:
    """Return what the file *name* says."""
    return yaml.safe_load((FOLDER / name).read_text())


def whole(name: str) -> dict[str, dict[str, Any]]:
    """Return the services of the composition with the overlay *name*, as far as read here."""
    services = composition(BASE)["services"]
    for service, change in composition(name)["services"].items():
        services[service] = services.get(service, {}) | change
    return services


@pytest.mark.parametrize("name", [BASE, *OVERLAYS])
def test_compose_knows_every_field(name: str) -> None:
    SCHEMA.validate(composition(name))


def test_a_field_that_compose_does_not_know_would_be_found() -> None:
    with pytest.raises(jsonschema_rs.ValidationError, match="imag"):
        SCHEMA.validate({"services": {"redis": {"imag": "redis:8"}}})


def test_there_is_one_for_each_way_to_run_redis_and_one_to_watch() -> None:
    assert [f"compose.{kind}.yaml" for kind in ("cluster", "observability", "sentinel")] == OVERLAYS
    page = (FOLDER.parent / "service" / "guide" / "deployment.md").read_text("utf-8")
    assert all(f"--file docker/{name} up" in page for name in OVERLAYS)


@pytest.mark.parametrize("name", OVERLAYS)
def test_every_container_is_confined(name: str) -> None:
    for service, container in whole(name).items():
        assert {key: container.get(key) for key in HARDENED} == HARDENED, service
        assert all(port.startswith("127.0.0.1:") for port in container.get("ports", []))


@pytest.mark.parametrize("name", OVERLAYS)
def test_what_is_named_is_there(name: str) -> None:
    """Files, volumes and the services that another waits for."""
    added, services = composition(name), whole(name)
    volumes = composition(BASE)["volumes"].keys() | added["volumes"].keys()
    for container in services.values():
        assert set(container.get("depends_on", ())) <= services.keys()
        for mount in container.get("volumes", ()):
            source = mount.split(":")[0]
            if source.startswith("./"):
                assert (FOLDER / source).is_file(), mount
            elif not source.startswith("$"):
                assert source in volumes


@pytest.mark.parametrize("name", OVERLAYS)
def test_what_a_service_waits_for_is_spelt_alike_in_both_files(name: str) -> None:
    """Some versions of Compose merge a list with a mapping wrongly."""
    base = composition(BASE)["services"]
    for service, change in composition(name)["services"].items():
        if "depends_on" in change and "depends_on" in base.get(service, {}):
            assert type(change["depends_on"]) is type(base[service]["depends_on"])


@pytest.mark.parametrize("name", ["compose.cluster.yaml", "compose.sentinel.yaml"])
def test_the_replicas_are_told_of_servers_that_there_are(name: str) -> None:
    services = whole(name)
    for replica in ("colloquy-1", "colloquy-2"):
        url = services[replica]["environment"]["COLLOQUY_REDIS_URL"]
        assert settings.read({"COLLOQUY_REDIS_URL": url}).redis_url == url
        hosts = re.findall(r"([\w-]+):\d+", url)
        assert len(hosts) == 3
        assert set(hosts) <= services.keys()


def test_the_nodes_of_the_cluster_have_the_addresses_that_it_is_made_of() -> None:
    services = whole("compose.cluster.yaml")
    maker = services.pop("cluster")
    nodes = [
        container["networks"]["default"]["ipv4_address"]
        for name, container in services.items()
        if name.startswith("redis")
    ]
    assert re.findall(r"([\d.]+):6379", " ".join(maker["command"])) == nodes
    assert len(set(nodes)) == 6


def test_prometheus_takes_its_configuration() -> None:
    promtool = programs.path("promtool", "Debian's package prometheus")
    programs.run(promtool, "check", "config", str(FOLDER / "observability" / "prometheus.yaml"))


def test_the_replicas_send_traces_to_a_collector_that_there_is() -> None:
    services = whole("compose.observability.yaml")
    for name in ("colloquy-1", "colloquy-2"):
        said = {
            variable: re.sub(r"^\$\{\w+-(.*)\}$", r"\1", str(value))
            for variable, value in services[name]["environment"].items()
            if variable.startswith("OTEL_")
        }
        assert settings.read(said).traces
        host, port = said["OTEL_EXPORTER_OTLP_ENDPOINT"].removeprefix("http://").split(":")
        assert services[host]["image"].startswith("${JAEGER_IMAGE")
        assert port == "4318"


def test_the_image_of_the_replicas_has_what_sends_traces() -> None:
    lock = composition("compose.observability.yaml")["x-replica"]["build"]["args"]["LOCK"]
    assert FOLDER / lock == locks.TRACING
    assert f"!docker/{lock}" in (FOLDER.parent / ".dockerignore").read_text().splitlines()
    dockerfile = (FOLDER / "Dockerfile").read_text()
    assert f"docker/{lock} ./" in dockerfile
    assert "--require-hashes --requirement ${LOCK}" in dockerfile


def test_grafana_asks_services_that_there_are() -> None:
    services = whole("compose.observability.yaml")
    sources = yaml.safe_load((FOLDER / "observability/grafana-datasources.yaml").read_text())
    for source in sources["datasources"]:
        assert re.fullmatch(r"http://([\w-]+):\d+", source["url"])
        assert source["url"].split("/")[2].split(":")[0] in services


def test_prometheus_asks_the_replicas_by_names_that_they_answer_to() -> None:
    services = whole("compose.observability.yaml")
    config = yaml.safe_load((FOLDER / "observability" / "prometheus.yaml").read_text())
    (job,) = config["scrape_configs"]
    names = {target.split(":")[0] for target in job["static_configs"][0]["targets"]}
    assert job["job_name"] == "colloquy"
    for name in names:
        hosts = services[name]["environment"]["COLLOQUY_HOSTS"]
        assert hosts.rpartition("}")[2].split(",") == sorted(names)
