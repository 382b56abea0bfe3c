#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""Tests recordings (-XX:StartRecording=, jcmd Recording.start) and the output of keyhole --show about them.

The test knows how often each program takes each lock, which thread waits for which other thread, and which objects the
program hashes. The recording must show these facts in every mode of -XX:LockingMode=. The trace for Perfetto is read
with Perfetto's own schema (the package `perfetto`, by pip, into build/perfetto); without a package registry a message
says that the test is skipped.
"""
import collections
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time

from chosen_home import chosen_home, release
from test_loop import by_name, run_tests

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
JDK = chosen_home()
VM = os.environ.get("KEYHOLE_VM", str(ROOT / "build" / "release" / "keyhole"))
SOURCES = ROOT / "tests" / "launcher" / "recording"
WORK = ROOT / "build" / "recording-tests" / str(os.getpid())   # two copies of this test share nothing
PERFETTO = "perfetto==0.59.1"
CLASSES = WORK / "classes"
left_out = []


def modes():
    table = subprocess.run([VM, "-XX:+PrintLockingModes", "-version"], capture_output=True, text=True).stdout
    rows = re.findall(r"^(\S+) +(?:\d+|-) +\d+ ", table, re.MULTILINE)
    assert "lightweight" in rows and "cjm-fifo" in rows, table
    return [row for row in rows if row not in ("none", "traced")]


def run(words, expected=0, **options):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=120, **options)
    assert done.returncode == expected, f"{words}: exit code {done.returncode}\n{done.stdout}{done.stderr}"
    assert "Exception in thread" not in done.stderr, f"{words}:\n{done.stdout}{done.stderr}"
    return done.stdout


def record(file, program, flags=(), arguments=(), expected=0):
    return run([VM, *flags, f"-XX:StartRecording={file}", "-cp", CLASSES, program, *arguments], expected)


def show(file, *options):
    return run([VM, "--show", file, *options])


def events(file, *options):
    return [json.loads(line) for line in show(file, "--to=json", *options).splitlines()]


def check_ownership(recorded):
    """No two threads hold an object at the same time; levels change by one; a wait releases all levels. At an event
    that counts pairs of enter and exit, no other thread holds the object, and the event's thread was the last thread
    that took the object."""
    holder, levels, last = {}, collections.Counter(), {}
    kept = {}
    for event in recorded:
        key, thread = event.get("object"), event["thread_id"]
        if event["event"] == "lock_enter":
            assert holder.setdefault(key, thread) == thread, f"{event}: held by {holder[key]}"
            levels[key] += 1
            last[key] = thread
        elif event["event"] == "lock_pairs":
            assert last[key] == thread, f"{event}: taken by {last[key]} before"
            assert holder.get(key, thread) == thread, f"{event}: held by {holder[key]}"
        elif event["event"] in ("lock_exit", "wait_begin"):
            assert holder.get(key) == thread, f"{event}: held by {holder.get(key)}"
            if event["event"] == "wait_begin":
                kept[key, thread] = levels[key]
                levels[key] = 0
            else:
                levels[key] -= 1
            if levels[key] == 0:
                del holder[key]
        elif event["event"] == "wait_end":
            assert key not in holder, f"{event}: held by {holder[key]}"
            holder[key], levels[key] = thread, kept.pop((key, thread))
            last[key] = thread
    return holder


def count_of(told):
    """Returns the number of events of each kind. An event lock_pairs that stands for n enters and exits adds n to
    lock_enter and n to lock_exit."""
    count = collections.Counter(event["event"] for event in told)
    pairs = sum(event["pairs"] for event in told if event["event"] == "lock_pairs")
    count["lock_enter"] += pairs
    count["lock_exit"] += pairs
    return count


def pictures(file, number):
    return [json.loads(line) for line in show(file, f"--picture={number}", "--to=json").splitlines()]


def check_pictures(steps):
    """Checks the owner, the queue and the wait set of a lock after each step. No thread is twice in the queue or in the
    wait set. A thread that has just acquired the lock is the owner, and is in neither the queue nor the wait set. At
    the end the lock is free, and the queue and the wait set are empty."""
    for step in steps:
        queue, waiting = step["queue"], step["waiting"]
        assert len(set(queue)) == len(queue) and len(set(waiting)) == len(waiting), step
        if step["event"] in ("lock_enter", "wait_end"):
            assert step["owner"] == step["thread"] and step["thread"] not in queue + waiting, step
    last = steps[-1]
    assert last["owner"] is None and not last["queue"] and not last["waiting"], last


# --- the tests -------------------------------------------------------------------------------------------------------

def locks_in_every_mode():
    for mode in modes():
        for tier in ("-Xint", "-Xcomp"):
            file = WORK / f"locks-{mode}.khr"
            said = record(file, "Contended", [f"-XX:LockingMode={mode}", tier])
            assert said == "done 300\n", said
            of_lock = events(file, "--class=Contended$Lock")
            assert len({event["object"] for event in of_lock}) == 1, mode
            check_ownership(of_lock)
            count = count_of(of_lock)
            # In each of 100 rounds, each of three workers enters the lock twice, the second time while it holds the
            # lock. main also enters the lock twice: before it starts the workers, and before it waits.
            assert count["lock_enter"] == count["lock_exit"] == 3 * 100 * 2 + 2, (mode, tier, count)
            assert count["wait_begin"] == count["wait_end"] == 1 and count["notify"] == 1, (mode, tier, count)
            assert count["hash"] == count["hash_asked"] == 2 and count["lock_refused"] == 1, (mode, tier, count)
            hashes = {event["hash"] for event in of_lock if event["event"] == "hash"}
            assert len(hashes) == 1, (mode, hashes)
            # main holds the lock while each worker arrives, so all three find it held by main.
            first = [event for event in of_lock if event["event"] == "lock_owner"][:3]
            assert [event["owner"] for event in first] == ["main"] * 3, (mode, tier, first)
            assert {event["thread"] for event in first} == {"worker 0", "worker 1", "worker 2"}, (mode, tier, first)
            sites = {event["at"].split(" bci")[0] for event in of_lock if event["event"] == "lock_enter"}
            assert "Contended.outer(Contended.java:13)" in sites, (mode, tier, sites)
            if mode == "pthread":
                continue
            steps = pictures(file, of_lock[0]["object"])
            check_pictures(steps)
            assert max(len(step["queue"]) for step in steps) >= 2, (mode, tier)
            assert any(step["waiting"] == ["main"] for step in steps), (mode, tier)
            assert steps[-1]["hashed"] and max(step["levels"] for step in steps) == 2, (mode, tier)


def pairs_that_are_counted():
    """In every mode and tier, each enter has an event lock_enter, or is counted by an event lock_pairs. The recording
    always shows which thread holds the lock."""
    for mode in modes():
        for tier in ("-Xint", "-Xcomp -XX:CompileOnly=Runs", ""):
            file = WORK / f"runs-{mode}.khr"
            said = int(record(file, "Runs", [f"-XX:LockingMode={mode}", *tier.split()]))
            of_lock = events(file, "--class=Runs$Lock")
            check_ownership(of_lock)
            count = count_of(of_lock)
            # Optimised code eliminates nested locks.
            assert count["lock_enter"] == count["lock_exit"], (mode, tier, count)
            assert count["lock_enter"] == said if tier else count["lock_enter"] <= said, (mode, tier, said, count)
            has_snippet = mode not in ("pthread", "cjm-hybrid") and not mode.startswith("hashchains")
            if has_snippet or mode == "hashchains+3":   # in other modes each pair has events of its own
                # A recording coalesces pairs of enter and exit only while a single thread uses the lock. So the number
                # of coalesced pairs depends on the scheduler.
                counted = sum(event.get("pairs", 0) for event in of_lock)
                assert count["lock_pairs"] > 10 and counted > 25_000, (mode, tier, counted, count)
                check_pictures(pictures(file, of_lock[0]["object"]))
    record(file, "Runs", ["-XX:-RecordLockRuns"])
    assert not events(file, "--event=lock_pairs")


def fresh_objects_that_are_counted():
    """A recording gives the same object number to all new objects of a class that are locked only once. An object that
    a second thread wants to lock gets a separate number."""
    def is_counted(event):
        return event["class"] == "Fresh$Item, one-shot locks"
    for mode in ("lightweight", "monitor", "legacy", "hashchains", "hashchains+3", "cjm-fifo", "cjm-by"):
        for tier in ("-Xint", "-Xcomp"):
            file = WORK / f"fresh-{mode}.khr"
            assert record(file, "Fresh", [f"-XX:LockingMode={mode}", tier]) == "touched 10004\n"
            of_class = events(file, "--class=Fresh$Item")
            counted = [event for event in of_class if is_counted(event)]
            told = [event for event in of_class if not is_counted(event)]
            check_ownership(told)
            pairs = sum(event.get("pairs", 0) for event in counted)
            assert count_of(told)["lock_enter"] + pairs == count_of(told)["lock_exit"] + pairs == 10_004, (mode, tier)
            wanted, = [event for event in told if event["event"] == "lock_owner"]
            assert (wanted["thread"], wanted["owner"]) == ("helper", "main"), wanted
            if mode in ("lightweight", "legacy"):   # in other modes, no snippet takes a lock that had no owner yet
                assert pairs > 9500, (mode, tier, pairs, count_of(told))
            assert {event["event"] for event in counted} <= {"object", "lock_pairs"}, counted[:5]
    record(file, "Fresh", ["-Xint", "-XX:-RecordLockRuns"])
    of_class = events(file, "--class=Fresh$Item")
    assert not any(map(is_counted, of_class)) and count_of(of_class)["lock_enter"] == 10_004


def fresh_objects_of_inlined_methods():
    """If compiled code inlined the synchronized methods of FreshMethods, it would deoptimize at each of their one-shot
    locks. So compiled code calls these methods."""
    if is_tier_missing("fresh_objects_of_inlined_methods"):
        return
    file = WORK / "fresh-methods.khr"
    printed = record(file, "FreshMethods", ["-XX:+PrintInlining"])
    assert "FreshMethods$Item::next (12 bytes)   inline\n" in printed, printed
    assert "FreshMethods$Item::next (12 bytes)   its monitor is recorded at each call\n" in printed, printed
    assert printed.endswith("made 20000000\n"), printed[-200:]
    of_class = events(file, "--class=FreshMethods$Item")
    assert count_of(of_class)["lock_enter"] == 20_000_000, count_of(of_class)


def one_object_with_its_moves_and_death():
    file = WORK / "life.khr"
    record(file, "Life", ["-Xmx64m"])
    of_object = events(file, "--class=Life$Subject")
    kinds = [event["event"] for event in of_object]
    number, = {event["object"] for event in of_object}
    assert kinds[0] == "object" and kinds[-1] == "died", kinds
    assert "moved" in kinds[1:-1], kinds
    story = [kind for kind in kinds if kind not in ("moved", "lock_change")]
    assert story == ["object", "lock_enter", "lock_exit", "hash_asked", "hash", "lock_enter", "wait_begin", "inflate",
                     "wait_end", "lock_exit", "hash_asked", "hash", "deflate", "lock_enter", "lock_exit", "died"], story
    causes = [event["cause"] for event in of_object if event["event"] == "inflate"]
    assert causes == ["wait"], causes
    lines = [re.search(r":(\d+)\)", event["at"]).group(1) for event in of_object if "at" in event]
    assert lines == ["18", "18", "19", "20", "21", "21", "22", "23", "25", "25"], lines
    assert events(file, f"--object={number}") == of_object
    # The locking mode `traced` logs the same transitions as the recording.
    traced = run([VM, "-Xmx64m", "-XX:LockingMode=traced", "-Xlog:locking", "-cp", CLASSES, "Life"])
    lines = [line for line in traced.splitlines() if "(Life$Subject)" in line and "begins" not in line]
    seen = [(request, before + "->" + after)
            for request, before, after in re.findall(r"\) (\w+): (\d\d) .*? -> (\d\d) ", "\n".join(lines))]
    told = [({"lock_enter": "enter", "lock_exit": "exit", "hash": "hash"}[event["event"]], event["word"])
            for event in of_object if event["event"] in ("lock_enter", "lock_exit", "hash")]
    assert told == [each for each in seen if each[0] != "wait"], (told, seen)
    # The recording has the steps of the algorithm: each transition of the header, with the thread, the rule and the
    # source line. After each operation, the header and the owner must be those that the locking mode `traced` logs.
    steps = pictures(file, number)
    check_pictures(steps)
    transitions, before = [], "01 free"
    for step in steps:
        if step["header"] != before:
            line = step["at"] and int(re.search(r":(\d+)\)", step["at"]).group(1))
            transitions.append((step["header"], step["rule"], step["thread"] if step["at"] else "", line))
            before = step["header"]
    fast, monitor = "R2 of lightweight.h", "R8 of object_monitor.h"
    assert transitions == [
        ("00 held", fast, "main", 18), ("01 free", fast, "main", 18), ("00 held", fast, "main", 20),
        ("10 inflated", "R6 of lightweight.h", "main", 21), ("01 free", monitor, "", None),
        ("00 held", fast, "main", 25), ("01 free", fast, "main", 25)], transitions
    after = [(step["header"][:2], "held" if step["owner"] else "free") for step in steps
             if step["event"] in ("lock_enter", "lock_exit", "hash", "wait_end")]
    assert after == re.findall(r"-> (\d\d) (free|held)", "\n".join(lines)), (after, lines)
    assert [step["hashed"] for step in steps].index(True) == 2 and steps[-1]["event"] == "died", steps
    others = [(step["event"], step["rule"], bool(step["at"])) for step in steps
              if step["event"] in ("hash", "moved", "died")]
    assert others == [("hash", "R1 of identity_hash.h", True)] * 2 + [("moved", "R3 of mark_compact.h", False),
                                                                      ("died", "L1 of phase.h", False)], others


def collections_safepoints_classes_and_code():
    file = WORK / "others.khr"
    record(file, "Life", ["-Xmx64m"], ["compile"])
    all_events = events(file)
    inside = None
    for event in all_events:
        if event["event"] == "pause_begin":
            assert inside is None, event
            inside = event
        elif event["event"] == "pause_end":
            assert event["kind"].endswith(f"({inside['cause']})") and event["collection"] == inside["collection"], event
            inside = None
        elif event["event"] == "phase":
            assert inside is not None and event["collection"] == inside["collection"], event
    assert inside is None
    kinds = collections.Counter(event["event"] for event in all_events)
    assert kinds["pause_begin"] >= 2 and kinds["phase"] > kinds["pause_begin"], kinds
    assert kinds["safepoint_request"] == kinds["safepoint_reached"] == kinds["safepoint_resume"] >= 2, kinds
    assert any(event["event"] == "class_loaded" and event["class"] == "Life$Subject" for event in all_events)
    assert any(event["event"] == "class_initializes" and event["class"] == "Life" for event in all_events)
    assert any(event["event"] == "compiled" and event["method"].startswith("int Life.hot") for event in all_events), \
        [event for event in all_events if event["event"] == "compiled"][:5]
    times = [event["ns"] for event in all_events]
    assert times == sorted(times)


def classes_come_and_go():
    """The program uses two class loaders, one after the other, each with its own classes. One collection unloads the
    classes of the first loader, and a later collection those of the second."""
    file = WORK / "unloading.khr"
    run([VM, f"-XX:StartRecording={file}", ROOT / "docs" / "lessons" / "run" / "Unloading.java"])
    story = [event["event"] for event in events(file, "--event=classes") if event["class"] == "Unloading$Guest"]
    assert story == ["class_loaded", "class_unloaded"] * 2, story
    told, pause = events(file, "--event=class_unloaded,pause_begin,pause_end"), False
    for event in told:
        if event["event"] == "class_unloaded":
            assert pause, event
        else:
            pause = event["event"] == "pause_begin"


def states_of_regions(told):
    """Checks that each event of a region starts from the region's previous state. Returns the last state and generation
    of each region."""
    now = {}
    for event in told:
        if event["event"] != "region":
            continue
        states, generation = event["change"].split(", ")
        before, _, after = states.rpartition("->")
        known = now.get(event["region"], ("Free", "Eden"))[0]
        assert known == (before or after), (event, known)
        now[event["region"]] = after, generation
    return now


def regions_from_free_to_free():
    file = WORK / "regions.khr"
    for plan, megabytes in (("generational", 32), ("evacuating", 256)):   # a smaller heap is always slid
        record(file, "Regions", [f"-XX:GCPlan={plan}", f"-Xmx{megabytes}m", "-XX:ParallelGCThreads=2",
                                 "-XX:-UseDynamicNumberOfGCThreads"])
        told = events(file)
        layout, = [event for event in told if event["event"] == "heap_layout"]
        assert layout["regions"] * layout["region_bytes"] == megabytes << 20, layout
        last = states_of_regions(told)
        seen = collections.Counter(event["change"] for event in told if event["event"] == "region")
        for change in ("Free->Shared, Eden", "Shared->Full, Eden", "Full->FromSpace, Eden", "FromSpace->Free, Eden",
                       "Free->HumongousStart, Eden"):
            assert seen[change] > 0, (plan, change, seen)
        assert any(change.startswith("HumongousStart->") for change in seen), (plan, seen)
        assert any(change.startswith("Free->ToSpace") for change in seen), (plan, seen)
        assert any("Compacting->" in change for change in seen), (plan, seen)
        in_use = [state for state, _ in last.values() if state != "Free"]
        assert 0 < len(in_use) < layout["regions"] and not {"FromSpace", "ToSpace", "Compacting"} & set(in_use), in_use
        # Threads allocate in open regions only.
        open_now = {}
        for event in told:
            if event["event"] == "region":
                open_now[event["region"]] = event["change"].split(", ")[0].endswith("Shared")
        buffers = [event for event in told if event["event"] == "buffer"]
        assert buffers and all(event["bytes"] > 0 and event["region"] in open_now for event in buffers), buffers[:3]
        # Two GC threads share the work of each collection. The events of their work lie within a pause.
        works, pause = {}, False
        for event in told:
            if event["event"] in ("pause_begin", "pause_end"):
                pause = event["event"] == "pause_begin"
            elif event["event"] == "work_begin":
                assert pause and event["thread"] not in works, event
                works[event["thread"]] = event["worker"]
            elif event["event"] == "work_end":
                assert pause and works.pop(event["thread"]) == event["worker"], event
        assert not works, works
        workers = {event["thread"] for event in told if event["event"] == "work_begin"}
        assert {"GC Thread#0", "GC Thread#1"} <= workers, (plan, workers)


def states_of_threads():
    file = WORK / "states.khr"
    record(file, "Contended")
    states = collections.defaultdict(list)
    for event in events(file, "--event=thread_state"):
        states[event["whose"]].append(event["state"])
    assert "blocked" in states["worker 0"] and states["worker 0"][-1] == "terminated", dict(states)
    assert "waiting, timed" in states["main"], dict(states)


def code_that_is_entered_and_left():
    """The recording has an event when a failed speculation deoptimizes, and when a running loop enters new code (OSR).
    The events of a compilation, by either tier, name the compiling thread and the method. There are no other events
    here: at an execution sample, a frame leaves baseline code and enters its loop again."""
    if not (pathlib.Path(VM).parent / "libkeyhole-llvm.so").exists():
        left_out.append("left out: code_that_is_entered_and_left: the optimising tier, which is not built")
        return
    file = WORK / "tiers.khr"
    sums = "188998 true\n"
    said = record(file, "Tiers", ["-Xcomp", "-XX:TieredStopAtLevel=4", "-XX:RecordEvents=code"])
    assert said == sums, said
    told = events(file, "--event=code")
    left = [event for event in told if event["event"] == "deoptimized" and " Tiers.areas(" in event["method"]]
    assert {(event["reason"], event["at"].split(" bci")[0]) for event in left} >= {
        ("class", "Tiers.areas(Tiers.java:26)")}, left
    assert {event["thread"] for event in left} == {"main"}, left
    entered = [(event["at"].split(" bci")[0], event["level"]) for event in told
               if event["event"] == "loop_entered" and " Tiers.count(" in event["method"]]
    assert entered and set(entered) <= {("Tiers.count(Tiers.java:%d)" % line, 4) for line in (32, 33)}, entered
    # Each thread ends one compilation before it begins the next. The result is code, or a reason for rejection.
    current, outcomes = {}, collections.Counter()
    for event in told:
        thread = event["thread"]
        if event["event"] == "compile_begin":
            assert thread not in current, (event, current)
            current[thread] = [event]
        elif event["event"] in ("compiled", "compile_refused"):
            current[thread].append(event)
        elif event["event"] == "compile_end":
            begin, *between = current.pop(thread)
            assert begin["method"] == event["method"] and begin["level"] == event["level"], (begin, event)
            kinds = {each["event"] for each in between}
            if event["outcome"] == "installed":
                assert "compiled" in kinds, (begin, between, event)
            elif event["outcome"] in ("refused", "impossible"):
                assert "compile_refused" in kinds, (begin, between, event)
            outcomes[event["outcome"]] += 1
    assert not current and outcomes["installed"] > 10, (current, outcomes)
    # Without the optimising tier, a frame of the interpreter continues in baseline code.
    assert record(file, "Tiers", ["-XX:TieredStopAtLevel=1", "-XX:RecordEvents=code"]) == sums
    told = events(file, "--event=code")
    assert not any(event["event"] == "deoptimized" for event in told), told
    entered = [event for event in told if event["event"] == "loop_entered" and " Tiers.count(" in event["method"]]
    assert [event["level"] for event in entered] == [1] and entered[0]["thread"] == "main", entered


def is_tier_missing(test):
    if (pathlib.Path(VM).parent / "libkeyhole-llvm.so").exists():
        return False
    left_out.append(f"left out: {test}: the optimising tier, which is not built")
    return True


def exceptions_leave_code_that_counts_its_exits():
    """A recording makes optimised code count its deopt points. In such code an exception must still release monitors
    and find its handler."""
    if is_tier_missing("exceptions_leave_code_that_counts_its_exits"):
        return
    program = ROOT / "tests" / "java" / "threads" / "JoinedRegions.java"
    run([JDK / "bin" / "javac", "-g", "-d", CLASSES, program])
    forced = ["-Xcomp", "-XX:TieredStopAtLevel=4"]
    recording = f"-XX:StartRecording={WORK / 'exceptions.khr'}"
    expected = run([VM, *forced, "-cp", CLASSES, "JoinedRegions"])
    for flags in ([recording], [recording, "-XX:RecordEvents=locks", "-Xlog:deoptimization=debug:file=/dev/null"]):
        assert run([VM, *forced, *flags, "-cp", CLASSES, "JoinedRegions"]) == expected, flags


def stacks(file, *options):
    """Returns the samples of each stack, and checks the format that tools for flame graphs read."""
    counts = {}
    for line in show(file, "--stacks", *options).splitlines():
        stack, _, count = line.rpartition(" ")
        assert stack not in counts and all(stack.split(";")), line
        counts[stack] = int(count)
    assert list(counts) == sorted(counts), counts
    return counts


def share_with(counts, text):
    return sum(count for stack, count in counts.items() if text in stack) / max(sum(counts.values()), 1)


def check_samples(file, tier):
    """Nearly all samples of main are in inner, called by outer, in whichever tier the methods run and whether they are
    inlined or not. Those of the other thread are in its own loop."""
    of_main, of_other = stacks(file, "--thread=main"), stacks(file, "--thread=other")
    assert sum(of_main.values()) >= 10 <= sum(of_other.values()), (tier, of_main, of_other)
    work = "Samples.main;Samples.work;Samples.outer"
    assert share_with(of_main, work) > 0.7 and share_with(of_main, f"{work};Samples.inner") > 0.5, (tier, of_main)
    assert share_with(of_main, "Samples.rests") == 0, (tier, of_main)
    assert share_with(of_other, "Samples.rests") > 0.7 and share_with(of_other, "Samples.outer") == 0, (tier, of_other)
    assert all(not stack.startswith("Samples.outer") for stack in of_main), (tier, of_main)


def samples_of_what_runs():
    tiers = [["-Xint"], ["-XX:TieredStopAtLevel=1"], ["-Xcomp", "-XX:TieredStopAtLevel=1"]]
    if not is_tier_missing("samples_of_what_runs, in the optimising tier"):
        tiers += [[], ["-XX:TieredStopAtLevel=2"], ["-Xcomp"], ["-XX:-Inline"]]
    for tier in tiers:
        file = WORK / "samples.khr"
        flags = [*tier, "-XX:RecordEvents=samples,threads", "-XX:ExecutionSampleInterval=5"]
        assert record(file, "Samples", flags, ["work", "1500"]) == "done\n"
        check_samples(file, tier)
    # The stacks are those of the events, and the filters select among them.
    told = events(file, "--event=execution_sample")
    counts = collections.Counter(event["stack"] for event in told)
    assert counts == stacks(file), (counts, stacks(file))
    assert {row["stack"]: row["samples"] for row in map(json.loads, show(file, "--stacks", "--to=json").splitlines())} \
        == counts
    middle = told[len(told) // 2]["ns"] / 1e6
    early, late = (sum(stacks(file, f"--{way}={middle + more:.6f}").values())
                   for way, more in (("until", 0), ("from", 0.000001)))
    assert early + late == len(told) and early and late, (early, late, len(told))
    # A request for a sample is no reason to deoptimize code that was compiled while samples were recorded.
    if not is_tier_missing("samples_of_what_runs, without deoptimizations"):
        record(file, "Samples", ["-XX:ExecutionSampleInterval=1"], ["work", "1500"])
        polls = [event for event in events(file, "--event=deoptimized") if event["reason"] == "poll"]
        assert len(polls) < sum(stacks(file).values()) / 10, (len(polls), polls[:5])
    # A deep stack has only its innermost frames.
    record(file, "Samples", ["-XX:RecordEvents=samples,threads"], ["deep", "600"])
    deepest = max(stacks(file, "--thread=main"), key=len).split(";")
    assert len(deepest) == 1024 and deepest[:2] == ["[truncated]", "Samples.deep"], (len(deepest), deepest[:3])
    # Without an interval, or without the family, there are no samples.
    for flags in (["-XX:ExecutionSampleInterval=0"], ["-XX:RecordEvents=threads"]):
        record(file, "Samples", flags, ["work", "100"])
        done = subprocess.run([VM, "--show", file, "--stacks"], capture_output=True, text=True)
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "keyhole: the recording has no execution samples\n")
    for words in (["--waits"], ["--summary"], ["--to=perfetto"], ["--event=locks"], ["--object=1"], ["--findings"]):
        done = subprocess.run([VM, "--show", str(file), "--stacks", *words], capture_output=True, text=True)
        assert done.returncode == 2 and " go" in done.stderr, (words, done)


def samples_of_a_running_program():
    """A recording by jcmd has samples of code that was compiled before it began. After its end, no thread samples."""
    file, jcmd = WORK / "samples-jcmd.khr", pathlib.Path(JDK) / "bin" / "jcmd"
    if not jcmd.exists():
        left_out.append("left out: samples_of_a_running_program: this JDK has no jcmd")
        return
    process = subprocess.Popen([VM, "-cp", str(CLASSES), "-XX:ExecutionSampleInterval=5", "Samples", "jcmd", "1000"],
                               stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout.readline() == "warm\n"
        command = lambda *words: run([jcmd, process.pid, *words])
        for _ in range(2):
            assert "Recording.\n" in command("Recording.start", file, "events=samples,threads")
            assert "Execution Sampler" in command("Thread.print")
            time.sleep(1.5)
            assert "complete" in command("Recording.stop")
            check_samples(file, "by jcmd")
            deadline = time.monotonic() + 30
            while "Execution Sampler" in command("Thread.print"):
                assert time.monotonic() < deadline, "the sampler has not ended"
        process.stdin.write("end\n")
        process.stdin.flush()
        assert process.stdout.readline() == "done\n"
    finally:
        process.kill()
        process.wait()


def virtual_threads():
    """The recording assigns the events of a virtual thread to that virtual thread, not to its carrier. The recording
    says when the thread has a carrier, and otherwise why the thread is unmounted."""
    if release(JDK) < 25:
        left_out.append("left out: virtual_threads: they leave their carriers on the library of 25")
        return
    file = WORK / "virtual.khr"
    run([JDK / "bin" / "javac", "-d", CLASSES, SOURCES / "library25" / "Carried.java"])
    for mode in ("lightweight", "cjm-fifo", "pthread"):
        flags = [f"-XX:LockingMode={mode}", "-Djdk.virtualThreadScheduler.parallelism=1"]
        assert record(file, "Carried", flags) == "done\n"
        told = events(file)
        # On a carrier, `mounted` and `unmounted` alternate. A virtual thread acts only between these two events.
        carrier, states = {}, collections.defaultdict(list)
        virtual = {event["virtual"] for event in told if event["event"] == "mounted"}
        assert "runner" in virtual, virtual
        for event in told:
            if event["event"] == "mounted":
                assert event["virtual"] not in carrier and event["thread"] not in virtual, event
                carrier[event["virtual"]] = event["thread"]
            elif event["event"] == "unmounted":
                assert carrier.pop(event["virtual"]) == event["thread"], event
                states[event["virtual"]].append(event["state"])
            elif event["thread"] in virtual:
                assert event["thread"] in carrier, event
        assert not carrier, carrier
        assert states["runner"][-1] == "terminated", states
        # In the mode `pthread`, a virtual thread that waits for a lock keeps its carrier, because the lock is a mutex
        # of the platform.
        leaves = {"parked"} if mode == "pthread" else {"parked", "blocked", "waiting"}
        assert leaves <= set(states["runner"]) <= leaves | {"runnable", "terminated"}, (mode, states)
        pinned = {(event["thread"], event["operation"], event["reason"]) for event in told
                  if event["event"] == "pinned"}
        why = "holds or enters a monitor of the platform"
        assert ({each for each in pinned if each[0] == "runner"} >= {("runner", "Object.wait", why)}
                if mode == "pthread" else not pinned), (mode, pinned)
        # The lock belongs to the virtual thread, even if the thread requests it on one carrier and acquires it on
        # another.
        of_lock = events(file, "--class=Carried$Lock")
        check_ownership(of_lock)
        by_runner = [event["event"] for event in of_lock if event["thread"] == "runner" and event["event"] in
                     ("lock_contended", "lock_enter", "wait_begin", "wait_end", "lock_exit")]
        assert by_runner == ["lock_contended", "lock_enter", "wait_begin", "wait_end", "lock_exit"], by_runner
        waits, = [json.loads(line) for line in show(file, "--waits", "--to=json", "--thread=runner").splitlines()]
        assert waits["owner"] == "main" and not waits["at_the_end"], waits


def families_alone():
    table = (ROOT / "runtime" / "recorder" / "events.def").read_text()
    for family, kind in (("locks", "lock_enter"), ("threads", "thread_state"), ("classes", "class_loaded")):
        file = WORK / f"family-{family}.khr"
        record(file, "Contended", [f"-XX:RecordEvents={family}"])
        kinds = {event["event"] for event in events(file)}
        of_family = set(re.findall(rf"^EVENT\((\w+), {family},", table, re.MULTILINE))
        assert kind in kinds and kinds <= of_family, kinds - of_family


def text_filters_and_summary():
    file = WORK / "text.khr"
    record(file, "Contended")
    lines = show(file, "--thread=worker 1", "--event=lock_contended,lock_owner").splitlines()
    assert lines and all(re.match(r" *\d+\.\d{6}  worker 1 +lock_(contended|owner) ", line) for line in lines), lines
    all_events = events(file)
    total = len(all_events)
    summary = show(file, "--summary")
    assert re.search(rf"^ +{total}  events of ", summary, re.MULTILINE), summary
    assert sum(int(count) for count in re.findall(r"^ +(\d+)  \w+ ", summary, re.MULTILINE)) == 2 * total, summary
    middle = all_events[total // 2]["ns"]
    early, late = (events(file, f"--{way}={(middle + more) / 1e6:.6f}") for way, more in (("until", 0), ("from", 1)))
    assert len(early) + len(late) == total and early and late, (len(early), len(late), total)
    for options in (["--thread=nobody"], ["--class=None", "--to=json"], ["--from=1e9"], ["--summary", "--object=999999"],
                    ["--thread=nobody", "--waits"], ["--event=pause_begin", "--thread=worker 1"]):
        done = subprocess.run([VM, "--show", file, *options], capture_output=True, text=True)
        filters = [word for word in options if re.match("--(thread|class|from|object|event)=", word)]
        assert done.returncode == 0 and not done.stdout, done
        assert re.fullmatch(rf"keyhole: none of the recording's {total} events matches .*\n", done.stderr), done.stderr
        assert all(word.partition("=")[0] in done.stderr for word in filters), done.stderr
    for words, problem in ((["--show"], "needs the file"), (["--show", file, "--to=png"], "does not understand"),
                           (["--show", file, "--object=x"], "does not understand"),
                           (["--show", file, "--event=x", "--summary"], "neither a kind nor a family"),
                           (["--show", WORK / "none"], "cannot read")):
        done = subprocess.run([VM, *map(str, words)], capture_output=True, text=True)
        assert done.returncode in (1, 2) and problem in done.stderr, (words, done)


def who_waits_for_whom():
    """--waits prints the times from lock_contended to lock_enter, summed by the owner that lock_owner names. A wait
    that has not ended when the recording ends counts, too."""
    file = WORK / "waits.khr"
    record(file, "Contended")
    sums, begun = collections.defaultdict(list), {}
    for event in events(file, "--event=lock_contended,lock_owner,lock_enter"):
        key = event["thread"], event["object"]
        if event["event"] == "lock_contended":
            begun[key] = [event["ns"], ""]
        elif key in begun and event["event"] == "lock_owner":
            begun[key][1] = event["owner"]
        elif key in begun:
            begin, owner = begun.pop(key)
            sums[event["thread"], owner, event["object"]].append(event["ns"] - begin)
    rows = [json.loads(line) for line in show(file, "--waits", "--to=json").splitlines()]
    told = {(row["thread"], row["owner"], row["object"]): [row["times"], row["total_ns"], row["longest_ns"]]
            for row in rows}
    assert told == {key: [len(waits), sum(waits), max(waits)] for key, waits in sums.items()}, (told, sums)
    assert all((f"worker {i}", "main") in {key[:2] for key in told} for i in range(3)), told
    assert [row["total_ns"] for row in rows] == sorted((row["total_ns"] for row in rows), reverse=True), rows
    of_one = show(file, "--waits", "--thread=worker 1")
    total = sum(row["total_ns"] for row in rows if row["thread"] == "worker 1")
    assert re.search(rf"^worker 1 has waited \d+ times?, for {total / 1e6:.3f} ms in all$", of_one, re.MULTILINE), of_one
    assert not re.search("^worker 0 ", of_one, re.MULTILINE) and "Contended.outer(Contended.java:13)" in of_one, of_one
    # With --until, the recording is cut off before a waiting thread gets the lock.
    first = next(event for event in events(file, "--thread=worker 0") if event["event"] == "lock_contended")
    cut = show(file, "--waits", "--thread=worker 0", f"--until={first['ns'] / 1e6 + 0.0001:.6f}")
    assert ", and waits at the end" in cut and "has waited 1 time, for 0.000 ms" in cut, cut
    earliest = next(event for event in events(file) if event["event"] == "lock_contended")
    assert show(file, "--waits", f"--until={earliest['ns'] / 1e6 - 0.0001:.6f}") == "no thread had to wait for a lock\n"
    for words in (["--summary"], ["--event=locks"], ["--to=perfetto", f"--output={WORK}/x"], ["--picture=1"]):
        done = subprocess.run([VM, "--show", str(file), "--waits", *words], capture_output=True, text=True)
        assert done.returncode == 2 and " go" in done.stderr, (words, done)


def flags_that_are_wrong():
    done = run([VM, "-XX:StartRecording=/nonexistent/x", "-cp", CLASSES, "Contended"], expected=1)
    assert "StartRecording: cannot write /nonexistent/x: No such file or directory" in done, done
    done = run([VM, f"-XX:StartRecording={WORK}/x", "-XX:RecordEvents=lock", "-cp", CLASSES, "Contended"], expected=1)
    assert "RecordEvents: 'lock' is not among the families of events: all, locks, objects" in done, done


def ended_by_exit_and_by_halt():
    for way in ("exit", "halt"):
        file = WORK / f"{way}.khr"
        record(file, "Contended", arguments=[way], expected=7)
        done = subprocess.run([VM, "--show", str(file), "--to=json"], capture_output=True, text=True)
        assert done.returncode == 0 and done.stderr == "", done.stderr
        assert '"event":"lock_contended"' in done.stdout


def a_crash_keeps_it():
    file = WORK / "crash.khr"
    process = subprocess.Popen([VM, f"-XX:StartRecording={file}", f"-XX:ErrorFile={WORK}/crash.log", "-cp",
                                str(CLASSES), "Contended", "stay"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                               text=True)
    assert process.stdout.readline() == "staying\n"
    process.send_signal(signal.SIGSEGV)
    process.wait(60)
    assert process.returncode != 0
    done = subprocess.run([VM, "--show", str(file), "--to=json", "--class=Contended$Lock"], capture_output=True,
                          text=True)
    assert done.returncode == 0 and "was not stopped" in done.stderr, done.stderr
    told = [json.loads(line) for line in done.stdout.splitlines()]
    assert count_of(told)["lock_enter"] == 602, len(told)
    check_ownership(told)


def by_jcmd():
    file = WORK / "jcmd.khr"
    jcmd = pathlib.Path(JDK) / "bin" / "jcmd"
    if not jcmd.exists():
        left_out.append("left out: by_jcmd: this JDK has no jcmd")
        return
    process = subprocess.Popen([VM, "-cp", str(CLASSES), "Contended", "again"], stdin=subprocess.PIPE,
                               stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout.readline() == "ready\n"
        command = lambda words, pid=str(process.pid): run([jcmd, pid, *words]).split("\n", 1)[1]
        assert command(["Recording.dump"]) == "no recording is in progress\n"
        assert command(["Recording.start", str(file)]) == "Recording.\n"
        assert command(["Recording.start", str(file)]) == "a recording is in progress\n"
        process.stdin.write("go\n")
        process.stdin.flush()
        assert process.stdout.readline() == "done 300\n"
        assert "up to now" in command(["Recording.dump"])
        told = subprocess.run([VM, "--show", str(file), "--to=json", "--class=Contended$Lock"], capture_output=True,
                              text=True).stdout.splitlines()
        assert any('"lock_contended"' in line for line in told), told[:5]
        assert command(["Recording.stop"]) == "The recording is complete.\n"
        kinds = {event["event"] for event in events(file)}
        assert {"lock_contended", "thread_start", "thread_end"} <= kinds, kinds
        # The recording begins with the regions that were in use at that time.
        told = events(file, "--event=regions")
        assert told[0]["event"] == "heap_layout" and told[1]["change"].startswith("Free->"), told[:3]
        states_of_regions(told)
        assert command(["Recording.start", str(file), "events=classes"]) == "Recording.\n"
        assert command(["Recording.stop"]) == "The recording is complete.\n"
        assert {event["event"] for event in events(file)} <= {
            "class_loaded", "class_initializes", "class_unloaded"}
    finally:
        process.kill()
        process.wait()


def perfetto_schema():
    folder = WORK.parent / "perfetto"
    if not (folder / "perfetto").exists():
        done = subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "--target", str(folder), PERFETTO],
                              capture_output=True, text=True)
        if done.returncode != 0:
            shutil.rmtree(folder, ignore_errors=True)
            left_out.append(f"left out: for_perfetto: pip cannot install {PERFETTO}")
            return None
    sys.path.insert(0, str(folder))
    from perfetto.protos.perfetto.trace.perfetto_trace_pb2 import Trace, TrackEvent
    return Trace, TrackEvent


def processed_trace(trace_file, lock, holds, flows):
    """Perfetto's trace processor, if it is installed, must find the holds `holds` of the lock, and as many flows as
    `flows` says."""
    processor = shutil.which("trace_processor_shell") or shutil.which("trace_processor")
    if processor is None:
        left_out.append("left out: for_perfetto: the trace processor, which is not installed")
        return
    from perfetto.trace_processor import TraceProcessor, TraceProcessorConfig
    with TraceProcessor(trace=str(trace_file), config=TraceProcessorConfig(bin_path=processor)) as trace:
        row, = trace.query(f"select count(*) as n, sum(dur) as ns from slice where name = 'holds {lock}'")
        assert (row.n, row.ns) == (len(holds), sum(end - begin for begin, end in holds)), (row.n, row.ns, len(holds))
        row, = trace.query("select count(*) as n from flow")
        assert row.n == flows, (row.n, flows)
        problems = [(row.name, row.value) for row in
                    trace.query("select name, value from stats where severity = 'error' and value > 0")]
        assert not problems, problems


def for_perfetto():
    schema = perfetto_schema()
    if schema is None:
        return
    Trace, TrackEvent = schema
    file, trace_file = WORK / "perfetto.khr", WORK / "trace.perfetto"
    record(file, "Contended", ["-Xmx64m", "-XX:ParallelGCThreads=2", "-XX:-UseDynamicNumberOfGCThreads"])
    show(file, "--to=perfetto", f"--output={trace_file}")
    trace = Trace()
    trace.ParseFromString(trace_file.read_bytes())
    names = {packet.track_descriptor.uuid: packet.track_descriptor.thread.thread_name for packet in trace.packet
             if packet.HasField("track_descriptor")}
    assert {"main", "worker 0", "worker 1", "worker 2"} <= set(names.values()), names
    counters = {packet.track_descriptor.uuid: packet.track_descriptor.name for packet in trace.packet
                if packet.track_descriptor.HasField("counter")}
    owner = {packet.track_descriptor.uuid: names.get(packet.track_descriptor.parent_uuid) for packet in trace.packet
             if packet.HasField("track_descriptor")}
    values = collections.defaultdict(list)   # by track
    open_slices, drawn = collections.defaultdict(list), []
    flows_out, flows_in = {}, {}
    before = 0
    for packet in trace.packet:
        assert packet.trusted_packet_sequence_id == 1
        if not packet.HasField("track_event"):
            continue
        assert packet.timestamp >= before, "packets are in the order of time"
        before = packet.timestamp
        event = packet.track_event
        assert event.track_uuid in names, "a track is described before its events"
        if event.type == TrackEvent.TYPE_SLICE_BEGIN:
            open_slices[event.track_uuid].append((event.name, packet.timestamp))
        elif event.type == TrackEvent.TYPE_SLICE_END:
            name, begin = open_slices[event.track_uuid].pop()
            drawn.append((names[event.track_uuid], name, begin, packet.timestamp))
        elif event.type == TrackEvent.TYPE_COUNTER:
            assert event.counter_value >= 0, event
            values[event.track_uuid].append(event.counter_value)
        flows_out.update(dict.fromkeys(event.flow_ids, (names[event.track_uuid], event.name)))
        flows_in.update(dict.fromkeys(event.terminating_flow_ids, (names[event.track_uuid], event.name)))
    assert not any(open_slices.values()), open_slices
    last = collections.Counter(generation for state, generation in states_of_regions(events(file)).values()
                               if state != "Free")
    counts = {counters[uuid]: told[-1] for uuid, told in values.items() if owner[uuid] is None}
    assert counts and {f"regions: {name}": number for name, number in last.items()} == {
        name: number for name, number in counts.items() if number != 0}, (counts, last)
    number = {event["object"] for event in events(file, "--class=Contended$Lock")}.pop()
    lock = f"Contended$Lock {number}"
    holds = sorted((begin, end) for _, name, begin, end in drawn if name == f"holds {lock}")
    assert holds and all(end <= begin for (_, end), (begin, _) in zip(holds, holds[1:])), "two threads hold it at once"
    waits = [thread for thread, name, _, _ in drawn if name == f"waits for {lock}"]
    assert set(waits) >= {"worker 0", "worker 1", "worker 2"}, waits
    held, blocked = ({owner[uuid]: told for uuid, told in values.items() if counters[uuid] == name}
                     for name in ("monitors held", "blocked"))
    assert all(told[-1] == 0 and max(told) >= 1 for told in held.values()) and set(waits) <= set(held), held
    for thread, told in blocked.items():
        assert told == sorted(told), (thread, told)
        length = sum(end - begin for who, name, begin, end in drawn if who == thread and name.startswith("waits for "))
        assert told[-1] == length, (thread, told[-1], length)
    assert any(name.startswith("compiles ") and thread == "main" for thread, name, _, _ in drawn), drawn[:5]
    # main waits on the object, which releases the lock, and the workers get it.
    assert any(name == f"Object.wait on {lock}" for thread, name, _, _ in drawn if thread == "main")
    handed = [(flows_out[flow][0], thread) for flow, (thread, name) in flows_in.items() if name == f"holds {lock}"]
    assert handed and handed[0][0] == "main" and handed[0][1].startswith("worker"), handed
    processed_trace(trace_file, lock, holds, len(flows_in.keys() & flows_out.keys()))


def the_page_lists_every_event():
    page = (ROOT / "docs" / "recording.md").read_text()
    table = (ROOT / "runtime" / "recorder" / "events.def").read_text()
    rows = re.findall(r'^EVENT\((\w+), (\w+), .*, "([^"]*)"\)$', table, re.MULTILINE)
    assert len(rows) > 20, rows
    lines = "\n".join(f"| `{name}` | {family} | {sentence} |" for name, family, sentence in rows)
    if os.environ.get("KEYHOLE_BLESS"):
        page = re.sub(r"(\| event \|.*\n\|.*\n)(\| `.*\n)*", lambda match: match.group(1) + lines + "\n", page)
        (ROOT / "docs" / "recording.md").write_text(page)
    assert lines in page, "docs/recording.md has another table of events: KEYHOLE_BLESS=1 writes it"


TESTS = [locks_in_every_mode, pairs_that_are_counted, fresh_objects_that_are_counted, fresh_objects_of_inlined_methods,
         one_object_with_its_moves_and_death, collections_safepoints_classes_and_code, classes_come_and_go,
         regions_from_free_to_free, states_of_threads, code_that_is_entered_and_left,
         exceptions_leave_code_that_counts_its_exits, samples_of_what_runs, samples_of_a_running_program,
         virtual_threads, families_alone, text_filters_and_summary, who_waits_for_whom, flags_that_are_wrong,
         ended_by_exit_and_by_halt, a_crash_keeps_it, by_jcmd, for_perfetto, the_page_lists_every_event]


def main():
    for left in WORK.parent.glob("[0-9]*"):
        if not pathlib.Path("/proc", left.name).exists():
            shutil.rmtree(left, ignore_errors=True)
    shutil.rmtree(WORK, ignore_errors=True)
    CLASSES.mkdir(parents=True)
    run([pathlib.Path(JDK) / "bin" / "javac", "-d", CLASSES, *SOURCES.glob("*.java")])
    wanted = [word for word in sys.argv[1:] if not word.startswith("--")]
    return run_tests(by_name(TESTS), wanted, left_out)


if __name__ == "__main__":
    sys.exit(main())
