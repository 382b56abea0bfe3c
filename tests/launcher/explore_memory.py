#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""Tests keyhole --explore --memory=tso: litmus tests must have the outcomes that a model of the store buffers allows.

A litmus test is written in the language of explore/Litmus.java. The model below executes it in all interleavings,
without a VM.
"""
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys

from chosen_home import chosen_home
from test_loop import by_name, run_tests

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
JDK = chosen_home()
VM = os.environ.get("KEYHOLE_VM", str(ROOT / "build" / "release" / "keyhole"))
WORK = ROOT / "build" / "explore-memory-tests"
CLASSES = WORK / "classes"
REPORT = WORK / "report.json"


def explore(*words, expected=0):
    command = [VM, "--explore", *(str(word) for word in words)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, cwd=WORK)
    assert done.returncode == expected, f"{command}: exit code {done.returncode}\n{done.stdout}{done.stderr}"
    return done.stdout + done.stderr


def outcomes(threads, *options):
    """Returns the texts that the threads print in the explored schedules, and the report, which says whether the
    exploration was complete."""
    REPORT.unlink(missing_ok=True)
    explore("--json", REPORT, "--outcomes", *options, "-cp", CLASSES, "Litmus", *threads)
    report = json.loads(REPORT.read_text())
    return {outcome.strip() for outcome in report["outcomes"]}, report


# --- the model -------------------------------------------------------------------------------------------------------

def model(threads, memory):
    """Returns all outcomes of a litmus test. A state consists of the variables, the monitor's owner, and each thread's
    next step, loads and store buffer."""
    programs = [thread.split() for thread in threads]
    begin = (tuple((0, (), ()) for _ in programs), tuple((name, 0) for name in "xyzXYZ"), None)
    todo, known, results = [begin], {begin}, set()

    def reach(state):
        if state not in known:
            known.add(state)
            todo.append(state)

    while todo:
        strands, variables, owner = todo.pop()
        values = dict(variables)
        if all(at == len(programs[i]) and not buffer for i, (at, _, buffer) in enumerate(strands)):
            results.add(" ".join(str(value) for _, seen, _ in strands for value in seen))
        for i, (at, seen, buffer) in enumerate(strands):
            def go(at, seen, buffer, values=values, owner=owner):
                reach((strands[:i] + ((at, seen, buffer),) + strands[i + 1:], tuple(values.items()), owner))

            if buffer:
                name, value = buffer[0]
                go(at, seen, buffer[1:], {**values, name: value})
            if at == len(programs[i]):
                continue
            step = programs[i][at]
            name = step[0]
            if step in ["|", "(", ")", "x+"] or (name.isupper() and len(step) > 1):  # drains
                if buffer:
                    continue
                if step == "(" and owner is not None:
                    continue
                if step == "x+":
                    go(at + 1, seen + (values["x"],), (), {**values, "x": values["x"] + 1})
                elif len(step) > 1:
                    go(at + 1, seen, (), {**values, name: int(step[2])})
                else:
                    go(at + 1, seen, (), owner={"(": i, ")": None}.get(step, owner))
            elif len(step) > 1 and memory == "tso":
                go(at + 1, seen, buffer + ((name, int(step[2])),))
            elif len(step) > 1:
                go(at + 1, seen, (), {**values, name: int(step[2])})
            else:
                value = next((value for other, value in reversed(buffer) if other == name), values[name])
                go(at + 1, seen + (value,), buffer)
    return results


# --- tests -----------------------------------------------------------------------------------------------------------

LITMUS = {
    "sb": ["x=1 y", "y=1 x"],
    "sb with one fence": ["x=1 | y", "y=1 x"],
    "sb with fences": ["x=1 | y", "y=1 | x"],
    "sb of volatiles": ["X=1 Y", "Y=1 X"],
    "sb with monitors": ["( x=1 ) y", "( y=1 ) x"],
    "sb with atomics": ["y=1 x+", "x=1 | y"],
    "mp": ["x=1 y=1", "y x"],
    "mp of a volatile": ["x=1 Y=1", "Y x"],
    "lb": ["x y=1", "y x=1"],
    "corr": ["x=1", "x x"],
    "corr of two writers": ["x=1 x=2", "x x"],
    "iriw": ["x=1", "y=1", "x y", "y x"],
    "own store first": ["x=1 x y", "y=1 y x"],
    "2+2w": ["x=1 y=2", "y=1 x=2"],
    "r": ["x=1 y=1", "y=2 x"],
    "s": ["x=2 y=1", "y x=1"],
    "two stores": ["x=1 x=2 y", "y=1 x"],
}
ONLY_TSO = {"sb": "0 0", "sb with one fence": "0 0", "own store first": "1 0 1 0"}
NOTHING_NEW = ["sb with fences", "sb of volatiles", "sb with monitors", "mp", "mp of a volatile", "lb", "corr", "iriw"]


def litmus_tests_have_their_outcomes():
    for name, threads in LITMUS.items():
        found = {}
        for memory in ["sc", "tso"]:
            found[memory], report = outcomes(threads, f"--memory={memory}", "--strategy=dpor")
            assert report["complete"], (name, report)
            assert found[memory] == model(threads, memory), (name, memory, found[memory] ^ model(threads, memory))
        if name in ONLY_TSO:
            assert ONLY_TSO[name] in found["tso"] - found["sc"], (name, found)
        if name in NOTHING_NEW:
            assert found["tso"] == found["sc"], (name, found)


def random_programs_have_their_outcomes():
    chance = random.Random(int(os.environ.get("KEYHOLE_SEED", "1")))
    for _ in range(int(os.environ.get("KEYHOLE_PROGRAMS", "12"))):
        steps = [f"{name}{what}" for name in "xyxyX" for what in ["", "=1", "=2"]] + ["|", "x+", "( x=3 )", "( y )"]
        threads = [" ".join(chance.choices(steps, k=chance.randint(1, 3))) for _ in range(chance.choice([2, 2, 3]))]
        for memory in ["sc", "tso"]:
            found, report = outcomes(threads, f"--memory={memory}", "--strategy=dpor", "--for=200")
            expected = model(threads, memory)
            assert report["complete"], (threads, memory, report)
            assert found == expected, (threads, memory, found - expected, expected - found)


def every_strategy_stays_within_the_model():
    expected = model(LITMUS["sb"], "tso")
    for words in [["--strategy=bounded", "--bound=1"], ["--schedules=400", "--strategy=auto"],
                  *(["--schedules=150", f"--strategy={name}"] for name in ["random", "pct", "pos", "surw"])]:
        found, _ = outcomes(LITMUS["sb"], "--memory=tso", *words)
        assert found <= expected, (words, found)
        assert "0 0" in found or "surw" in words[-1] or "pct" in words[-1], (words, found)
    found, report = outcomes(LITMUS["sb"], "--memory=tso", "--strategy=bounded", "--bound=0")
    assert found < model(LITMUS["sb"], "sc") and report["finished_bound"] == 0, report


def engines_agree():
    reports = []
    for engine in ["pages", "fork", "rerun"]:
        _, report = outcomes(LITMUS["sb"], "--memory=tso", "--strategy=dpor", f"--rollback={engine}")
        reports.append((report["counted"], report["history"], report["outcomes"]))
    assert len({str(report) for report in reports}) == 1, reports
    outcomes(LITMUS["sb"], "--memory=tso", "--strategy=random", "--schedules=30", "--verify-rollback")


def peterson_needs_volatile():
    source = ROOT / "examples" / "Peterson.java"
    text = explore("--strategy=dpor", source)
    assert text.startswith("Complete: "), text
    text = explore("--memory=tso", "--json", REPORT, "--save=late.khs", source, expected=1)
    report = json.loads(REPORT.read_text())
    assert "=> java.lang.AssertionError: paid 20, and the balance is 10 (main, Peterson.java:" in text, text
    assert report["replayed"], text
    # The report shows the write of one thread, the read of the old value by the other, and then the flush.
    lines = [line.strip() for line in text.splitlines()]
    flag, other = ("second", "first") if "writes second false -> true in its store buffer" in lines else ("first", "second")
    write, late = lines.index(f"writes {flag} false -> true in its store buffer"), lines.index(f"{flag} = true reaches memory")
    assert write < lines.index(f"writes {other} false -> true") < lines.index(f"reads {flag} = false") < late, text
    for engine in ["pages", "fork", "rerun"]:
        again = explore("--schedule=late.khs", f"--rollback={engine}", "--json", REPORT, source, expected=1)
        assert json.loads(REPORT.read_text())["hash"] == report["hash"], again
        script = text[text.index("\nmain "):text.index("\nagain: ")]
        assert script in again, (script, again)
    text = explore("--memory=tso", "--strategy=dpor", source, "fixed")
    assert text.startswith("Complete: "), text


# In these programs, an operation of the VM such as a class initialisation, a join or arraycopy must make a store
# visible. The store must not stay in the store buffer.
def virtual_machine_drains():
    for name in ["initializer", "join", "copy", "interned", "refusedStore", "exception", "ownThread"]:
        explore("--memory=tso", "--strategy=bounded", "--bound=2", "--for=20", "-cp", CLASSES, "StoreBuffers", name)


def refuses():
    assert "--memory is sc or tso" in explore("--memory=jmm", "-cp", CLASSES, "Litmus", "x", expected=3)
    assert "--memory is sc or tso" in explore("--memory=pso", "-cp", CLASSES, "Litmus", "x", expected=3)
    assert "--shard: " in explore("--memory=tso", "--shard=1/2", "-cp", CLASSES, "Litmus", "x", expected=3)


if __name__ == "__main__":
    shutil.rmtree(WORK, ignore_errors=True)
    CLASSES.mkdir(parents=True)
    sources = [ROOT / "tests" / "launcher" / "explore" / name for name in ["Litmus.java", "StoreBuffers.java"]]
    subprocess.run([f"{JDK}/bin/javac", "-d", CLASSES, *sources], check=True)
    sys.exit(run_tests(by_name([litmus_tests_have_their_outcomes, random_programs_have_their_outcomes,
                                every_strategy_stays_within_the_model, engines_agree, peterson_needs_volatile,
                                virtual_machine_drains, refuses]), sys.argv[1:]))
