"""The manifests for Kubernetes fit the API, the image and the settings."""

from __future__ import annotations

import re
import urllib.request
from pathlib import Path
from typing import Any, Final

import kubernetes_validate  # pyright: ignore[reportMissingTypeStubs]
import pytest
import yaml

from service import settings
from tests import programs
from tests.clients.discovery import Service
from tests.deployment import drain_time
from tests.deployment.kustomization import Resource, documents, rendered
from tests.waiting import LONG

ROOT: Final = Path(__file__).parents[2]
FOLDER: Final = ROOT / "docker" / "kubernetes"
KUSTOMIZATIONS: Final = sorted(path.parent for path in FOLDER.rglob("kustomization.yaml"))
VERSIONS: Final = ("1.32", "1.37")
"""The oldest and the newest minor version whose fields the manifests are compared with."""
COMMANDS_POD: Final = FOLDER / "commands-pod.yaml"
WHOLE: Final = rendered(FOLDER / "overlays" / "ingress")
POD: Final[Resource] = WHOLE["StatefulSet", "colloquy"]["spec"]["template"]["spec"]
CONTAINER: Final[Resource] = POD["containers"][0]
DOCKERFILE: Final = (ROOT / "docker" / "Dockerfile").read_text()


def each_resource() -> list[Any]:
    """Return every resource of every kustomization, and the pod for commands."""
    groups = {path.name: rendered(path) for path in KUSTOMIZATIONS}
    groups["by itself"] = documents(COMMANDS_POD)
    return [
        pytest.param(resource, id=f"{name}-{kind}-{called}")
        for name, resources in groups.items()
        for (kind, called), resource in resources.items()
    ]


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("resource", each_resource())
def test_kubernetes_knows_every_field(resource: Resource, version: str) -> None:
    assert kubernetes_validate.validate(resource, version, strict=True) == version


def test_a_field_that_kubernetes_does_not_know_would_be_found() -> None:
    odd = {**WHOLE["Service", "colloquy"], "spec": {"ports": [{"port": 8080, "prot": "TCP"}]}}
    with pytest.raises(kubernetes_validate.ValidationError, match="prot"):
        kubernetes_validate.validate(odd, VERSIONS[-1], strict=True)


@pytest.mark.parametrize("folder", KUSTOMIZATIONS, ids=lambda folder: folder.name)
def test_kubectl_renders_the_same(folder: Path) -> None:
    program = programs.path("kubectl", "no package of Debian in a version that renders these")
    theirs = list(yaml.safe_load_all(programs.run(program, "kustomize", str(folder))))
    ours = rendered(folder)
    assert {(each["kind"], each["metadata"]["name"]): each for each in theirs} == ours


def test_no_file_is_left_out() -> None:
    named = {FOLDER / "commands-pod.yaml"}
    for folder in KUSTOMIZATIONS:
        kustomization = yaml.safe_load((folder / "kustomization.yaml").read_text())
        patches = [patch["path"] for patch in kustomization.get("patches", [])]
        files = ["kustomization.yaml", *kustomization["resources"], *patches]
        named |= {(folder / name).resolve() for name in files}
    assert {path for path in FOLDER.rglob("*") if path.is_file()} - named == set()


def test_every_variable_is_a_setting() -> None:
    known = {settings.variable(field) for field in settings.FIELDS}
    files = {settings.file_variable(field) for field in settings.SECRETS}
    assert set(environment()) <= known | files
    assert {"COLLOQUY_HOSTS", "COLLOQUY_PROXIES", "COLLOQUY_REDIS_URL_FILE"} <= set(environment())


def test_the_settings_can_be_read(tmp_path: Path) -> None:
    secret = tmp_path / "redis_url"
    secret.write_text("redis://redis:6379/0")
    given = environment() | {"COLLOQUY_REDIS_URL_FILE": str(secret)}
    read = settings.read(given)
    assert read.redis_url == "redis://redis:6379/0"
    assert not read.anonymous
    (rule,) = WHOLE["Ingress", "colloquy"]["spec"]["rules"]
    assert {rule["host"], "colloquy"} == set(read.hosts)


def environment() -> dict[str, str]:
    """Return what the manifests set, as the process would be given it."""
    given: dict[str, str] = dict(WHOLE["ConfigMap", "colloquy"]["data"])
    assert CONTAINER["envFrom"] == [{"configMapRef": {"name": "colloquy"}}]
    return given | {each["name"]: each["value"] for each in CONTAINER["env"]}


def test_kubernetes_sets_no_variable_that_looks_like_a_setting() -> None:
    """For a service ``colloquy`` it would set COLLOQUY_PORT, to a URL."""
    for pod in (POD, pod_of_commands()):
        assert pod["enableServiceLinks"] is False


def test_secrets_are_files_that_the_group_alone_may_read() -> None:
    for pod in (POD, pod_of_commands()):
        (container,) = pod["containers"]
        mounts = {mount["name"]: mount for mount in container["volumeMounts"]}
        (volume,) = [each for each in pod["volumes"] if each["name"] == "secrets"]
        assert volume["secret"]["defaultMode"] == 0o440
        assert mounts["secrets"]["readOnly"] is True
        for each in container["env"]:
            assert each["name"].endswith("_FILE")
            assert each["value"].startswith(mounts["secrets"]["mountPath"] + "/")


def pod_of_commands() -> Resource:
    return documents(COMMANDS_POD)["Pod", "colloquy-commands"]["spec"]


def test_every_pod_runs_without_rights() -> None:
    """As the restricted standard for pods asks, with a file system that nobody writes to."""
    (user,) = re.findall(r"^USER (\d+):(\d+)$", DOCKERFILE, re.MULTILINE)
    for pod in (POD, pod_of_commands()):
        (container,) = pod["containers"]
        of_pod, of_container = pod["securityContext"], container["securityContext"]
        assert (of_pod["runAsUser"], of_pod["runAsGroup"]) == tuple(map(int, user))
        assert of_pod["fsGroup"] == of_pod["runAsGroup"]
        assert of_pod["runAsNonRoot"] is True
        assert of_pod["seccompProfile"] == {"type": "RuntimeDefault"}
        assert of_container["allowPrivilegeEscalation"] is False
        assert of_container["readOnlyRootFilesystem"] is True
        assert of_container["capabilities"] == {"drop": ["ALL"]}
        assert pod["automountServiceAccountToken"] is False
        assert not {"hostNetwork", "hostPID", "hostIPC"} & pod.keys()


def test_every_container_says_what_it_needs_and_may_take() -> None:
    for pod in (POD, pod_of_commands()):
        (container,) = pod["containers"]
        for amounts in container["resources"].values():
            assert amounts.keys() == {"cpu", "memory"}


def test_the_data_folder_of_the_image_is_the_volume() -> None:
    (folder,) = re.findall(r"COLLOQUY_DATA_DIR=(\S+)", DOCKERFILE)
    mounts = {mount["name"]: mount["mountPath"] for mount in CONTAINER["volumeMounts"]}
    (claim,) = WHOLE["StatefulSet", "colloquy"]["spec"]["volumeClaimTemplates"]
    assert mounts[claim["metadata"]["name"]] == folder


def test_a_pod_gets_the_time_that_it_needs_to_drain() -> None:
    sleep, seconds = CONTAINER["lifecycle"]["preStop"]["exec"]["command"]
    assert sleep == "sleep"
    needed = int(seconds) + drain_time.seconds(environment())
    assert POD["terminationGracePeriodSeconds"] >= needed


def test_the_probes_are_answered(service: Service) -> None:
    ports = {each["name"]: each["containerPort"] for each in CONTAINER["ports"]}
    assert f"COLLOQUY_PORT={ports['http']}" in DOCKERFILE
    probes = {kind: CONTAINER[f"{kind}Probe"] for kind in ("startup", "liveness", "readiness")}
    paths = {kind: probe["httpGet"]["path"] for kind, probe in probes.items()}
    # Only what a restart may mend is restarted: a pod that waits for Redis is alive.
    assert paths == {"startup": "/livez", "liveness": "/livez", "readiness": "/readyz"}
    for probe in probes.values():
        assert probe["httpGet"]["port"] == "http"
        # The kubelet calls a pod by its address, which no pod is told beforehand.
        request = urllib.request.Request(
            service.url + probe["httpGet"]["path"], headers={"Host": "10.244.3.7:8080"}
        )
        with urllib.request.urlopen(request, timeout=LONG) as reply:
            assert reply.status == 200


@pytest.mark.parametrize(
    "name", [("PodDisruptionBudget", "colloquy"), ("NetworkPolicy", "colloquy-from-ingress")]
)
def test_what_selects_pods_selects_those_of_colloquy(name: tuple[str, str]) -> None:
    labels = WHOLE["StatefulSet", "colloquy"]["spec"]["template"]["metadata"]["labels"]
    spec = WHOLE[name]["spec"]
    assert (spec.get("selector") or spec["podSelector"])["matchLabels"] == labels


def test_the_autoscaler_scales_what_there_is() -> None:
    scaler = WHOLE["HorizontalPodAutoscaler", "colloquy"]["spec"]
    target = WHOLE[scaler["scaleTargetRef"]["kind"], scaler["scaleTargetRef"]["name"]]
    assert target["apiVersion"] == scaler["scaleTargetRef"]["apiVersion"]
    # A number here would take back at each `apply` what the autoscaler has decided.
    assert "replicas" not in target["spec"]
    assert (
        scaler["minReplicas"] > WHOLE["PodDisruptionBudget", "colloquy"]["spec"]["maxUnavailable"]
    )


def test_a_policy_lets_pass_what_the_service_and_its_ports_need() -> None:
    policy = WHOLE["NetworkPolicy", "colloquy"]["spec"]
    assert {port["port"] for rule in policy["ingress"] for port in rule["ports"]} == {"http"}
    assert all(rule["from"] for rule in policy["ingress"])
    reached = {port["port"] for rule in policy["egress"] for port in rule["ports"]}
    assert reached == {53, 443, 6379, 26379}
