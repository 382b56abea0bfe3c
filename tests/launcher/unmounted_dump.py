#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""Tests jcmd Thread.dump_to_file, as text and as JSON, with unmounted virtual threads. The same program runs on java 25
and on Keyhole. The test compares the objects that threads wait for, the owners of these objects, and the frames.

The comparison replaces identity hashes by A, B ... in the order in which a dump names them, and removes thread numbers
and times.
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

from chosen_home import chosen_home

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
JDK = chosen_home()
VM = os.environ.get("KEYHOLE_VM", str(ROOT / "build" / "release" / "keyhole"))
WORK = ROOT / "build" / "unmounted-dump-tests"
CONTINUATIONS = ["-XX:+UnlockExperimentalVMOptions", "-XX:+VMContinuations"]
WAYS = {
    "default": [],
    "hashchains+3": ["-XX:LockingMode=hashchains+3"],
    "cjm-fifo": ["-XX:LockingMode=cjm-fifo"],
    "compiled": ["-Xcomp"],
}
NAMES = ["holds", "wants", "waits", "waits for a while", "parks", "wants, too", "runs"]
SECONDS = 300   # time limit of a step that takes a second on an idle machine


def lettered(text):
    letters = {}
    return re.sub(r"@[0-9a-f]+", lambda m: "@" + letters.setdefault(m.group(), chr(ord("A") + len(letters))), text)


def frames_of(name, frames):
    """Returns the frames of the thread `name`. For the thread `runs`, line numbers are removed, because the dump may
    find the thread at any line of its loop."""
    return [re.sub(r":\d+\)", ")", each) for each in frames] if name == "runs" else frames


def of_text(text):
    """Returns the threads of the program, in the order of their names in this file."""
    blocks = {}
    for block in text.split("\n\n"):
        first, *lines = block.splitlines() or [""]
        match = re.match(r'#\d+ "([^"]*)"( virtual)? (\w+) \S+Z$', first)
        if match and match.group(1) in NAMES:
            blocks[match.group(1)] = [f"{match.group(2)} {match.group(3)}"] + frames_of(match.group(1), lines)
    return lettered("\n".join(f"{name}\n" + "\n".join(blocks.get(name, ["not there"])) for name in NAMES))


def of_json(text):
    dump = json.loads(text)["threadDump"]
    threads = {each["name"]: each for container in dump["threadContainers"] for each in container["threads"]}
    shown = {}
    for name in NAMES:
        thread = dict(threads.get(name, {}))
        for varying in ("tid", "time", "carrier"):
            if varying in thread:
                thread[varying] = "is there"
        thread["stack"] = frames_of(name, thread.get("stack", []))
        shown[name] = thread
    return lettered(json.dumps({"keys": sorted(dump), "threads": shown}, indent=1))


def dumps(command):
    """Returns the program's dumps, as text and as JSON."""
    environment = dict(os.environ, KEYHOLE_JAVA_HOME=str(JDK))
    running = subprocess.Popen(
        command + ["-cp", str(WORK), "UnmountedDump"], stdout=subprocess.PIPE, text=True, env=environment)
    try:
        if running.stdout.readline() != "ready\n":
            sys.exit(f"{' '.join(command)}: not ready")
        shown = []
        for format, read in (("plain", of_text), ("json", of_json)):
            path = WORK / f"dump-{time.monotonic_ns()}"
            subprocess.run([str(JDK / "bin/jcmd"), str(running.pid), "Thread.dump_to_file", f"-format={format}", str(path)],
                           check=True, stdout=subprocess.PIPE, timeout=SECONDS)
            shown.append(read(path.read_text()))
        return shown
    finally:
        running.kill()
        running.wait()


def main():
    shutil.rmtree(WORK, ignore_errors=True)
    WORK.mkdir(parents=True)
    source = pathlib.Path(__file__).with_name("UnmountedDump.java")
    subprocess.run([str(JDK / "bin/javac"), "-d", str(WORK), str(source)], check=True)
    expected = dumps([str(JDK / "bin/java")])
    if "waiting to lock" not in expected[0] or "blockedOn" not in expected[1]:
        sys.exit("java's dump does not show what is to be compared:\n" + expected[0] + expected[1])
    failed = 0
    for way, flags in WAYS.items():
        for kind, java, keyhole in zip(("text", "json"), expected, dumps([VM] + CONTINUATIONS + flags)):
            if java == keyhole:
                continue
            failed += 1
            import difflib
            print(f"FAILED {way}, {kind}")
            print("\n".join("    " + line for line in list(difflib.unified_diff(
                java.splitlines(), keyhole.splitlines(), "java", "keyhole", lineterm="", n=2))[:60]), flush=True)
    print(f"{2 * len(WAYS) - failed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
