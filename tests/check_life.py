#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""The walks through the code are walkable: `grep -rn "LIFE(monitorenter)"` is the tour.

A README tells a life under the heading "The life of one NAME", in numbered stations that begin with a file:   3. `vm/.../file.cpp`: ...
In that file stands, once in the whole tree, the comment   LIFE(NAME) 3/10: ...   Stations without a tag, tags without a station, and tags in
another file than the one named are errors.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDERS = ["vm", "jit", "gc", "runtime"]


def stations():
    """{name: {number: file}} as the READMEs tell it."""
    lives = {}
    for readme in ROOT.glob("**/README.md"):
        if readme.relative_to(ROOT).parts[0] not in FOLDERS:
            continue
        name = None
        for line in readme.read_text().splitlines():
            if line.startswith("#"):
                heading = re.match(r"## The life of one (\w+)$", line)
                name = heading and heading.group(1)
            station = re.match(r"(\d+)\. `([^`]+)`", line)
            if name and station:
                lives.setdefault(name, {})[int(station.group(1))] = station.group(2)
    return lives


def tags():
    """[(name, number, of, file)] as the code has them."""
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
    lives = stations()
    seen = set()
    for name, number, of, file in tags():
        told = lives.get(name, {})
        if of != len(told):
            wrong.append(f"{file}: LIFE({name}) {number}/{of}, but the README has {len(told)} stations")
        if told.get(number) != file:
            wrong.append(f"{file}: LIFE({name}) {number}: the README says {told.get(number)}")
        if (name, number) in seen:
            wrong.append(f"{file}: LIFE({name}) {number} is there twice")
        seen.add((name, number))
    for name, told in lives.items():
        wrong += [
            f"{file}: no LIFE({name}) {number}/{len(told)}"
            for number, file in told.items()
            if (name, number) not in seen
        ]
    if not lives:
        wrong.append("no life is told")
    print("\n".join(wrong) if wrong else f"{len(seen)} stations")
    return 1 if wrong else 0


sys.exit(main())
