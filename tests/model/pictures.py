#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""The pictures of locks, in every locking mode that has them: three readers of the same steps must agree.

The model checker compares the picture with the lock at each step of each execution (modelcheck --pictures) of a program
with contention, wait, notify and hashes. The same executions are then replayed by the code with which the page of --look
draws a lock. That needs Node and the packages of the target look_page; without them a message says
that the second half is skipped.

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
    """Returns the rows of the table of algorithms, by name."""
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
    """Returns the page's reconstruction as JavaScript, or None."""
    packages = BUILD / "vm" / "tools" / "look-page" / "node_modules"
    if shutil.which("node") is None or not packages.exists():
        return None
    script = WORK / "reconstruction.mjs"
    source = ROOT / "vm/tools/look/page/source/reconstruction.ts"
    run([packages / ".bin" / "esbuild", source, "--format=esm", f"--outfile={script}", "--log-level=error"])
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
