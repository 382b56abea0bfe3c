#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""A numbered rule can be looked up where it is cited.

Protocols number their rules ("// R4: ..." at the top of lightweight.h), and code cites them by number. A cited rule
must be in the same file, or in a file that a comment of the citing file names.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDERS = ["runtime", "gc", "vm", "jit", "classlib"]
RULE = re.compile(r"^\s*//\s*([RK]\d+): ", re.MULTILINE)
CITED = re.compile(r"\b[RK]\d+\b")
FILE = re.compile(r"\b\w+\.(?:h|cpp|def)\b")


def comments_of(text):
    """Line comments, and the comments of emitted instructions."""
    return [
        (number, found.group())
        for number, line in enumerate(text.splitlines(), 1)
        if (found := re.search(r'//.*|\bcomment\(".*', line))
    ]


def main():
    texts = {
        path: path.read_text()
        for folder in FOLDERS
        for path in sorted((ROOT / folder).rglob("*"))
        if path.suffix in (".h", ".cpp", ".def")
    }
    rules_of = {}  # name of a file -> the numbers of its rules
    for path, text in texts.items():
        rules_of.setdefault(path.name, set()).update(RULE.findall(text))
    faults = []
    for path, text in texts.items():
        comments = comments_of(text)
        named = {path.name} | {name for _, comment in comments for name in FILE.findall(comment)}
        known = set().union(*(rules_of.get(name, set()) for name in named))
        for number, comment in comments:
            for rule in CITED.findall(comment):
                if rule not in known:
                    faults.append(f"{path.relative_to(ROOT)}:{number}: {rule} is in no file that this one names")
    print("\n".join(faults) if faults else "every rule cited can be found")
    sys.exit(1 if faults else 0)


main()
