# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""Checks what each exercise of the course demands of an answer. README.md has the texts of the exercises."""

import collections
import dataclasses
import pathlib
import re
import subprocess
import sys
import tempfile
from typing import Callable, Optional

from running import (ROOT, VM, NotYet, Recording, Unable, contains_in_order, counters, demand, explored, is_called,
                     kinds_of, one_word, output_of, run, source)

sys.path.insert(0, str(ROOT / "tests" / "model"))
import make_mutant

LESSONS = ROOT / "docs" / "lessons"
MUTANTS = {"9.1": "unlock-by-plain-store", "9.2": "no-fence-before-successor-check",
           "9.3": "notification-given-to-a-leaver"}
NEAR = 3   # lines between the given place and the fault
# The locking modes of the tree, without modes that a student has added.
MODES = ["monitor", "legacy", "lightweight", "lightweight+table", "lightweight+table-a", "hashchains", "hashchains-fp",
         "hashchains+3", "cjm-fifo", "cjm-by", "cjm-hybrid", "pthread", "none", "traced"]
PLANS = ["none", "evacuating", "generational"]


@dataclasses.dataclass
class Exercise:
    judge: Callable[[list], str]             # returns what the answer has shown, or raises NotYet
    shows: Optional[Callable[[], str]] = None   # returns output that belongs to the exercise's text


EXERCISES = {}


def exercise(number):
    def keep(judge):
        EXERCISES[number] = Exercise(judge)
        return judge
    return keep


def words_of(answer):
    return re.findall(r"[^\s,]+", " ".join(answer))


# --- 1: the header ---------------------------------------------------------------------------------------------------

@exercise("1.1")
def words_of_a_held_object(answer):
    given = words_of(answer)
    events = Recording(LESSONS / "run" / "HashOfHeld.java", ["-XX:LockingMode=legacy"]).by_object(
        "lock_enter", "hash", "lock_exit", subject="HashOfHeld")[0]
    told = [event["word"] for event in events]
    demand(all(re.fullmatch(r"[01]{2}->[01]{2}", word) for word in given), "words look like 01->00")
    demand(len(given) == len(told), f"there are {len(told)} events, not {len(given)}")
    for place, (mine, true) in enumerate(zip(given, told), 1):
        demand(mine == true, f"word {place} is another one")
    return " ".join(told)


@exercise("1.2")
def inflated_by_one_thread(answer):
    recording = Recording(source(answer), ["-XX:LockingMode=legacy"])
    for events in recording.by_object("lock_enter", "lock_pairs", "inflate", "wait_begin"):
        if "inflate" in kinds_of(events):
            demand("wait_begin" not in kinds_of(events), "a thread waits on the object")
            demand(len({event["thread_id"] for event in events}) == 1, "more than one thread uses the object")
            cause = next(event["cause"] for event in events if event["event"] == "inflate")
            return f"a Subject gets a monitor in legacy: {cause}"
    raise NotYet("no Subject is inflated in the mode legacy")


# --- 2: monitors -----------------------------------------------------------------------------------------------------

@exercise("2.1")
def three_causes(answer):
    recording = Recording(source(answer), ["-XX:LockingMode=lightweight"])
    causes = {event["cause"] for events in recording.by_object("inflate") for event in events}
    for cause in ("contention", "wait", "lock stack full"):
        demand(cause in causes, f"no Subject is inflated because of '{cause}'; causes: {', '.join(sorted(causes))}")
    return "contention, wait, lock stack full"


@exercise("2.2")
def inflated_twice(answer):
    recording = Recording(source(answer), ["-XX:LockingMode=lightweight", "-Xmx64m"])
    best = []
    for events in recording.by_object("inflate", "deflate"):
        if contains_in_order(kinds_of(events), ["inflate", "deflate", "inflate"]):
            return "inflate, deflate, inflate"
        best = max(best, kinds_of(events), key=len)
    raise NotYet(f"the Subject with most events has only these: {', '.join(best)}")


# --- 3: waiting ------------------------------------------------------------------------------------------------------

@dataclasses.dataclass
class Blocked:
    """An enter that found the lock held. Threads are identified by their numbers, because several threads may have the
    same name."""
    thread: int
    name: str
    object: int
    begin: int
    end: int = 0
    owner: int = 0
    owner_name: str = ""


def blocked_stretches(recording):
    waits, begun = [], {}
    for event in recording.events("lock_contended", "lock_owner", "lock_enter"):
        key = event["thread_id"], event["object"]
        if event["event"] == "lock_contended":
            begun[key] = Blocked(event["thread_id"], event["thread"], event["object"], event["ns"])
        elif key in begun and event["event"] == "lock_owner":
            begun[key].owner, begun[key].owner_name = event["owner_id"], event["owner"]
        elif key in begun:
            begun[key].end = event["ns"]
            waits.append(begun.pop(key))
    return waits


@exercise("3.1")
def a_chain(answer):
    waits = blocked_stretches(Recording(source(answer)))
    demand(waits, "no thread has to wait for a lock")
    for first in waits:
        for second in waits:
            both = min(first.end, second.end) - max(first.begin, second.begin)
            is_chain = first.owner == second.thread and second.owner not in (0, first.thread)
            if is_chain and first.object != second.object and both >= 20e6:
                return f"{first.name} waits for {second.name}, which waits for {second.owner_name}, for {both / 1e6:.0f} ms"
    raise NotYet("no thread waits for one that itself waits for a third, for another lock, for 20 ms")


@exercise("3.2")
def a_lost_notify(answer):
    recording = Recording(source(answer))
    for events in recording.by_object("notify", "wait_begin", "wait_end"):
        waiting, lost, began = set(), [], {}
        for event in events:
            thread = event["thread_id"]
            if event["event"] == "notify":
                began.clear()   # this notify may end the waits that have begun
                if not waiting:
                    lost.append(event)
            elif event["event"] == "wait_begin":
                waiting.add(thread)
                before = [notify for notify in lost if notify["thread_id"] != thread]
                if before:
                    began[thread] = event["ns"], before[-1]["ns"]
            else:
                waiting.discard(thread)
                begin, notified = began.pop(thread, (event["ns"], 0))
                if event["ns"] - begin >= 100e6:
                    return f"the notify comes {(begin - notified) / 1e6:.1f} ms before the wait"
    raise NotYet("no thread waits on a Subject for 100 ms, in vain, after another one has notified it")


@exercise("3.3")
def two_preemptions(answer):
    program = source(answer)
    fewer, more = explored(program, 1), explored(program, 2)
    for report in (fewer, more):
        demand(not report["uncontrolled"], f"--explore cannot control it: {report['uncontrolled']}")
    demand(fewer["verdict"] == "none", f"it fails with {fewer.get('preemptions')} preemptions: {fewer.get('failure')}")
    demand(fewer["finished_bound"] is not None and not fewer["stopped"],
           "it has too many schedules with one preemption: --explore does not execute all of them in a minute")
    demand(more["verdict"] == "failure", "no schedule with two preemptions fails, or --explore finds none in a minute")
    return f"none of {fewer['counted']} schedules with one preemption fails; with two: {more['failure']}"


# --- 4: queues -------------------------------------------------------------------------------------------------------

@exercise("4.1")
def three_and_two(answer):
    program = source(answer)
    for mode in ("cjm-fifo", "hashchains", "lightweight"):
        recording = Recording(program, [f"-XX:LockingMode={mode}"])
        seen = set()
        for events in recording.by_object("lock_enter", "wait_begin"):
            for step in recording.shown(f"--picture={events[0]['object']}"):
                if step["owner"]:
                    seen.add((len(step["queue"]), len(step["waiting"])))
        demand((3, 2) in seen, f"in {mode}, the fullest picture of a held Subject has {max(seen, default=(0, 0))[0]} in "
                               f"the queue and {max((each[1] for each in seen), default=0)} that wait; wanted: 3 and 2")
    return "three in the queue, two that wait, in cjm-fifo, hashchains and lightweight"


@exercise("4.2")
def modes_that_need_a_monitor(answer):
    given = set(words_of(answer))
    unknown = given - set(MODES)
    demand(not unknown, f"{', '.join(sorted(unknown))} is no locking mode: see -XX:+PrintLockingModes")
    told = set()
    for mode in MODES[:-3]:
        events = Recording(LESSONS / "run" / "HashOfHeld.java", [f"-XX:LockingMode={mode}"]).by_object(
            "hash", subject="HashOfHeld")[0]
        if events[0]["word"].endswith("10"):
            told.add(mode)
    demand(given >= told, f"{len(told - given)} more")
    demand(given == told, f"{', '.join(sorted(given - told))} needs none")
    return ", ".join(sorted(told))


# --- 5: compared -----------------------------------------------------------------------------------------------------

@exercise("5.1")
def monitors_for_all(answer):
    program = source(answer)
    many, few = (counters(program, mode).get("inflations", 0) for mode in ("monitor", "lightweight"))
    demand(many >= 100_000, f"the mode monitor gives monitors to objects {many} times, not 100000")
    demand(few <= 100, f"lightweight does so {few} times, not at most 100")
    return f"monitors are given {many} times in monitor, {few} times in lightweight"


@exercise("5.2")
def long_chains(answer):
    counted = counters(source(answer), "hashchains")
    enters, steps = counted["slow_enters"], counted.get("chain_steps", 0)
    demand(enters <= 100_000, f"it takes {enters} locks, not at most 100000")
    demand(steps >= 4 * enters, f"{steps} steps along chains for {enters} locks: not four times as many")
    return f"{steps} steps along chains for {enters} locks"


# --- 6: the heap -----------------------------------------------------------------------------------------------------

@exercise("6.1")
def moved_and_died(answer):
    recording = Recording(source(answer), ["-Xmx64m"])
    best = 0
    for events in recording.by_object("moved", "died"):
        moves = kinds_of(events).count("moved")
        if moves >= 2 and kinds_of(events)[-1] == "died":
            return f"moved {moves} times, then found dead"
        best = max(best, moves)
    raise NotYet(f"no Subject is moved twice and then found dead; the most moves: {best}")


@exercise("6.2")
def humongous_without_asking(answer):
    recording = Recording(source(answer), ["-Xmx64m"])
    causes = [event["cause"] for event in recording.events("pause_begin")]
    demand("System.gc()" not in causes, "the program asks for a collection")
    begun = set()
    for event in recording.events("region"):
        before, _, after = event["change"].split(",")[0].rpartition("->")
        if after == "HumongousStart":
            begun.add(event["region"])
        elif after == "Free" and event["region"] in begun:
            return f"region {event['region']} begins a humongous object, and is free again"
    raise NotYet("a humongous object dies, and none of its regions is free again" if begun else
                 "no object takes regions of its own")


# --- 7: classes ------------------------------------------------------------------------------------------------------

@exercise("7.1")
def loaded_early(answer):
    recording = Recording(source(answer), ["-XX:RecordEvents=classes,threads"])
    times = {}
    for event in recording.events("class_loaded", "class_initializes"):
        if is_called(event["class"], "Late"):
            times[event["event"]] = event
    demand("class_loaded" in times, "no class Late is loaded")
    demand("class_initializes" in times, "the class Late is not initialised")
    demand(times["class_initializes"]["thread"] == "worker",
           f"the thread '{times['class_initializes']['thread']}' initialises it, not 'worker'")
    apart = (times["class_initializes"]["ns"] - times["class_loaded"]["ns"]) / 1e6
    demand(apart >= 100, f"it is initialised {apart:.1f} ms after it was loaded, not 100 ms")
    return f"loaded {apart:.0f} ms before worker initialises it"


@exercise("7.2")
def a_class_dies(answer):
    log = run(source(answer), ["-Xlog:class+unload"])
    unloaded = re.findall(r"unloading class (\S+)", log)
    found = [name for name in unloaded if is_called(name, "Plugin")]
    demand(found, f"no class Plugin is unloaded; unloaded: {', '.join(unloaded[:3]) or 'none'}")
    return f"{found[0]} is unloaded"


# --- 8: compiled code ------------------------------------------------------------------------------------------------

@exercise("8.1")
def a_guess_that_fails(answer):
    program = source(answer)
    recording = Recording(program, ["-XX:RecordEvents=code"])
    stories = collections.defaultdict(list)
    for event in recording.events("compiled", "retired"):
        if re.search(rf"\b{program.stem}\.", event["method"]) and event["level"] == 4:
            stories[event["method"]].append(event.get("reason", "compiled"))
    demand(stories, "no method of the program has code of level 4")
    left = [story for story in stories.values() if "deoptimizes too often" in story]
    demand(left, "no code of level 4 is retired because it deoptimizes too often")
    demand(any(contains_in_order(story, ["compiled", "deoptimizes too often", "compiled"]) for story in left),
           "that method has no code of level 4 afterwards")
    return "compiled, deoptimized too often, compiled again"


@exercise("8.2")
def eliminated_locks(answer):
    program = source(answer)

    def enters(*flags):
        events = Recording(program, ["-XX:RecordEvents=locks,objects", *flags]).events("lock_enter", "lock_pairs")
        return sum(event.get("pairs", 1) for event in events if
                   is_called(event.get("class", "").removesuffix(", one-shot locks"), "Subject"))
    taken = enters("-Xint")
    demand(taken >= 10_000, f"interpreted, it takes locks of Subjects {taken} times, not 10000 times")
    left = enters("-Xcomp", "-XX:TieredStopAtLevel=4", f"-XX:CompileOnly={program.stem}")
    demand(left <= taken // 4, f"compiled, it still takes {left} of {taken}: not at most a quarter")
    return f"interpreted {taken} locks, compiled {left}"


# --- 9: broken protocols ---------------------------------------------------------------------------------------------

def report_of(number):
    """Returns the model checker's report about the mutant, without the mutant's name, which would reveal the fault."""
    name = MUTANTS[number]
    text = output_of([VM.parent / "modelcheck", "--mutant", name], "the checker finds nothing")
    text = re.sub(r"[^\s:]*/mutants/[\w-]+/| Again: .*", "", text).replace(name, f"exercise {number}")
    return "\n".join(line.rstrip() for line in text.splitlines())


def find_mutant(number):
    def judge(answer):
        mutants = make_mutant.read(ROOT / "tests" / "model" / "mutants.def")
        mutant = mutants[MUTANTS[number]]
        given = re.fullmatch(r"(?:.*/)?([\w.]+):(\d+)", one_word(answer))
        if given is None:
            raise Unable("the answer is a place, FILE:LINE")
        text = (ROOT / mutant["header"]).read_text()
        place = re.search(make_mutant.pattern_of(mutant["edits"][0]["old"]), text)
        begin, end = (text.count("\n", 0, position) + 1 for position in place.span())
        demand(given[1] == mutant["header"].split("/")[-1], f"{given[1]} is as it should be")
        line = int(given[2])
        demand(begin - NEAR <= line <= end + NEAR, f"line {line} is as it should be")
        return mutant["what"]
    EXERCISES[number] = Exercise(judge, lambda: report_of(number))


for each in MUTANTS:
    find_mutant(each)


# --- 10: your own part -----------------------------------------------------------------------------------------------

@exercise("10.1")
def a_lock_of_ones_own(answer):
    name = one_word(answer)
    demand(name not in MODES, f"{name} came with the tree: it is to be your own")
    table = output_of([VM, "-XX:+PrintLockingModes", "-version"], "the table of modes cannot be read")
    demand(re.search(rf"^{re.escape(name)} ", table, re.MULTILINE), f"-XX:+PrintLockingModes has no {name}")
    filters = f"--gtest_filter=*{re.sub('[^a-z0-9]', '_', name)}*"
    tests = output_of([VM.parent / "tests" / "runtime_sync_test", filters], "it breaks the contract of locks")
    demand(re.search(r"PASSED  \] [1-9]\d* test", tests), f"no contract test has {filters}")
    checked = output_of([VM.parent / "modelcheck", "--algorithm", name, "--states", "25000"],
                        "the model checker finds an error")
    demand(re.search(r"^[1-9]\d* passed, 0 failed", checked, re.MULTILINE), f"the model checker does not know {name}")
    run(ROOT / "examples" / "ProducerConsumer.java", [f"-XX:LockingMode={name}"])
    return f"{name} keeps the contract, and the model checker finds nothing"


@exercise("10.2")
def a_plan_of_ones_own(answer):
    name = one_word(answer)
    demand(name not in PLANS, f"{name} came with the tree: it is to be your own")
    output_of([VM, f"-XX:GCPlan={name}", "-version"], f"there is no plan {name}")
    tests = output_of([VM.parent / "tests" / "gc_test", f"--gtest_filter=*PlansTest.*/{name}"], "it breaks what plans promise")
    demand(re.search(r"PASSED  \] [1-9]\d* test", tests), f"no test of plans runs {name}")
    flags = [f"-XX:GCPlan={name}", "-XX:GCStressInterval=100", "-XX:+VerifyAfterGC", "-XX:+GCPoisonFromSpace", "-Xmx64m"]
    demand("differences: 0" in run(ROOT / "examples" / "IdentityHash.java", flags), "hashes change when objects move")
    return f"{name} keeps what plans promise, under stress"


def code_of_lock(text):
    """Returns the code of a lock without comments and spaces, and with a fixed name for its class: two locks that
    differ only in these are equal."""
    name = re.search(r"KEYHOLE_LOCK\((\w+)", text)
    code = re.sub(r"//.*", "", text)
    code = re.sub(r'KEYHOLE_LOCK\(.*', "", code, flags=re.DOTALL)
    return "".join(re.sub(rf"\b{name[1]}\b" if name else "$^", "Lock", code).split())


@exercise("10.3")
def a_lock_in_a_file(answer):
    path = pathlib.Path(one_word(answer)).resolve()
    if path.suffix != ".h" or not path.is_file():
        raise Unable(f"this exercise takes the file of a lock, NAME.h; there is no file {path.name}")
    mine = code_of_lock(path.read_text())
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([VM, "lock", "new", "skeleton"], cwd=folder, capture_output=True)
        known = [pathlib.Path(folder, "skeleton.h"), *(ROOT / "examples" / "locks").glob("*.h")]
        demand(mine not in [code_of_lock(each.read_text()) for each in known], "it came with the tree: it is to be your own")
    checked = output_of([VM, "lock", "check", path, "--states", "2000"], "the model checker refuses it")
    demand(re.search(r"^[1-9]\d* passed, 0 failed", checked, re.MULTILINE), "the model checker does not know it")
    run(ROOT / "examples" / "ProducerConsumer.java", [f"-XX:LockingMode={path}"])
    return "the model checker finds nothing, and a program runs under it"
