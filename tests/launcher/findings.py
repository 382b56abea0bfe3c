#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""Tests findings of recordings: the first line that `keyhole --show --findings` and the page of `--look` print about
each of the ten programs of examples/findings. Also tests that `--show --waits` shows the parks of
java.util.concurrent's locks.

Numbers in the lines become N. Each program runs in the default locking mode. Four programs also run in the locking mode
cjm-by.
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
from test_loop import by_name, run_tests

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "look"))
import browser as browsers
import homes

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
JDK = chosen_home()
VM = pathlib.Path(os.environ.get("KEYHOLE_VM", str(ROOT / "build" / "release" / "keyhole")))
PROGRAMS = ROOT / "examples" / "findings"
WORK = ROOT / "build" / "findings-tests"
left_out = []

# The first finding of each program. With {A|B}, the line may name the threads A and B in either order.
FIRST = {
    "MonitorDeadlock": "Deadlock: alice and bob wait for each other for ever (monitors).",
    "LockDeadlock": "Deadlock: alice and bob wait for each other for ever (locks of java.util.concurrent).",
    "MixedDeadlock": "Deadlock: reader and flusher wait for each other for ever (monitors and locks of "
                     "java.util.concurrent).",
    "LockOrder": "Lock-order inversion: seller and returns acquire Stock N and Invoice N in opposite orders.",
    "RaceOnCounter": "Data race: {left and right|right and left} access RaceOnCounter.count, and nothing orders them.",
    "LostNotify": "Lost notify: consumer waits for a notify that came before it waited.",
    "Starving": "Starving thread: patient waited N % of its time for Printer N, which greedy acquires again and again.",
    "Churn": "Long pauses: N garbage collections stopped the program for N % of its time.",
    "Deoptimizing": "Deoptimized again and again: long Deoptimizing.sum(java.lang.Object[], int), N times.",
    "VirtualServer": "Hot lock: N threads waited N s in all for ReentrantLock N, which is held for N ms each time.",
}
FLAGS = {"Churn": ["-Xmx32m"], "RaceOnCounter": ["-XX:+DetectDataRaces"]}


def run(words, expected=0):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=180, cwd=WORK)
    assert done.returncode == expected, f"{words}: exit code {done.returncode}\n{done.stdout}{done.stderr}"
    return done.stdout


def is_missing(program):
    if program == "VirtualServer" and homes.release(JDK) < 21:
        left_out.append("left out: VirtualServer: the library has no virtual threads (--library 21, 25)")
        return True
    if program == "Deoptimizing" and not (VM.parent / "libkeyhole-llvm.so").exists():
        left_out.append("left out: Deoptimizing: the optimising tier, which is not built")
        return True
    return False


def recording(program, *flags):
    file = WORK / f"{program}.khr"
    if flags or not file.exists():
        run([VM, f"-XX:StartRecording={file}", *FLAGS.get(program, []), *flags, PROGRAMS / f"{program}.java"])
    return file


def text(program, *flags):
    return run([VM, "--show", recording(program, *flags), "--findings"])


def without_numbers(line):
    return re.sub(r"\b\d+(?:[.,]\d+)*\b", "N", line)


def forms(line):
    """The lines that a line with {A|B} stands for."""
    choice = re.search(r"\{(.*?)\|(.*?)\}", line)
    return [line[:choice.start()] + words + line[choice.end():] for words in choice.groups()] if choice else [line]


def check(program, said):
    first = without_numbers(said.splitlines()[0])
    assert first in forms(FIRST[program]), f"{program}: {first}\ninstead of: {FIRST[program]}\n{said}"


def the_first_line_of_each_program():
    problems = []
    for program in FIRST:
        if is_missing(program):
            continue
        try:
            check(program, text(program))
        except AssertionError as problem:
            problems.append(str(problem))
    assert not problems, "\n".join(problems)


def in_another_locking_mode():
    for program in ("MonitorDeadlock", "MixedDeadlock", "LockOrder", "LostNotify"):
        check(program, text(program, "-XX:LockingMode=cjm-by"))
        (WORK / f"{program}.khr").unlink()


def reasons_name_lines_and_owners():
    line = lambda program, words: next(number for number, text in enumerate(
        (PROGRAMS / f"{program}.java").read_text().splitlines(), 1) if words in text)
    said = text("LockDeadlock")
    place = f"LockDeadlock.transfer(LockDeadlock.java:{line('LockDeadlock', 'to.lock.lock()')})"
    since = f"LockDeadlock.transfer(LockDeadlock.java:{line('LockDeadlock', 'from.lock.lock()')})"
    for waiting, owner in (("alice", "bob"), ("bob", "alice")):
        assert re.search(rf"{waiting} waits for ReentrantLock \d+ at {re.escape(place)}, and {owner} holds it since "
                         rf"{re.escape(since)}\.", said), said
    said = text("MonitorDeadlock")
    since = f"MonitorDeadlock.java:{line('MonitorDeadlock', 'synchronized (from)')}"
    assert re.search(rf"alice waits for Account \d+ at .*, and bob holds it since .*{since}\)\.", said), said
    said = text("LostNotify")
    assert re.search(r"producer notified Mailbox \d+ at LostNotify\.lambda.*, when no thread waited\.\n"
                     r" *[\d.]+ ms later, consumer began to wait at LostNotify\.consume", said), said


def recordings_that_begin_in_a_running_vm():
    """A recording that jcmd starts after the deadlock has the threads, their locks, and the source lines."""
    jcmd, javac = (pathlib.Path(JDK) / "bin" / name for name in ("jcmd", "javac"))
    if not jcmd.exists():
        left_out.append("left out: recordings_that_begin_in_a_running_vm: this JDK has no jcmd")
        return
    classes = WORK / "classes"
    deadlocks = ["MonitorDeadlock", "LockDeadlock", "MixedDeadlock"]
    run([javac, "-d", classes, ROOT / "tests" / "launcher" / "recording" / "StaysAfter.java",
         *(PROGRAMS / f"{program}.java" for program in deadlocks)])
    for program, mode in [(each, "lightweight") for each in deadlocks] + [("MonitorDeadlock", "cjm-by")]:
        file = WORK / f"late-{program}.khr"
        process = subprocess.Popen([VM, f"-XX:LockingMode={mode}", "-cp", str(classes), "StaysAfter", program],
                                   stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        try:
            while (line := process.stdout.readline()) != "staying\n":
                assert line != "", f"{program} ended"
            pid = str(process.pid)
            run([jcmd, pid, "Recording.start", file])
            run([jcmd, pid, "Recording.stop"])
        finally:
            process.kill()
            process.wait()
        said = run([VM, "--show", file, "--findings"])
        check(program, said)
        events = [json.loads(row) for row in run([VM, "--show", file, "--to=json"]).splitlines()]
        states = {event["whose"]: event["state"] for event in events if event["event"] == "thread_state"}
        assert {"alice", "bob"} <= set(states) or {"reader", "flusher"} <= set(states), states
        if program != "MonitorDeadlock":
            continue
        source = (PROGRAMS / f"{program}.java").read_text().splitlines()
        line = next(number for number, text in enumerate(source, 1) if "synchronized (to)" in text)
        assert re.search(rf"alice waits for Account \d+ at .*{program}\.java:{line}\), and bob holds it\.", said), said
        held = [event for event in events if event["event"] == "lock_held" and event["thread"] in ("alice", "bob")]
        assert all(f"{program}.java:{line})" in event["at"] for event in held), held
        assert sorted(event["thread"] for event in held) == ["alice", "bob"], held
        assert all(event["levels"] == 1 for event in held), held


def orders_of_locks_of_java_util_concurrent():
    """LockOrders acquires two locks in opposite orders. The program's arguments are the kinds of the two locks, and
    words such as "try" for tryLock."""
    classes = WORK / "orders"
    run([pathlib.Path(JDK) / "bin" / "javac", "-d", classes,
         ROOT / "tests" / "launcher" / "recording" / "LockOrders.java"])
    source = (ROOT / "tests" / "launcher" / "recording" / "LockOrders.java").read_text().splitlines()
    acquires = next(number for number, line in enumerate(source, 1) if "outer.lock()" in line)
    file = WORK / "orders.khr"

    def said(*arguments, flags=()):
        run([VM, f"-XX:StartRecording={file}", *flags, "-cp", classes, "LockOrders", *arguments])
        return run([VM, "--show", file, "--findings"])

    for mode in ("-Xint", "-Xcomp"):
        text = said("reentrant", "reentrant", flags=[mode])
        first = without_numbers(text.splitlines()[0])
        assert first == "Lock-order inversion: left and right acquire ReentrantLock N and ReentrantLock N in opposite " \
                        "orders.", text
        assert re.search(rf"left acquired ReentrantLock \d+ at LockOrders\.both\(LockOrders\.java:{acquires}\), and then "
                         rf"ReentrantLock \d+ at LockOrders\.both", text), text
    assert "acquire ReentrantReadWriteLock" in said("write", "reentrant")
    mixed = said("reentrant", "monitor")
    assert re.search(r"Lock-order inversion: left and right acquire (ReentrantLock|Object) \d+ and (ReentrantLock|Object) "
                     r"\d+ in opposite orders\.", mixed), mixed
    assert said("reentrant", "reentrant", "try").startswith("Nothing stands out."), "tryLock does not wait"
    assert said("reentrant", "reentrant", "guarded").startswith("Nothing stands out."), "a third lock guards both"
    events = [json.loads(row) for row in run([VM, "--show", file, "--to=json"]).splitlines()]
    levels = {}
    for event in events:   # only outermost levels have events, and the holds of two threads do not overlap
        if event["thread"] not in ("left", "right"):
            continue
        if event["event"] == "synchronizer_acquired":
            assert levels.setdefault(event["object"], event["thread"]) == event["thread"], event
        elif event["event"] == "synchronizer_released":
            assert levels.pop(event["object"]) == event["thread"], event
    assert not levels, levels


def json_has_the_same():
    rows = [json.loads(row) for row in
            run([VM, "--show", recording("MonitorDeadlock"), "--findings", "--to=json"]).splitlines()]
    assert rows[0]["topic"] == "deadlock" and rows[0]["is_problem"], rows[0]
    said = "".join(part[0] for part in rows[0]["headline"])
    assert said == text("MonitorDeadlock").splitlines()[0], rows[0]
    places = [part[1] for row in rows for sentence in [row["headline"], *row["reasons"]] for part in sentence[1:]
              if len(part) == 2]
    assert {place["view"] for place in places} >= {"threads", "lock"}, places
    done = subprocess.run([VM, "--show", str(recording("MonitorDeadlock")), "--findings", "--thread=alice"],
                          capture_output=True, text=True)
    assert done.returncode == 2 and "--findings goes with" in done.stderr, done.stderr


def nothing_is_said_of_programs_without_problems():
    for example in ("Sieve", "DiningPhilosophers"):
        file = WORK / "quiet.khr"
        run([VM, f"-XX:StartRecording={file}", ROOT / "examples" / f"{example}.java"])
        said = run([VM, "--show", file, "--findings"])
        assert said.startswith("Nothing stands out.\n"), f"{example}: {said}"


def waits_show_locks_of_java_util_concurrent():
    rows = [json.loads(row) for row in
            run([VM, "--show", recording("MixedDeadlock"), "--waits", "--to=json"]).splitlines()]
    by_thread = {row["thread"]: row for row in rows if row["at_the_end"]}
    assert by_thread["reader"]["kind"] == "park" and by_thread["flusher"]["kind"] == "monitor", rows
    assert by_thread["reader"]["owner"] == "flusher" and by_thread["flusher"]["owner"] == "reader", rows
    assert by_thread["reader"]["class"].startswith("java.util.concurrent.locks.ReentrantLock"), rows
    assert "MixedDeadlock.read(MixedDeadlock.java:" in by_thread["reader"]["at"], rows
    if not is_missing("VirtualServer"):
        said = run([VM, "--show", recording("VirtualServer"), "--waits"])
        assert re.search(r", \d+ in the queue before it", said), said[:2000]


def on_the_page():
    """The page of --look opens with its view of findings. This view has the same findings as --show, with links to the
    other views."""
    if problem := browsers.missing():
        left_out.append(f"left out: on_the_page: {problem}")
        return
    if not (VM.parent / "look-page.html").exists():
        left_out.append("left out: on_the_page: there is no page (target look_page)")
        return
    with browsers.browser() as page:
        for program in ("MonitorDeadlock", "LockDeadlock", "Churn", "RaceOnCounter"):
            said = text(program).splitlines()
            run([VM, "--look", "--recording", recording(program), "--output", f"{program}.html"])
            page.open(WORK / f"{program}.html", "")
            assert page.run("return keyhole.state.shown.view") == "findings"
            shown = page.text(".findings")
            assert said[0] in shown, f"{program}: {said[0]} is not in {shown}"
            if program == "RaceOnCounter":
                continue
            page.run("document.querySelector('.finding.is-problem .headline .link').click()")
            page.frames()
            expected = "heap" if program == "Churn" else "threads"
            assert page.run("return keyhole.state.shown.view") == expected, program
            if program != "Churn":
                page.key("c")
                assert "a deadlock" in page.text(".chain"), page.text("body")
            if program == "LockDeadlock":
                page.key("f")
                page.run("[...document.querySelectorAll('.findings a')].find(a => /^ReentrantLock/.test(a.innerText)).click()")
                page.frames()
                assert page.run("return keyhole.state.shown.view") == "lock", program
                page.key(*["\ue010"])   # End
                label = page.run("return document.querySelector('.picture svg').getAttribute('aria-label')")
                assert label in ("bob holds the lock; alice want it", "alice holds the lock; bob want it"), label


def stuck_programs():
    """A program that cannot end is ended by SIGTERM: tasks that wait for their own pool, and a pool without shutdown()."""
    source = (ROOT / "docs" / "lessons" / "run" / "Orders.java").read_text()
    (WORK / "Unstopped.java").write_text(source.replace("class Orders", "class Unstopped").replace("pool.shutdown();", ""))

    def first_line(program, argument):
        file = WORK / f"{program.stem}-stuck.khr"
        process = subprocess.Popen([VM, f"-XX:StartRecording={file}", program, argument], cwd=WORK,
                                   stdout=subprocess.DEVNULL)
        # The program must start, and then be stuck for 200 ms (find_stuck.cpp S3). Nothing outside shows when it is.
        time.sleep(4)
        process.terminate()
        process.wait(timeout=30)
        return run([VM, "--show", file, "--findings"])

    # With two threads, the pool may start the second one for the task that the first one waits for.
    said = first_line(ROOT / "docs" / "lessons" / "run" / "Orders.java", "1")
    assert said.startswith("Stuck: main and pool-1-thread-1 wait, and no thread runs that could wake them.\n"
                           "    main is parked for FutureTask "), said
    said = first_line(WORK / "Unstopped.java", "3")
    assert said.startswith("Stuck: pool-1-thread-1, pool-1-thread-2 and pool-1-thread-3 wait, "), said
    assert "Threads of a pool that have no task wait so, until shutdown() ends them." in said, said


def main():
    shutil.rmtree(WORK, ignore_errors=True)
    WORK.mkdir(parents=True)
    tests = [the_first_line_of_each_program, reasons_name_lines_and_owners, recordings_that_begin_in_a_running_vm,
             orders_of_locks_of_java_util_concurrent, json_has_the_same,
             nothing_is_said_of_programs_without_problems, waits_show_locks_of_java_util_concurrent,
             stuck_programs, on_the_page, in_another_locking_mode]
    wanted = [word for word in sys.argv[1:] if not word.startswith("--")]
    return run_tests(by_name(tests), wanted, left_out, problems=Exception)


if __name__ == "__main__":
    sys.exit(main())
