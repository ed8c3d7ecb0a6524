"""What is written for Kubernetes: kubectl reads it, pods find one another, the bits are right."""

from __future__ import annotations

import json
import re
import shutil
import stat
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from native_runs.folders import command

from alpha.tools.building.description import RunDescription

NAME = "alpha-least-squares-adam"
FLAGS = ("--engine=kubernetes", "--image=registry.example:5000/alpha:1", "--claim=results")
LABEL = re.compile(r"[a-z]([a-z0-9-]{0,61}[a-z0-9])?")
"""RFC 1035, as the API wants the name of a service."""


@pytest.fixture
def written(four_roles: Path, tmp_path: Path) -> Path:
    """A folder with a manifest."""
    folder = tmp_path / "launch"
    told = command("launch", four_roles, *FLAGS, "--no-submit", "-o", folder)
    assert (told.status, told.said) == (0, "")
    return folder


def kubectl(*arguments: str | Path) -> list[dict]:
    """The objects that kubectl prints, which it does without any cluster."""
    done = subprocess.run(
        ["kubectl", *map(str, arguments), "-o", "json"],
        env={"PATH": "/usr/local/bin:/usr/bin:/bin", "KUBECONFIG": "/nonexistent"},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    decoder, found, text = json.JSONDecoder(), [], done.stdout.strip()
    while text:
        value, end = decoder.raw_decode(text)
        found.append(value)
        text = text[end:].lstrip()
    return found


def read(folder: Path) -> list[dict]:
    """The objects of a manifest, without the label that makes kubectl print them."""
    found = kubectl("label", "--local", "-f", folder / "job.yaml", "marked=yes")
    for each in found:
        assert each["metadata"]["labels"].pop("marked") == "yes"
    return found


def test_what_it_holds(written: Path, four_roles: Path) -> None:
    service, texts, *jobs = read(written)
    assert [each["kind"] for each in (service, texts, *jobs)] == [
        "Service",
        "ConfigMap",
        "Job",
        "Job",
    ]
    assert [each["apiVersion"] for each in (service, texts, *jobs)] == [
        "v1",
        "v1",
        "batch/v1",
        "batch/v1",
    ]
    assert service["spec"]["clusterIP"] == "None"
    assert service["metadata"]["name"] == texts["metadata"]["name"] == NAME
    described = RunDescription.read(four_roles)
    for job, machine in zip(jobs, ("x86-64", "aarch64"), strict=True):
        architecture = {"x86-64": "amd64", "aarch64": "arm64"}[machine]
        assert job["metadata"]["name"] == f"{NAME}-{architecture}"
        spec = job["spec"]
        count = sum(role.target == machine for role in described.roles)
        assert (spec["completionMode"], spec["completions"]) == ("Indexed", count)
        # All at once, since each waits for the others; none again, since its peers have lost it.
        assert (spec["parallelism"], spec["backoffLimit"]) == (count, 0)
        template = spec["template"]
        assert service["spec"]["selector"].items() <= template["metadata"]["labels"].items()
        pod = template["spec"]
        assert pod["restartPolicy"] == "Never"
        assert pod["subdomain"] == service["metadata"]["name"]
        assert pod["nodeSelector"]["kubernetes.io/arch"] == architecture
        (container,) = pod["containers"]
        assert container["image"] == "registry.example:5000/alpha:1"
        assert container["command"] == ["/bin/sh", "/start/start.sh", architecture]
        mounted = {each["name"] for each in container["volumeMounts"]}
        assert mounted == {each["name"] for each in pod["volumes"]}
        for name in (NAME, job["metadata"]["name"], f"{job['metadata']['name']}-{count - 1}"):
            assert LABEL.fullmatch(name)


def _paths(value: object, way: tuple[object, ...] = ()) -> Iterator[tuple[object, ...]]:
    """The ways to all that a value holds, with that."""
    if isinstance(value, dict):
        for name, each in value.items():
            yield from _paths(each, (*way, name))
    elif isinstance(value, list):
        for at, each in enumerate(value):
            yield from _paths(each, (*way, at))
    else:
        yield (*way, value)


def test_the_types_of_the_api_have_every_field(written: Path, tmp_path: Path) -> None:
    """kubectl reads objects into its own types, and writes what these have: nothing is lost."""
    service, _, *jobs = (written / "job.yaml").read_text().split("---\n")[1:]
    (tmp_path / "jobs.yaml").write_text("---\n".join(jobs))
    (tmp_path / "service.yaml").write_text(service)
    typed = kubectl("set", "selector", "--local", "-f", tmp_path / "service.yaml", "other=one")
    typed += kubectl("set", "image", "--local", "-f", tmp_path / "jobs.yaml", "role=other")
    meant = [each for each in read(written) if each["kind"] != "ConfigMap"]
    (version,) = kubectl("version", "--client")
    minor = int(version["clientVersion"]["minor"].rstrip("+"))
    # The first version whose types have indexed jobs is 1.21.
    untyped = set() if minor >= 21 else {("spec", "completionMode", "Indexed")}
    assert len(typed) == len(meant) == 3
    for each, seen in zip(meant, typed, strict=True):
        assert each["kind"] == seen["kind"]
        lost = set(_paths(each)) - set(_paths(seen)) - untyped
        # These two are what kubectl was asked to change.
        assert {way for way in lost if not {"image", "selector"} & {*way}} == set()


def test_pods_find_one_another_and_end_as_the_interpreter(
    written: Path, four_roles: Path, wanted: list[str], tmp_path: Path
) -> None:
    """The text of each pod is run, with its names of hosts answered as a cluster does."""
    text = read(written)[1]["data"]["start.sh"]
    image, results, programs = tmp_path / "image", tmp_path / "results", tmp_path / "programs"
    shutil.copytree(four_roles, image)
    results.mkdir()
    programs.mkdir()
    hosts = [f"{NAME}-{kind}-{index}.{NAME}" for kind in ("amd64", "arm64") for index in (0, 1)]
    # A name comes into being when its pod does.
    (programs / "getent").write_text(
        f'#!/bin/sh\n[ "$1" = ahostsv4 ] && case $2 in {"|".join(hosts)}) ;; *) exit 2 ;; esac\n'
        f"[ -e {tmp_path}/known ] && echo '127.0.0.1       STREAM name' || exit 2\n"
    )
    (programs / "getent").chmod(0o755)
    for old, new in (("/alpha/", f"{image}/"), ("/results/", f"{results}/")):
        assert old in text
        text = text.replace(old, new)
    text = re.sub(r"\b200(\d\d)\b", r"421\1", text)
    (tmp_path / "start.sh").write_text(text)
    pods = [
        subprocess.Popen(
            [shell, str(tmp_path / "start.sh"), kind],
            env={
                "PATH": f"{programs}:/usr/local/bin:/usr/bin:/bin",
                "JOB_COMPLETION_INDEX": f"{index}",
            },
            stderr=subprocess.PIPE,
        )
        for shell, kind, index in (
            ("sh", "arm64", 1),
            ("bash", "arm64", 0),
            ("bash", "amd64", 1),
            ("sh", "amd64", 0),
        )
    ]
    (tmp_path / "known").touch()
    for pod in pods:
        assert pod.communicate(timeout=60)[1] == b""
        assert pod.returncode == 0
    (folder,) = results.iterdir()
    digest = RunDescription.read(four_roles).digests.run
    assert folder.name == f"{NAME}-{digest[:12]}"
    told = command("launch", "--collect", folder)
    assert (told.status, told.said) == (0, "")
    assert told.out.splitlines()[1:] == wanted


def test_the_image(written: Path, four_roles: Path) -> None:
    """The files that the image copies are those of the build that a role needs."""
    lines = (written / "Dockerfile").read_text().splitlines()
    (copied,) = (line for line in lines if line.startswith("COPY "))
    patterns = copied.split()[1:-1]
    assert copied.split()[-1] == "/alpha/"
    found = {path.name for pattern in patterns for path in four_roles.glob(pattern)}
    assert found == {path.name for path in four_roles.iterdir()} - {"run.mlir"}
    assert all((four_roles / f"role-{role}").stat().st_mode & stat.S_IXUSR for role in range(4))


def test_the_same_bytes(written: Path, four_roles: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    assert command("launch", four_roles, *FLAGS, "--no-submit", "-o", other).status == 0
    for name in ("job.yaml", "Dockerfile"):
        assert (written / name).read_bytes() == (other / name).read_bytes()
