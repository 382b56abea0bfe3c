#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""Loops over the threaded programs, long enough to find failures that occur once in ten thousand runs. The loop can be
stopped and continued.

    tests/java/locking_loop.py [--vm build/release/keyhole] [--passes N] [--yield-passes N] [--yield-interval N]
                               [--modes A,B] [--layouts A,B] [--jobs N] [--minutes N] [--state FILE] [--status] [--again] [filter ...]

A pass runs each program once (tests/java/run.py; without a filter, the programs of threads/, concurrent/ and
init/Concurrent). The locking modes in PLAIN_MODES get --passes (200) passes without further flags. All other modes get
--yield-passes (20) passes with -XX:LockYieldInterval=, with which a thread now and then yields its processor in the
middle of a lock operation. The passes alternate between modes and header layouts, so that a loop that was stopped early
has covered all of them.

After each pass, the results and the full text of each failure are stored in build/locking-loop.json. The next call
continues from there, unless the VM has been built again. The last line of the output is "N passed, M failed", and
counts all passes so far.
"""
import argparse
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys
import time

import matrix
import run

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
PLAIN_MODES = ["lightweight", "lightweight+table", "monitor", "cjm-by"]
LAYOUTS = {"compact": "release", "classic": "classic", "tiny": "tiny"}   # to configurations of run.py
FILTERS = ["threads/", "concurrent/", "init/Concurrent"]


def modes_of(vm):
    return run.locking_modes(vm)


def runs_on(vm, mode, layout):
    return matrix.is_accepted(vm, run.CONFIGURATIONS[LAYOUTS[layout]][1] + [f"-XX:LockingMode={mode}"])


def rows(options):
    """Returns a list of (mode, layout, flags, passes wanted). The passes go through this list again and again."""
    modes = options.modes.split(",") if options.modes else modes_of(options.vm)
    found = []
    for mode in modes:
        plain = mode in PLAIN_MODES
        for layout in options.layouts.split(","):
            if not runs_on(options.vm, mode, layout):
                continue
            found.append((mode, layout, "" if plain else f"-XX:LockYieldInterval={options.yield_interval}",
                          options.passes if plain else options.yield_passes))
    return found


def load(path, digest, programs):
    if path.exists():
        state = json.loads(path.read_text())
        if state["vm"] == digest and state["programs"] == programs:
            return state
    return {"vm": digest, "programs": programs, "rows": {}, "failures": []}


def save(path, state):
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_suffix(".new")
    fresh.write_text(json.dumps(state, indent=1))
    fresh.replace(path)   # whole, whenever this is stopped


def one_pass(options, mode, layout, flags):
    command = [
        sys.executable,
        str(HERE / "run.py"),
        "--vm",
        options.vm,
        "--config",
        LAYOUTS[layout],
        "--locking",
        mode,
        "--jobs",
        str(options.jobs),
        "--patience",
        "10",
    ]  # the time limits are ten times as long, because the machine may be busy for hours
    if flags:
        command.append(f"--vm-args={flags}")
    done = subprocess.run(command + options.programs, capture_output=True, text=True)
    count = re.search(r"^(\d+) passed, (\d+) failed$", done.stdout, re.MULTILINE)
    if count is None:
        sys.exit(f"locking_loop: {' '.join(command)} says\n{done.stdout}{done.stderr}")
    return int(count.group(1)), int(count.group(2)), done.stdout


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--vm", default=str(ROOT / "build/release/keyhole"))
    parser.add_argument("--passes", type=int, default=200)
    parser.add_argument("--yield-passes", type=int, default=20)
    parser.add_argument("--yield-interval", type=int, default=50, help="about every nth counted step of an algorithm")
    parser.add_argument("--modes", default="", help="default: all of -XX:+PrintLockingModes but none")
    parser.add_argument("--layouts", default=",".join(LAYOUTS))
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=0, help="stop after this time; 0: when all passes are done")
    parser.add_argument("--state", type=pathlib.Path, default=ROOT / "build/locking-loop.json")
    parser.add_argument("--status", action="store_true", help="print what was run so far, and run nothing")
    parser.add_argument("--again", action="store_true", help="forget what was run so far")
    parser.add_argument("programs", nargs="*", metavar="filter")
    options = parser.parse_args()
    options.programs = options.programs or FILTERS
    options.vm = os.path.abspath(options.vm)
    digest = hashlib.sha256(pathlib.Path(options.vm).read_bytes()).hexdigest()
    if options.again and options.state.exists():
        options.state.unlink()
    state = load(options.state, digest, options.programs)
    wanted = rows(options)
    begin = time.monotonic()

    def row_of(mode, layout, flags):
        return state["rows"].setdefault(f"{mode} {layout} {flags}".strip(), {"passes": 0, "passed": 0, "failed": 0})

    most = max((passes for *_, passes in wanted), default=0)
    for turn in range(0 if options.status else most):
        for mode, layout, flags, passes in wanted:
            row = row_of(mode, layout, flags)
            if turn >= passes or row["passes"] > turn:
                continue
            if options.minutes and time.monotonic() - begin > options.minutes * 60:
                continue
            passed, failed, output = one_pass(options, mode, layout, flags)
            row["passes"] += 1
            row["passed"] += passed
            row["failed"] += failed
            if failed:
                state["failures"].append(
                    {"row": f"{mode} {layout} {flags}".strip(), "pass": row["passes"], "output": output}
                )
                print(output, end="", flush=True)
            save(options.state, state)

    passed = failed = 0
    for mode, layout, flags, passes in wanted:
        row = row_of(mode, layout, flags)
        passed += row["passed"]
        failed += row["failed"]
        print(
            f"{mode:<22} {layout:<8} {flags:<28} {row['passes']:>4} of {passes} passes, {row['passed']} passed, {row['failed']} failed"
        )
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
