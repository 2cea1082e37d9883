"""Render a kustomization as `kubectl kustomize` does, as far as those of docker/kubernetes need it.

That is ``resources`` (files and folders) and ``patches`` (strategic merges, by kind and name);
anything else in a kustomization is an error rather than left out.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

import yaml

Resource = dict[str, Any]


def rendered(folder: Path) -> dict[tuple[str, str], Resource]:
    """Return the resources of the kustomization in *folder* by kind and name.

    Raises:
        NotImplementedError: it has a field that is not rendered here, or changes a list, whose
            elements would have to be merged one by one.
        ValueError: a resource is there twice.
    """
    kustomization = yaml.safe_load((folder / "kustomization.yaml").read_text())
    if others := kustomization.keys() - {"apiVersion", "kind", "resources", "patches"}:
        raise NotImplementedError(f"{folder}: {others} is not rendered")
    resources: dict[tuple[str, str], Resource] = {}
    for name in kustomization["resources"]:
        path = folder / name
        added = rendered(path) if path.is_dir() else documents(path)
        if twice := resources.keys() & added.keys():
            raise ValueError(f"{folder}: {twice} is there twice")
        resources |= added
    for patch in kustomization.get("patches", []):
        for key, change in documents(folder / patch["path"]).items():
            resources[key] = _merged(resources[key], change)
    return resources


def documents(path: Path) -> dict[tuple[str, str], Resource]:
    """Return the resources in the file at *path* by kind and name."""
    # By the parser in C: each process of a test run reads dozens of files before its first test.
    found = list(yaml.load_all(path.read_text(), Loader=yaml.CSafeLoader))
    return {(each["kind"], each["metadata"]["name"]): each for each in found}


def _merged(value: Resource, change: Resource) -> Resource:
    merged = dict(value)
    for key, new in change.items():
        old = value.get(key)
        if isinstance(old, list):
            raise NotImplementedError(f"a patch changes the list {key}")
        merged[key] = _merged(cast("Resource", old), new) if isinstance(old, dict) else new
    return merged
