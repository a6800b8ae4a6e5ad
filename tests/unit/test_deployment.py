"""The manifests of the reference deployment fit the schemas of Kubernetes, each other, and the server's settings."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import kubernetes_validate
import pytest
import yaml

from verifier.config import load

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "docs" / "deployment" / "kubernetes"
KUBERNETES = "1.33"
"""The oldest release whose schemas they must fit; the newest that the package knows is tried too."""

OBJECTS: dict[tuple[str, str], Any] = {
    (one["kind"], one["metadata"]["name"]): one
    for file in sorted(FOLDER.glob("*.yaml"))
    for one in yaml.safe_load_all(file.read_text(encoding="utf-8"))
}
SERVER = OBJECTS["Deployment", "verifier"]
POD = SERVER["spec"]["template"]["spec"]
[CONTAINER] = POD["containers"]
CONFIG = OBJECTS["ConfigMap", "verifier"]["data"]["verifier.toml"]


@pytest.mark.parametrize("version", [KUBERNETES, kubernetes_validate.latest_version()])
@pytest.mark.parametrize("kind_and_name", OBJECTS, ids="-".join)
def test_each_fits_the_schema(kind_and_name, version) -> None:
    kubernetes_validate.validate(OBJECTS[kind_and_name], version, strict=True)


def test_a_manifest_with_a_misspelt_key_does_not() -> None:
    wrong = {**SERVER, "spec": {**SERVER["spec"], "replica": 2}}
    with pytest.raises(kubernetes_validate.ValidationError):
        kubernetes_validate.validate(wrong, KUBERNETES, strict=True)


def test_all_kinds_of_a_deployment_are_there() -> None:
    assert {kind for kind, _ in OBJECTS} == {
        "ConfigMap",
        "Deployment",
        "HorizontalPodAutoscaler",
        "NetworkPolicy",
        "PersistentVolumeClaim",
        "PodDisruptionBudget",
        "Service",
    }


def test_its_configuration_is_one_and_names_what_is_there(tmp_path) -> None:
    (tmp_path / "verifier.toml").write_text(CONFIG)
    settings = load(tmp_path / "verifier.toml", environ={}).settings
    mounted = {mount["mountPath"] for mount in CONTAINER["volumeMounts"]}
    assert str(Path(str(settings.server.keys)).parent) in mounted
    assert str(Path(settings.kb.path).parent) in mounted
    [copied] = POD["initContainers"]
    assert copied["command"][-1] == settings.kb.path
    service = OBJECTS["Service", "verifier-state"]
    assert (
        settings.server.state
        == f"redis://{service['metadata']['name']}:{service['spec']['ports'][0]['port']}/0"
    )
    assert CONTAINER["ports"][0]["containerPort"] == settings.server.port
    drained = settings.server.notice_seconds + settings.server.drain_seconds + 5
    assert POD["terminationGracePeriodSeconds"] > drained
    notice = CONTAINER["readinessProbe"]["periodSeconds"] * CONTAINER["readinessProbe"]["failureThreshold"]
    assert notice < settings.server.notice_seconds


def test_volumes_selectors_and_probes_hold_together() -> None:
    volumes = {volume["name"]: volume for volume in POD["volumes"]}
    for container in (*POD["containers"], *POD["initContainers"]):
        assert {mount["name"] for mount in container["volumeMounts"]} <= set(volumes)
    claim = volumes["published"]["persistentVolumeClaim"]["claimName"]
    assert ("PersistentVolumeClaim", claim) in OBJECTS
    labels = SERVER["spec"]["template"]["metadata"]["labels"]
    for kind in ("PodDisruptionBudget", "HorizontalPodAutoscaler", "Service"):
        spec = OBJECTS[kind, "verifier"]["spec"]
        chosen = spec.get("selector", {})
        assert chosen.get("matchLabels", chosen) == (labels if chosen else {})
    assert OBJECTS["HorizontalPodAutoscaler", "verifier"]["spec"]["scaleTargetRef"]["name"] == "verifier"
    assert CONTAINER["livenessProbe"]["httpGet"]["path"] == "/healthz"
    assert CONTAINER["readinessProbe"]["httpGet"]["path"] == "/readyz"


def test_nobody_is_root_and_nothing_is_written_but_on_volumes() -> None:
    for name in ("verifier", "verifier-state"):
        pod = OBJECTS["Deployment", name]["spec"]["template"]["spec"]
        assert pod["securityContext"]["runAsNonRoot"]
        for container in (*pod["containers"], *pod.get("initContainers", ())):
            assert container["securityContext"]["readOnlyRootFilesystem"]
            assert container["securityContext"]["capabilities"] == {"drop": ["ALL"]}
    user = POD["securityContext"]["runAsUser"]
    assert f"USER {user}" in (ROOT / "Dockerfile").read_text(encoding="utf-8")


def test_compose_gives_the_server_time_to_drain() -> None:
    server = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))["services"]["verifier"]
    own = load(environ=server["environment"]).settings.server
    assert int(server["stop_grace_period"].removesuffix("s")) > own.notice_seconds + own.drain_seconds + 5
    assert own.processes == 2


def test_the_guide_names_every_manifest() -> None:
    guide = (ROOT / "docs" / "guides" / "deployment.md").read_text(encoding="utf-8")
    assert all(f"../deployment/kubernetes/{file.name}" in guide for file in FOLDER.glob("*.yaml"))
    assert tomllib.loads(CONFIG)["server"]["state"].startswith("redis://")
