#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""Tests keyhole --explore --memory=tso and --memory=jmm: litmus tests must have the outcomes that a model of the store
buffers, or of the Java memory model, allows.

A litmus test is written in the language of explore/Litmus.java. The models below execute it in all interleavings,
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


# --- the models ------------------------------------------------------------------------------------------------------

def model(threads, memory):
    """Returns all outcomes of a litmus test under the memory model."""
    return java_model(threads) if memory == "jmm" else buffer_model(threads, memory)


class Actions:
    """The actions of one execution so far, for java_model(). Sets of numbers of actions say what happens before what."""

    def __init__(self):
        self.before = []       # for each action: all actions that happen before it
        self.known = {}        # for each thread: all actions that happen before its next one
        self.writes = {name: [None] for name in "xyzXYZ"}   # None: the first value
        self.values, self.modes = {None: 0}, {None: "first"}
        self.reads = []        # of modes that are coherent: action, write
        self.released = {}     # for each write: what it releases
        self.seen = {}         # for each thread: what an acquire fence acquires
        self.fenced = {}       # for each thread: what its last release fence releases
        self.synchronised = {}  # for the monitor, the fences, and each volatile variable: what is acquired there

    def copy(self):
        other = Actions.__new__(Actions)
        other.before, other.reads = list(self.before), list(self.reads)
        for name in ["known", "values", "modes", "released", "seen", "fenced", "synchronised"]:
            setattr(other, name, dict(getattr(self, name)))
        other.writes = {name: list(writes) for name, writes in self.writes.items()}
        return other

    def act(self, thread):
        """Adds an action of the thread."""
        action = len(self.before)
        self.before.append(self.known.get(thread, frozenset()))
        self.learn(thread, frozenset([action]))
        return action

    def learn(self, thread, actions):
        self.known[thread] = self.known.get(thread, frozenset()) | actions

    def synchronise(self, thread, on, acquires, releases):
        if acquires:
            self.learn(thread, self.synchronised.get(on, frozenset()))
        action = self.act(thread)
        if releases:
            self.synchronised[on] = self.synchronised.get(on, frozenset()) | self.known[thread]
        return action

    def write(self, thread, name, mode, value):
        action = self.synchronise(thread, name, False, True) if mode in "vu" else self.act(thread)
        self.writes[name].append(action)
        self.values[action], self.modes[action] = value, mode
        self.released[action] = self.known[thread] if mode in "rvu" else self.fenced.get(thread, frozenset())

    def visible(self, thread, name, mode):
        """Returns the writes that a read may see."""
        known, writes = self.known.get(thread, frozenset()), self.writes[name]

        def is_before(one, other):
            return other is not None and (one is None or one in self.before[other])

        if mode == "p":
            return [write for write in writes
                    if not any(is_before(write, other) and other in known for other in writes)]
        oldest = max([0] + [i for i, write in enumerate(writes) if write in known]
                     + [writes.index(write) for action, write in self.reads if action in known and write in writes])
        if mode == "v":
            oldest = max([oldest] + [i for i, write in enumerate(writes) if self.modes[write] in "vu"])
        return writes[oldest:]

    def read(self, thread, name, mode, write):
        action = self.synchronise(thread, name, True, False) if mode == "v" else self.act(thread)
        if mode != "p":
            self.reads.append((action, write))
        released = self.released.get(write, frozenset())
        if mode in "av":
            self.learn(thread, released)
        else:
            self.seen[thread] = self.seen.get(thread, frozenset()) | released
        return self.values[write]


def java_model(threads):
    """Returns all outcomes of a litmus test in which reads see writes that have taken place (JLS 17.4.5; docs/explore.md
    has the rules for modes of VarHandle)."""
    programs = [thread.split() for thread in threads]
    results = set()

    def go(positions, results_so_far, actions, owner):
        if all(at == len(program) for at, program in zip(positions, programs)):
            results.add(" ".join(str(value) for values in results_so_far for value in values))
        for thread, program in enumerate(programs):
            at = positions[thread]
            if at == len(program) or (program[at] == "(" and owner is not None):
                continue
            step = program[at]
            after = positions[:thread] + (at + 1,) + positions[thread + 1:]

            def proceed(actions, value=None, owner=owner):
                seen = results_so_far[thread] + (() if value is None else (value,))
                go(after, results_so_far[:thread] + (seen,) + results_so_far[thread + 1:], actions, owner)

            if step in "|<>()":
                next_actions = actions.copy()
                if step in "|<":
                    next_actions.learn(thread, next_actions.seen.get(thread, frozenset()))
                if step in "()|":
                    next_actions.synchronise(thread, "fence" if step == "|" else "monitor", step in "(|", step in ")|")
                if step in "|>":
                    next_actions.fenced[thread] = next_actions.known.get(thread, frozenset())
                proceed(next_actions, owner={"(": thread, ")": None}.get(step, owner))
                continue
            name = step[0]
            mode = "v" if name.isupper() else step[1] if step[1:2] not in ["", "="] else "p"
            if "=" in step:
                next_actions = actions.copy()
                next_actions.write(thread, name, mode, int(step[-1]))
                proceed(next_actions)
            elif mode == "+":
                next_actions = actions.copy()
                last = next_actions.writes[name][-1]
                next_actions.learn(thread, next_actions.synchronised.get(name, frozenset()))
                next_actions.learn(thread, next_actions.released.get(last, frozenset()))
                value = next_actions.values[last]
                next_actions.write(thread, name, "u", value + 1)
                proceed(next_actions, value)
            else:
                for write in actions.visible(thread, name, mode):
                    next_actions = actions.copy()
                    proceed(next_actions, next_actions.read(thread, name, mode, write))

    go((0,) * len(programs), ((),) * len(programs), Actions(), None)
    return results


def buffer_model(threads, memory):
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
        for memory in ["sc", "tso", "jmm"]:
            found[memory], report = outcomes(threads, f"--memory={memory}", "--strategy=dpor")
            assert report["complete"], (name, report)
            assert found[memory] == model(threads, memory), (name, memory, found[memory] ^ model(threads, memory))
        if name in ONLY_TSO:
            assert ONLY_TSO[name] in found["tso"] - found["sc"], (name, found)
        if name in NOTHING_NEW:
            assert found["tso"] == found["sc"], (name, found)
        assert found["tso"] <= found["jmm"], (name, found)


# Litmus tests of the access modes of VarHandle and of fences: the outcome in question, and whether it is allowed.
MODES = {
    "mp, plain": (["x=1 y=1", "y x"], "1 0", True),
    "mp, opaque": (["xo=1 yo=1", "yo xo"], "1 0", True),
    "mp, released and acquired": (["x=1 yr=1", "ya x"], "1 0", False),
    "mp, released only": (["x=1 yr=1", "yo x"], "1 0", True),
    "mp, acquired only": (["x=1 yo=1", "ya x"], "1 0", True),
    "mp, fences": (["x=1 > yo=1", "yo < x"], "1 0", False),
    "mp, release fence only": (["x=1 > yo=1", "yo x"], "1 0", True),
    "sb, released and acquired": (["xr=1 ya", "yr=1 xa"], "0 0", True),
    "sb, volatile by handle": (["xv=1 yv", "yv=1 xv"], "0 0", False),
    "sb, full fences": (["xo=1 | yo", "yo=1 | xo"], "0 0", False),
    "sb, one fence": (["xo=1 | yo", "yo=1 xo"], "0 0", True),
    "corr, plain": (["x=1", "x x"], "1 0", True),
    "corr, opaque": (["xo=1", "xo xo"], "1 0", False),
    "corr, opaque and plain": (["xo=1", "xo x"], "1 0", True),
    "iriw, acquired": (["xr=1", "yr=1", "xa ya", "ya xa"], "1 0 1 0", True),
    "iriw, volatile": (["xv=1", "yv=1", "xv yv", "yv xv"], "1 0 1 0", False),
    "volatile sees no older volatile": (["xv=1 xv=2", "xv xv"], "2 1", False),
    "atomics lose nothing": (["x+", "x+"], "0 0", False),
    "monitors order": (["( x=1 )", "( x ) x"], "1 0", False),
}


def modes_have_their_outcomes():
    for name, (threads, outcome, is_allowed) in MODES.items():
        found, report = outcomes(threads, "--memory=jmm", "--strategy=dpor")
        assert report["complete"], (name, report)
        assert found == model(threads, "jmm"), (name, found ^ model(threads, "jmm"))
        assert (outcome in found) == is_allowed, (name, found)


# The cases of explore/MemoryModel.java, with all results that the Java memory model permits. They follow the basic and
# the advanced samples of jcstress about the memory model.
PERMITTED = {
    "twoFields": "-1|0|1|2",
    "bytes": "1 1",
    "bits": "1 0|0 1|1 1",
    "coherence": "0 0|0 1|1 0|1 1",
    "coherenceVolatile": "0 0|0 1|1 1",
    "coherenceOpaque": "0 0|0 1|1 1",
    "causality": "0 0|0 1|1 0|1 1",
    "causalityVolatile": "0 0|0 1|1 1",
    "causalityAcquireRelease": "0 0|0 1|1 1",
    "consensus": "0 0|0 1|1 0|1 1",
    "consensusVolatile": "0 1|1 0|1 1",
    "consensusAcquireRelease": "0 0|0 1|1 0|1 1",
    "plainInitializer": "-1|0|42",
    "finalInitializer": "-1|42",
    "leakedFinal": "-1|0|42",
    "volatileInitializer": "-1|0|42",
    "reachedThroughFinal": "-1|42",
    "writtenAfterFreeze": "-1|0|42",
    "chain": "-1 -1|42 -1|42 0|42 42",
    "passedOn": "-1|42",
    "cache": "42 42",
    "cacheReadTwice": "-1 42|42 -1|42 42",
    "outOfThinAir": "0 0",
    "loadBuffering": "0 0|0 1|1 0|1 1",
    "monitorsAsBarriers": "0 0|0 1|1 1",
    "monitorOfNewObject": "0 0|0 1|1 0|1 1",
    "semiSynchronized": "0 0|0 1|1 0|1 1",
    "lostUpdates": "1|2",
    "atomicUpdates": "2",
    "releasedTooEarly": "0 0|0 1|1 0|1 1",
    "acquiredTooLate": "0 0|0 1|1 0|1 1",
    "otherVolatile": "0 0|0 1|1 0|1 1",
    "volatileArray": "0 0|0 1|1 0|1 1",
    "fences": "0 0|0 1|1 1",
    "fullFences": "0 1|1 0|1 1",
}
# Results that --explore does not find (docs/explore.md): a read would have to see a write that takes place later, or a
# plain write would have to be seen before the volatile write that precedes it.
NOT_FOUND = {"loadBuffering": {"1 1"}, "volatileInitializer": {"0"}}


def idioms_have_the_permitted_results():
    for name, results in PERMITTED.items():
        REPORT.unlink(missing_ok=True)
        explore("--json", REPORT, "--outcomes", "--memory=jmm", "--strategy=dpor", "-cp", CLASSES, "MemoryModel", name)
        report = json.loads(REPORT.read_text())
        found = {outcome.strip() for outcome in report["outcomes"]}
        expected = set(results.split("|")) - NOT_FOUND.get(name, set())
        assert report["complete"] and found == expected, (name, found, expected, report)


def random_programs_of_modes_have_their_outcomes():
    chance = random.Random(int(os.environ.get("KEYHOLE_SEED", "1")))
    for _ in range(int(os.environ.get("KEYHOLE_PROGRAMS", "12"))):
        writes = [f"{name}{mode}={value}" for name in "xy" for mode in ["", "", "o", "r", "v"] for value in "12"]
        reads = [f"{name}{mode}" for name in "xy" for mode in ["", "", "o", "a", "v"]]
        steps = writes + 2 * reads + ["|", "<", ">", "x+", "X", "X=1", "( x=3 )", "( y )"]
        threads = [" ".join(chance.choices(steps, k=chance.randint(1, 3))) for _ in range(chance.choice([2, 2, 3]))]
        found, report = outcomes(threads, "--memory=jmm", "--strategy=dpor", "--for=200")
        expected = model(threads, "jmm")
        assert report["complete"], (threads, report)
        assert found == expected, (threads, found - expected, expected - found)


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
    for memory in ["tso", "jmm"]:
        expected = model(LITMUS["sb"], memory)
        for words in [["--strategy=bounded", "--bound=1"], ["--schedules=400", "--strategy=auto"],
                      *(["--schedules=150", f"--strategy={name}"] for name in ["random", "pct", "pos", "surw"])]:
            found, _ = outcomes(LITMUS["sb"], f"--memory={memory}", *words)
            assert found <= expected, (memory, words, found)
            assert "0 0" in found or "surw" in words[-1] or "pct" in words[-1], (memory, words, found)
        found, report = outcomes(LITMUS["sb"], f"--memory={memory}", "--strategy=bounded", "--bound=0")
        assert found < model(LITMUS["sb"], "sc") and report["finished_bound"] == 0, report


def engines_agree():
    for memory in ["tso", "jmm"]:
        reports = []
        for engine in ["pages", "fork", "rerun"]:
            _, report = outcomes(LITMUS["sb"], f"--memory={memory}", "--strategy=dpor", f"--rollback={engine}")
            reports.append((report["counted"], report["history"], report["outcomes"]))
        assert len({str(report) for report in reports}) == 1, reports
        outcomes(LITMUS["sb"], f"--memory={memory}", "--strategy=random", "--schedules=30", "--verify-rollback")


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


def publication_needs_an_order():
    source = ROOT / "examples" / "Publication.java"
    for memory in ["sc", "tso"]:
        assert explore(f"--memory={memory}", "--strategy=dpor", source).startswith("Complete: ")
    text = explore("--memory=jmm", "--json", REPORT, "--save=old.khs", source, expected=1)
    report = json.loads(REPORT.read_text())
    assert "=> java.lang.AssertionError: port 0 (main, Publication.java:" in text and report["replayed"], text
    lines = [line.strip() for line in text.splitlines()]
    assert lines.index("writes port 0 -> 8080") < lines.index("reads port = 0, not the last write"), text
    for engine in ["pages", "fork", "rerun"]:
        again = explore("--schedule=old.khs", f"--rollback={engine}", "--json", REPORT, source, expected=1)
        assert json.loads(REPORT.read_text())["hash"] == report["hash"], again
    token = (WORK / "old.khs").read_text()
    assert "memory jmm" in token and "older " in token, token
    (WORK / "wrong.khs").write_text(token.replace("older ", "older 1 2 "))
    assert "its line" in explore("--schedule=wrong.khs", source, expected=3)
    text = explore("--memory=jmm", "--strategy=dpor", source, "final")
    assert text.startswith("Complete: "), text


# In these programs, an operation of the VM such as a class initialisation, a join or arraycopy must make a store
# visible. The store must not stay in the store buffer.
def virtual_machine_drains():
    for name in ["initializer", "join", "copy", "interned", "refusedStore", "exception", "ownThread"]:
        for memory in ["tso", "jmm"]:
            explore(f"--memory={memory}", "--strategy=bounded", "--bound=2", "--for=8", "-cp", CLASSES, "StoreBuffers",
                    name)


def refuses():
    assert "--memory is sc, tso or jmm" in explore("--memory=pso", "-cp", CLASSES, "Litmus", "x", expected=3)
    assert "--shard: " in explore("--memory=tso", "--shard=1/2", "-cp", CLASSES, "Litmus", "x", expected=3)


if __name__ == "__main__":
    shutil.rmtree(WORK, ignore_errors=True)
    CLASSES.mkdir(parents=True)
    programs = ["Litmus.java", "StoreBuffers.java", "MemoryModel.java"]
    sources = [ROOT / "tests" / "launcher" / "explore" / name for name in programs]
    subprocess.run([f"{JDK}/bin/javac", "-d", CLASSES, *sources], check=True)
    sys.exit(run_tests(by_name([litmus_tests_have_their_outcomes, random_programs_have_their_outcomes,
                                modes_have_their_outcomes, random_programs_of_modes_have_their_outcomes,
                                idioms_have_the_permitted_results, every_strategy_stays_within_the_model,
                                engines_agree, peterson_needs_volatile, publication_needs_an_order,
                                virtual_machine_drains, refuses]), sys.argv[1:]))
