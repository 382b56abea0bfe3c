#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""Checks the steps of Dockerfile and .devcontainer/devcontainer.json without building a container. Each step must be
shell text that parses, and the files, groups of packages, presets and targets that it names must exist.
tests/packages.py runs the second stage. Also checks that the commands in docs/first-evening.md fit this tree.
"""
import json
import pathlib
import re
import subprocess
import sys

from test_loop import by_name, run_tests

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def stages():
    """Returns the instructions of each stage: [(instruction, rest)]."""
    text = (ROOT / "Dockerfile").read_text().replace("\\\n", " ")
    found = []
    for line in text.splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        instruction, rest = line.split(None, 1)
        if instruction == "FROM":
            found.append([])
        found[-1].append((instruction, rest))
    return found


def steps():
    container = json.loads((ROOT / ".devcontainer" / "devcontainer.json").read_text())
    return ([rest for stage in stages() for instruction, rest in stage if instruction == "RUN"]
            + [container["onCreateCommand"], container["postCreateCommand"]])


def each_step_is_shell():
    for step in steps():
        done = subprocess.run(["sh", "-n", "-c", step], capture_output=True, text=True)
        assert done.returncode == 0, f"{step}: {done.stderr}"


def what_steps_name_exists():
    presets = {each["name"] for each in json.loads((ROOT / "CMakePresets.json").read_text())["configurePresets"]}
    groups = set(re.findall(r"^    (\w+)\) echo", (ROOT / ".ci" / "install-packages").read_text(), re.MULTILINE))
    cmake = "".join(path.read_text() for path in (ROOT / "cmake").glob("*.cmake"))
    for step in steps():
        for script in re.findall(r"(?:^|\s)(\.ci/[\w-]+|\./\w+|examples/\w+\.java)", step):
            assert (ROOT / script).exists(), f"{script} of {step}"
        for wanted in re.findall(r"\.ci/install-packages ([a-z ]+)", step):
            assert set(wanted.split()) <= groups, f"{wanted}: groups are {groups}"
        for preset in re.findall(r"\.ci/build (\w+)", step):
            assert preset in presets, preset
        for target in re.findall(r"--target (\w+)", step):
            assert f"add_custom_target({target} " in cmake, target


def stages_fit_together():
    first, last = stages()
    copied, = [rest for instruction, rest in last if instruction == "COPY"]
    stage, source, _ = re.fullmatch(r"--from=(\w+) (\S+) (\S+)", copied).groups()
    assert first[0] == ("FROM", f"debian:13 AS {stage}"), first[0]
    folder, = [rest for instruction, rest in first if instruction == "WORKDIR"]
    assert source == f"{folder}/build/release/packages/keyhole_*.deb", source
    assert "CPACK_PACKAGE_DIRECTORY ${CMAKE_BINARY_DIR}/packages" in (ROOT / "cmake" / "packages.cmake").read_text()
    assert "build" in (ROOT / ".dockerignore").read_text().splitlines()


def commands_of_the_first_evening():
    page = (ROOT / "docs" / "first-evening.md").read_text()
    container = re.search(r'container="(docker run .*?)"$', (ROOT / ".ci" / "check-machine").read_text(), re.MULTILINE)
    assert container.group(1).replace("\\", "") in page, "the page has another command than .ci/check-machine says"
    commands = re.findall(r"^(?:docker .* )?((?:\./)?keyhole .*)$", page, re.MULTILINE)
    assert len(commands) >= 4, commands
    for command in commands:
        for name in re.findall(r"(?:examples|docs)/[\w./-]+", command):
            assert (ROOT / name).exists(), f"{name} of {command}"
    build, = re.findall(r"^docker build .*$", page, re.MULTILINE)
    assert f"#   {build}" in (ROOT / "Dockerfile").read_text(), build


def main():
    tests = [each_step_is_shell, what_steps_name_exists, stages_fit_together, commands_of_the_first_evening]
    return run_tests(by_name(tests), [word for word in sys.argv[1:] if not word.startswith("--")])


if __name__ == "__main__":
    sys.exit(main())
