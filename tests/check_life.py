#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""Checks that the tours that READMEs describe step by step are marked in the code: `grep -rn "LIFE(monitorenter)"`
finds the steps of one tour.

Under the heading "The life of one NAME" a README has numbered steps that begin with a file:   3. `vm/.../file.cpp`: ...
The named file contains the tag of the step, a comment   LIFE(NAME) 3/10: ...   that occurs once in the tree. It is an
error if a step has no tag, if a tag has no step, or if a tag is not in the file that its step names.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDERS = ["vm", "jit", "gc", "runtime"]


def steps():
    """Returns {name of a tour: {number of a step: file}} from the READMEs."""
    lives = {}
    for readme in ROOT.glob("**/README.md"):
        if readme.relative_to(ROOT).parts[0] not in FOLDERS:
            continue
        name = None
        for line in readme.read_text().splitlines():
            if line.startswith("#"):
                heading = re.match(r"## The life of one (\w+)$", line)
                name = heading and heading.group(1)
            step = re.match(r"(\d+)\. `([^`]+)`", line)
            if name and step:
                lives.setdefault(name, {})[int(step.group(1))] = step.group(2)
    return lives


def tags():
    """Returns the tags in the code as [(name of the tour, number of the step, total number of steps, file)]."""
    found = []
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in (".h", ".cpp", ".def"):
                for match in re.finditer(r"LIFE\((\w+)\) (\d+)/(\d+):", path.read_text()):
                    found.append(
                        (match.group(1), int(match.group(2)), int(match.group(3)), str(path.relative_to(ROOT)))
                    )
    return found


def main():
    wrong = []
    lives = steps()
    seen = set()
    for name, number, of, file in tags():
        expected = lives.get(name, {})
        if of != len(expected):
            wrong.append(f"{file}: LIFE({name}) {number}/{of}, but the README has {len(expected)} steps")
        if expected.get(number) != file:
            wrong.append(f"{file}: LIFE({name}) {number}: the README says {expected.get(number)}")
        if (name, number) in seen:
            wrong.append(f"{file}: LIFE({name}) {number} is there twice")
        seen.add((name, number))
    for name, expected in lives.items():
        wrong += [
            f"{file}: no LIFE({name}) {number}/{len(expected)}"
            for number, file in expected.items()
            if (name, number) not in seen
        ]
    if not lives:
        wrong.append("no README describes a life")
    print("\n".join(wrong) if wrong else f"{len(seen)} steps")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
