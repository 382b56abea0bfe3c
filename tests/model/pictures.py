#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""Checks the pictures of locks in every locking mode that has them: the lock in memory, the checker's picture and the
picture of the page of --look must be equal at each step.

The model checker compares a lock with its picture (modelcheck --pictures) in the executions of a program with
contention, wait, notify and hashes. Then the code with which the page of --look draws a lock replays these executions.
The replay needs Node and the packages of the target look_page; without them the replay is skipped with a message.

    tests/model/pictures.py [MODE ...]
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BUILD = pathlib.Path(os.environ.get("KEYHOLE_BUILD", str(ROOT / "build" / "release")))
WORK = ROOT / "build" / "picture-tests"
SCENARIO = "contend-wait-hash"
NO_PICTURES = ("none", "pthread", "traced")


def modes():
    """Returns the names of the locking modes that have pictures."""
    rows = re.findall(r"^LOCKING_ALGORITHM\((\w+)\)", (ROOT / "runtime/sync/algorithms.def").read_text(), re.MULTILINE)
    special = {"lightweight_table": "lightweight+table", "lightweight_table_a": "lightweight+table-a",
               "hashchains_plus3": "hashchains+3"}
    names = [special.get(row, row.replace("_", "-")) for row in rows]
    return [name for name in names if name not in NO_PICTURES]


def run(words, **options):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=300, **options)
    assert done.returncode == 0, f"{words}: exit code {done.returncode}\n{done.stdout[-4000:]}{done.stderr[-2000:]}"
    return done.stdout


def page_code():
    """Compiles the page's reconstruction to JavaScript. Returns the file, or None without Node or the packages."""
    compiler = BUILD / "vm" / "tools" / "look-page" / "node_modules" / ".bin" / "esbuild"
    if shutil.which("node") is None or not compiler.exists():
        return None
    script = WORK / "reconstruction.mjs"
    source = ROOT / "vm/tools/look/page/source/reconstruction.ts"
    run([compiler, source, "--format=esm", f"--outfile={script}", "--log-level=error"])
    return script


def main():
    WORK.mkdir(parents=True, exist_ok=True)
    code = page_code()
    for mode in sys.argv[1:] or modes():
        told = WORK / f"{mode}.jsonl"
        said = run([BUILD / "modelcheck", "--pictures", "--algorithm", mode, "--scenario", SCENARIO, "--states", "3000",
                    "--tell", told])
        assert said.startswith("ok "), said
        lines = told.read_text().splitlines()
        steps = [step for line in lines for step in json.loads(line)["steps"]]
        for what, seen in (("a queue", any(step["picture"]["queue"] for step in steps)),
                           ("a wait", any(step["picture"]["waiters"] for step in steps)),
                           ("a hash", any(step["picture"]["isHashed"] for step in steps)),
                           ("an owner with levels", any(step["picture"]["levels"] == 2 for step in steps))):
            assert seen, f"{mode}: no execution of {SCENARIO} had {what}"
        page = "" if code is None else run(["node", ROOT / "tests/model/pictures.js", code, told]).strip()
        print(f"{mode}: {len(lines)} executions, {len(steps)} steps{', the page agrees' if page else ''}")
        told.unlink()
    if code is None:
        print("left out: the page's pictures (no Node, or `cmake --build build/release --target look_page` is missing)")


if __name__ == "__main__":
    main()
