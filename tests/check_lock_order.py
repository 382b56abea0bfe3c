#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""Checks that docs/lock-order.md shows runtime/lock_ranks.def, and that every lock of the VM has a row in
lock_ranks.def.

The script draws the page again, and compares the result with docs/lock-order.md. KEYHOLE_BLESS=1 writes the page. Each
row must have at least one lock in the sources, each lock in the sources must have a row, and no code may use a bare
std::mutex, which would have no rank.
"""
import difflib
import os
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
TABLE = ROOT / "runtime/lock_ranks.def"
PAGE = ROOT / "docs/lock-order.md"
# Files that may use a std::mutex without a rank: a Mutex contains one, and so do the mutexes of HardwareWorld, the
# platform on which protocols run outside the model checker.
BARE = {"runtime/base/mutex.h", "runtime/base/platform/hardware_world.h"}

ROW = re.compile(r'^(LOCK|LEAF)\((\w+), "([^"]*)"\)$', re.MULTILINE)
EDGE = re.compile(r'^NESTS\((\w+), (\w+), "([^"]*)"\)$', re.MULTILINE)


def sources():
    for folder in ("runtime", "gc", "vm", "jit", "classlib"):
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in (".h", ".cpp"):
                yield path.relative_to(ROOT).as_posix(), path.read_text()


def draw(rows, edges, homes):
    lines = [
        "# The order of the VM's locks",
        "",
        "Drawn by `tests/check_lock_order.py` from [`runtime/lock_ranks.def`](../runtime/lock_ranks.def), whose comment says",
        "how to add a lock. The holder of a leaf may acquire no other lock. The holder of another lock may acquire all",
        "leaves, and each lock to which a path of arrows leads from the held lock. Debug builds check this at each",
        "acquisition, contended or not.",
        "",
        "```mermaid",
        "flowchart TD",
    ]
    lines += [f"  {name}" for kind, name, _ in rows if kind == "LOCK"]
    lines += [f"  {outer} --> {inner}" for outer, inner, _ in edges]
    lines += [
        "  subgraph leaves [leaves: inside of any lock above]",
        *[f"    {name}" for kind, name, _ in rows if kind == "LEAF"],
        "  end",
        "```",
        "",
        "## Locks",
        "",
        "| lock | guards | where |",
        "|---|---|---|",
    ]
    for kind, name, guards in rows:
        where = ", ".join(f"`{path}`" for path in homes[name])
        lines.append(f"| {name}{' (leaf)' if kind == 'LEAF' else ''} | {guards} | {where} |")
    lines += ["", "## Why one is taken inside of another", "", "| outer | inner | reason |", "|---|---|---|"]
    lines += [f"| {outer} | {inner} | {reason} |" for outer, inner, reason in edges]
    return "\n".join(lines) + "\n"


def main():
    table = TABLE.read_text()
    rows, edges = ROW.findall(table), EDGE.findall(table)
    names = [name for _, name, _ in rows]
    pairs = [(outer, inner) for outer, inner, _ in edges]
    faults = [f"{TABLE.name}: {pair} names no row" for pair in pairs if not set(pair) <= set(names)]
    homes = {name: [] for name in names}
    for path, text in sources():
        text = re.sub(r"//.*", "", text)
        for name in re.findall(r"\bMutex \w+\{LockRank::(\w+)\}", text):
            if name not in homes:
                faults.append(f"{path}: {name} is no row of {TABLE.name}")
            elif path not in homes[name]:
                homes[name].append(path)
        if path not in BARE and re.search(r"std::(recursive_|shared_|timed_)*mutex\b", text):
            faults.append(f"{path}: a std::mutex has no rank; use Mutex (runtime/base/mutex.h)")
    faults += [f"{TABLE.name}: no lock is a {name}" for name in names if not homes[name]]
    if faults:
        print("\n".join(faults))
        sys.exit(1)
    page = draw(rows, edges, homes)
    if os.environ.get("KEYHOLE_BLESS"):
        PAGE.write_text(page)
    old = PAGE.read_text() if PAGE.exists() else ""
    if old != page:
        drawn = difflib.unified_diff(old.splitlines(True), page.splitlines(True), PAGE.name, "as it would be drawn")
        sys.stdout.writelines(drawn)
        print("KEYHOLE_BLESS=1 tests/check_lock_order.py writes the page")
        sys.exit(1)
    print(f"{len(rows)} locks, {len(edges)} rows about nesting: drawn as they are")


if __name__ == "__main__":
    main()
