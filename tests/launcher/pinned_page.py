#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""Compares the table of docs/nothing-pins.md with the messages that Keyhole logs in every locking mode when it runs
tests/java/virtual/NothingPins.java, and with the events of HotSpot 25. KEYHOLE_BLESS=1 writes the table."""

import json
import os
import pathlib
import re
import subprocess
import sys
import textwrap

from chosen_home import chosen_home

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
HOME = chosen_home()
VM = os.environ.get("KEYHOLE_VM", str(ROOT / "build" / "release" / "keyhole"))
PAGE = ROOT / "docs" / "nothing-pins.md"
SOURCE = ROOT / "tests" / "java" / "virtual" / "NothingPins.java"
WORK = ROOT / "build" / "pinned-page-test"
BEGIN, END = "<!-- what is pinned -->\n", "<!-- end -->\n"
THREADS = 4
SETTLE = 300   # milliseconds that the program waits for its threads to fall asleep
SECONDS = 120  # time limit of a run that takes two seconds on an idle machine


def scheduler(carriers):
    return [f"-Djdk.virtualThreadScheduler.{limit}={carriers}" for limit in ("parallelism", "maxPoolSize")]


def output_of(command):
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, timeout=SECONDS,
                          env=dict(os.environ, KEYHOLE_JAVA_HOME=str(HOME)))
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}: exit code {done.returncode}\n{done.stdout[-2000:]}")
    return done.stdout


def program(carriers):
    return [*scheduler(carriers), f"-Dthreads={THREADS}", f"-Dsettle={SETTLE}", "-cp", str(WORK), "NothingPins"]


def by_keyhole(mode, carriers):
    """Returns {part of the program: reasons for pinning}, from the log. The lines of the log about a part of the
    program come before the line that this part prints."""
    text = output_of([VM, f"-XX:LockingMode={mode}", "-Xlog:virtualthread+pinned", *program(carriers)])
    parts, reasons = {}, set()
    for line in text.splitlines():
        if line.endswith(": true"):
            parts[line.removesuffix(": true")], reasons = reasons, set()
            continue
        pinned = re.search(r" is pinned to carrier \d+: [^,]+, (.*)", line)
        if pinned is None:
            sys.exit(f"{mode}: unexpected line {line}")
        reasons.add(pinned.group(1))
    return parts


def by_hotspot():
    """Returns {part of the program: what was pinned and why}, from the events of threads that have the part's name.
    Chance decides whether two threads contend for a lock of a class loader, or for the initialisation of a class of the
    library. So the function ignores events at such locks and initialisers."""
    recording = WORK / "pinned.jfr"
    output_of([str(HOME / "bin" / "java"), "-Xlog:jfr*=off", "-XX:StartFlightRecording:"
               f"filename={recording},jdk.VirtualThreadPinned#threshold=0ns", *program(4 * THREADS)])
    events = json.loads(output_of([str(HOME / "bin" / "jfr"), "print", "--json", "--events", "jdk.VirtualThreadPinned",
                                   str(recording)]))["recording"]["events"]
    parts = {}
    for event in events:
        values = event["values"]
        by_chance = (values["blockingOperation"] == "Contended monitor enter" or
                     values["pinnedReason"].startswith("Waited for initialization of java."))
        if by_chance:
            continue
        parts.setdefault(values["eventThread"]["javaName"], set()).add(
            f"{values['blockingOperation']}: {values['pinnedReason']}")
    return parts


def table():
    subprocess.run([str(HOME / "bin" / "javac"), "-d", str(WORK), str(SOURCE)], check=True)
    listed = output_of([VM, "-XX:+PrintLockingModes"]).splitlines()
    modes = [line.split()[0] for line in listed[1:] if line[:1].strip()]
    modes = [mode for mode in modes if mode not in ("none", "traced")]
    if len(modes) < 9:
        sys.exit(f"which modes are there? {modes}")
    of_pthread, of_hotspot = by_keyhole("pthread", 4 * THREADS), by_hotspot()
    rows = {part: set() for part in of_pthread}
    others = [mode for mode in modes if mode != "pthread"]
    for mode in others:
        of_mode = by_keyhole(mode, 2)
        if of_mode.keys() != rows.keys():
            sys.exit(f"{mode}: parts {sorted(of_mode)}")
        for part, reasons in of_mode.items():
            rows[part] |= {f"{mode}: {reason}" for reason in reasons}
    def cell(reasons):
        return "; ".join(sorted(reasons)).replace("<", "&lt;") or "–"
    lines = ["| a thread sleeps | Keyhole, but for `pthread` | Keyhole, `pthread` | HotSpot 25 |", "|---|---|---|---|"]
    lines += [f"| {part} | {cell(rows[part])} | {cell(of_pthread[part])} | {cell(of_hotspot.get(part, ()))} |"
              for part in rows]
    names = "The modes but for `pthread`: " + ", ".join(f"`{mode}`" for mode in others) + "."
    return "\n".join([*lines, "", *textwrap.wrap(names, 120)]) + "\n"


def main():
    WORK.mkdir(parents=True, exist_ok=True)
    text = PAGE.read_text()
    before, rest = text.split(BEGIN)
    kept, after = rest.split(END)
    shown = table()
    if os.environ.get("KEYHOLE_BLESS"):
        PAGE.write_text(before + BEGIN + shown + END + after)
        kept = shown
    if kept != shown:
        print(f"{PAGE} shows\n{kept}\nand what happens is\n{shown}")
        sys.exit(1)
    print("1 passed, 0 failed")


if __name__ == "__main__":
    main()
