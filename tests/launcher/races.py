#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""Tests the detector of data races, -XX:+DetectDataRaces: it reports each race of races/Racy.java, on the right variable,
and nothing in races/Ordered.java, which has correct idioms. Both run with platform threads and with virtual ones, in
several locking modes, and while the collector moves objects all the time.

KEYHOLE_RACES_ROUNDS=20 repeats the runs, for rare faults.
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

from chosen_home import chosen_home
from test_loop import by_name, run_tests

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "java"))
import homes

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
JDK = chosen_home()
VM = os.environ.get("KEYHOLE_VM", str(ROOT / "build" / "release" / "keyhole"))
WORK = ROOT / "build" / "races-tests"
CLASSES = WORK / "classes"
ROUNDS = int(os.environ.get("KEYHOLE_RACES_ROUNDS", "1"))
left_out = []

RACY = ["Counter.counted", "Statics.total", "PlainFlag.ready", "element 2 of int[]", "TwoLocks.guarded",
        "HalfLocked.balance", "DoubleChecked.helper", "FlagTooEarly.data", "AbstractList.modCount", "HashMap.table",
        "AbstractStringBuilder.count", "Published.box", "WriteAfterStart.late", "element 1 of long[]", "Point.y",
        "element 1 of char[]", "element 0 of short[]", "element 2 of double[]", "PlainHandle.level",
        "element 1 of byte[]", "element 0 of java.lang.String[]", "Reflected.amount", "BySetter.height"]
MODES = ["monitor", "legacy", "lightweight", "lightweight+table", "pthread", "hashchains+3", "cjm-by"]
MOVING = ["-XX:GCStressInterval=2000", "-XX:+VerifyAfterGC", "-Xmx64m"]


def run(*words, expected=0):
    command = [VM, "-XX:+DetectDataRaces", *(str(word) for word in words)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, cwd=WORK)
    assert done.returncode == expected, f"{command}: exit code {done.returncode}\n{done.stdout}{done.stderr}"
    return done.stdout


def races_in(text):
    return re.findall(r"\[races\s*\] Data race on (.*?): (.*)", text)


def has_virtual_threads():
    if homes.release(JDK) >= 21:
        return True
    left_out.append("left out: virtual threads: the library has none (--library 21, 25)")
    return False


def finds(*flags, arguments=(), runs=1):
    """The runs together report each race. The scheduler of virtual threads may order two threads by accident."""
    text, found = "", []
    while runs > 0 and not set(RACY) <= set(found):
        text += run(*flags, "-cp", CLASSES, "Racy", *arguments)
        found = [variable for variable, _ in races_in(text)]
        runs -= 1
    missing = [variable for variable in RACY if variable not in found]
    assert not missing, f"{flags}: no race on {missing}\n{text}"
    # Box.content and Helper.value are written before the race on the reference, and read through it.
    other = set(found) - set(RACY) - {"Box.content", "Helper.value", "ArrayList.elementData", "ArrayList.size",
                                      "HashMap.modCount", "HashMap.size", "HashMap.threshold",
                                      "AbstractStringBuilder.value", "AbstractStringBuilder.coder",
                                      "AbstractStringBuilder.maybeLatin1"}
    other = {each for each in other if not each.startswith("element ")}
    assert not other, f"{flags}: {other}\n{text}"


def reports_nothing(*flags, arguments=()):
    for _ in range(ROUNDS):
        text = run(*flags, "-cp", CLASSES, "Ordered", *arguments)
        assert not races_in(text), f"{flags} {arguments}:\n{text}"
        assert "ran 35 cases" in text, text


def each_race_is_reported():
    finds()
    if has_virtual_threads():
        finds(arguments=["virtual"], runs=30)
        finds("-XX:-VMContinuations", arguments=["virtual"], runs=30)


def races_in_other_locking_modes():
    for mode in MODES:
        finds(f"-XX:LockingMode={mode}")


def races_while_objects_move():
    finds(*MOVING)


def correct_idioms_are_not_reported():
    reports_nothing()


def correct_idioms_of_virtual_threads():
    if not has_virtual_threads():
        return
    reports_nothing(arguments=["virtual"])
    reports_nothing("-XX:-VMContinuations", arguments=["virtual"])


def correct_idioms_in_other_locking_modes():
    for mode in MODES:
        reports_nothing(f"-XX:LockingMode={mode}")


def correct_idioms_while_objects_move():
    reports_nothing(*MOVING)


def lines_and_threads_are_named():
    text = run("-cp", CLASSES, "Racy")
    line = next(number for number, row in enumerate((ROOT / "tests/launcher/races/Racy.java").read_text().splitlines(), 1)
                if "public void first() { late" in row or "int seen = late" in row)
    words = dict(races_in(text))["WriteAfterStart.late"]
    assert re.fullmatch(rf'"racer-1" writes it at Racy\$WriteAfterStart\.second\(Racy\.java:{line + 1}\), and nothing '
                        rf'orders this after "racer-0", which read it at Racy\$WriteAfterStart\.first\(Racy\.java:{line}\)|'
                        rf'"racer-0" reads it at Racy\$WriteAfterStart\.first\(Racy\.java:{line}\), and nothing '
                        rf'orders this after "racer-1", which wrote it at Racy\$WriteAfterStart\.second\(Racy\.java:'
                        rf'{line + 1}\)', words), words


def a_recording_has_them():
    """A recording has two events for each race, one for each access, and has races on all variables. The detector
    reports nothing about Ordered while the VM records."""
    file = WORK / "racy.khr"
    finds(f"-XX:StartRecording={file}")
    rows = [json.loads(row) for row in
            subprocess.run([VM, "--show", str(file), "--to=json"], capture_output=True, text=True, check=True)
            .stdout.splitlines()]
    races = [row for row in rows if row["event"] == "data_race"]
    others = [row for row in rows if row["event"] == "data_race_with"]
    assert {row["variable"] for row in races} >= set(RACY) and len(races) == len(others), races
    for race, other in zip(races, others):
        assert race["thread"] != other["whose"] and "Racy.java:" in race["at"] + other["at"], (race, other)
        assert race["writes"] or other["writes"], (race, other)
    reports_nothing(f"-XX:StartRecording={WORK / 'ordered.khr'}")


def counter(kind):
    file = WORK / f"{kind}.khr"
    run(f"-XX:StartRecording={file}", "-cp", CLASSES, "Counters", kind)
    done = subprocess.run([VM, "--show", str(file), "--findings"], capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


def a_counter():
    lines = counter("plain")
    assert lines[0] == "Data race: left and right access Counters.count, and nothing orders them." or \
        lines[0] == "Data race: right and left access Counters.count, and nothing orders them.", lines
    assert re.search(r"(left|right) (wrote|read) it at Counters\.\S+\(Counters\.java:\d+\), and (left|right) later "
                     r"(wrote|read) it at Counters\.", lines[1]), lines
    # A volatile counter loses counts, too, but has no data race.
    for kind in ("volatile", "atomic", "synchronized", "lock"):
        assert counter(kind)[0] == "Nothing stands out.", (kind, counter(kind))


def nothing_without_the_option():
    done = subprocess.run([VM, "-cp", str(CLASSES), "Racy"], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout == "ran 22 cases\n", done.stdout


def options_that_do_not_fit():
    done = subprocess.run([VM, "--explore", "-XX:+DetectDataRaces", "-cp", str(CLASSES), "Racy"], capture_output=True,
                          text=True, timeout=60)
    assert done.returncode == 3 and "DetectDataRaces" in done.stderr, done
    text = run("-Xlog:races=info", "-Xcomp", "-cp", CLASSES, "Counters", "lock")
    assert "nothing is compiled" in text, text


def main():
    shutil.rmtree(WORK, ignore_errors=True)
    CLASSES.mkdir(parents=True)
    subprocess.run([pathlib.Path(JDK) / "bin" / "javac", "-d", CLASSES,
                    *sorted((ROOT / "tests" / "launcher" / "races").glob("*.java"))], check=True)
    tests = [each_race_is_reported, races_in_other_locking_modes, races_while_objects_move,
             correct_idioms_are_not_reported, correct_idioms_of_virtual_threads, correct_idioms_in_other_locking_modes,
             correct_idioms_while_objects_move, lines_and_threads_are_named, a_recording_has_them, a_counter,
             nothing_without_the_option, options_that_do_not_fit]
    wanted = [word for word in sys.argv[1:] if not word.startswith("--")]
    return run_tests(by_name(tests), wanted, left_out, problems=Exception)


if __name__ == "__main__":
    sys.exit(main())
