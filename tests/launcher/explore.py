#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""Tests keyhole --explore: known verdicts of programs, replays, both engines, and refused programs and options.

The explored programs are methods of explore/Cases.java. The verdict about each method is known: some schedule fails, or
every schedule succeeds.
"""
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time

from chosen_home import chosen_home
from test_loop import by_name, run_tests

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
JDK = chosen_home()
VM = os.environ.get("KEYHOLE_VM", str(ROOT / "build" / "release" / "keyhole"))
SOURCE = ROOT / "tests" / "launcher" / "explore" / "Cases.java"
WORK = ROOT / "build" / "explore-tests"
CLASSES = WORK / "classes"
REPORT = WORK / "report.json"


def explore(*words, expected=0, **options):
    command = [VM, "--explore", *(str(word) for word in words)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, cwd=WORK, **options)
    assert done.returncode == expected, f"{command}: exit code {done.returncode}\n{done.stdout}{done.stderr}"
    assert "\x1b" not in done.stdout + done.stderr
    return done.stdout


def refused(*words):
    done = subprocess.run([VM, "--explore", *(str(word) for word in words)], capture_output=True, text=True, cwd=WORK)
    assert done.returncode == 3, done
    return done.stderr


def case(name, *options, expected=0):
    """Explores a case. Returns the printed text, and the report as read from JSON."""
    REPORT.unlink(missing_ok=True)
    text = explore("--json", REPORT, *options, "-cp", CLASSES, "Cases", name, expected=expected)
    return text, json.loads(REPORT.read_text())


def completes(name, *options):
    text, report = case(name, "--strategy=dpor", *options)
    assert text.startswith("Complete: ") and report["complete"], text
    return report


def fails(name, pattern, *options):
    text, report = case(name, *options, expected=1)
    assert re.search(pattern, text), f"/{pattern}/ is not in:\n{text}"
    assert report["replayed"], text
    return text, report


def racing_programs_fail():
    text, report = fails("lostUpdate", r"=> java\.lang\.AssertionError: lost 1 \(main, Cases\.java:\d+\)")
    assert report["preemptions"] == 1 and "reads plain = 0" in text and "writes plain 0 -> 1" in text, text
    fails("deadlock", r"no thread can go on\n(.*\n)*  Thread-0 waits to lock an Object, which Thread-1 holds")
    fails("lostNotify", r"no thread can go on\n(.*\n)*  .*Thread-0 waits on an Object")
    fails("exitCode", r"exit code 7 instead of 0")


def scripts_show_what_matters():
    """The script of a deadlock has the acquisitions of the monitors that are held. A script has no accesses by which
    the library fills its caches."""
    lessons = ROOT / "docs" / "lessons" / "run"
    text = explore("--save=shelves.khs", lessons / "Shelves.java", expected=1)
    assert re.search(r"Shelves\.java:7 .*\n +locks an Object\n(.*\n)* +Shelves\.java:7 .*\n +locks an Object\n=> no thread",
                     text), text
    text = explore("--save=orders.khs", lessons / "Orders.java", "1", expected=1)
    assert "reads LinkedBlockingQueue.last = a Node" in text and text.count("   parks\n") == 2, text
    for word in ("MethodType", "VarHandle", "LockSupport", "[L"):
        assert word not in text, text


def sound_programs_complete():
    for name in ["lockedUpdate", "keptNotify", "atomicUpdate"]:
        completes(name)
    text, report = case("nothing")
    assert "never has two threads" in text and report["schedules"] == 1, text


def larger_programs_hold_up_to_a_bound():
    for name in ["park", "reentrant", "sleepLong", "interrupted"]:
        text, report = case(name, "--strategy=bounded", "--bound=1")
        assert report["finished_bound"] == 1 and report["verdict"] == "none", text


def outcomes_are_those_of_every_order():
    report = completes("storeBuffer", "--outcomes")
    assert set(report["outcomes"]) == {"0 1\n", "1 0\n", "1 1\n"}, report
    for words in [["--strategy=dpor"], ["--strategy=bounded", "--bound=1"], ["--strategy=random", "--schedules=50"]]:
        _, report = case("raceAfterStart", "--outcomes", *words)
        assert set(report["outcomes"]) == {"0\n", "1\n"}, report


def a_start_orders_what_came_before():
    for words in [["--strategy=dpor"], ["--strategy=bounded", "--bound=1"]]:
        _, report = case("writeBeforeStart", "--outcomes", *words)
        assert set(report["outcomes"]) == {"1\n"} and report["racing_places"] == 0, report


def samplers_find_faults():
    for strategy in ["random", "pct", "pos", "surw"]:
        fails("lostUpdate", "lost 1", f"--strategy={strategy}")
        fails("deadlock", "no thread can go on", f"--strategy={strategy}")


def engines_agree():
    def same(reports, *names):
        assert len({tuple(report[name] for name in names) for report in reports}) == 1, reports

    engines = ["pages", "fork", "rerun"]
    same([fails("lostUpdate", "lost 1", "--jobs=1", f"--rollback={engine}")[1] for engine in engines],
         "hash", "events", "schedules", "history")
    same([completes("lockedUpdate", f"--rollback={engine}") for engine in engines], "counted", "history")
    for name in ["queue", "interrupted"]:
        words = ["--strategy=random", "--schedules=30"]
        same([case(name, *words, f"--rollback={engine}")[1] for engine in engines[:2]], "kinds", "history")


def pages_are_rolled_back():
    for name in ["lockedUpdate", "queue", "storeBuffer", "sleepLong"]:
        _, report = case(name, "--strategy=random", "--schedules=15", "--rollback=pages", "--verify-rollback")
        assert report["verdict"] == "none" and report["schedules"] == 15, report
        # With sanitizers, or on kernels without Syscall User Dispatch, the engine `pages` is not available.
        assert report["rollback"] == "pages" or report["refused_call"] in [0, -1], report


def shards_make_the_whole():
    def shards(name, words, expected):
        files = [WORK / f"shard{i}.json" for i in range(1, 5)]
        for i, file in enumerate(files, 1):
            explore("--json", file, f"--shard={i}/4", *words, "-cp", CLASSES, "Cases", name,
                    expected=expected(i))
        return files

    words = ["--strategy=bounded", "--bound=1", "--outcomes"]
    _, whole = case("storeBuffer", *words)
    files = shards("storeBuffer", words, lambda i: 0)
    explore("--json", REPORT, "--merge", *files)
    merged = json.loads(REPORT.read_text())
    for name in ["counted", "kinds", "finished_bound", "complete", "verdict"]:
        assert merged[name] == whole[name], (name, whole, merged)
    assert set(merged["outcomes"]) == set(whole["outcomes"]), merged
    assert "the shard 2 of 4 is missing" in refused("--merge", files[0], files[2], files[3])
    assert "is there twice" in refused("--merge", files[0], *files)
    assert "is no report of a shard" in refused("--merge", REPORT)
    # Each shard explores a part of the schedules. A merged report has the schedules of all shards, and fails if one
    # shard failed.
    files = shards("queue", ["--strategy=pos", "--schedules=4"], lambda i: 0)
    explore("--json", REPORT, "--merge", *files)
    assert json.loads(REPORT.read_text())["draws"] == 12
    files = shards("exitCode", ["--strategy=bounded", "--save=shard.khs"], lambda i: 1)
    text = explore("--merge", *files, expected=1)
    assert "exit code 7 instead of 0" in text and "writes plain" in text, text


def jobs_make_the_same_whole():
    """A complete exploration has the same schedules with any number of workers. An exploration up to a bound of
    preemptions has the same schedules, too."""
    figures = ["counted", "history", "finished_bound", "complete", "verdict", "strategy"]
    for name, words, compared in [("lockedUpdate", ["--strategy=bounded", "--bound=1", "--outcomes"],
                                   [*figures, "kinds"]),
                                  ("storeBuffer", ["--strategy=bounded", "--bound=1", "--outcomes"],
                                   [*figures, "kinds"]),
                                  ("lockedUpdate", [], figures), ("nothing", [], [*figures, "kinds"])]:
        (alone_text, alone), *others = [case(name, *words, f"--jobs={jobs}") for jobs in [1, 2, 4]]
        assert alone["verdict"] == "none" and alone["stopped"] == "", alone
        for text, report in others:
            for figure in compared:
                assert report[figure] == alone[figure], (name, words, figure, alone, report)
            assert set(report["outcomes"]) == set(alone["outcomes"]), (name, alone, report)
            assert re.sub(r"[\d.]+ s\)", "", text) == re.sub(r"[\d.]+ s\)", "", alone_text), (alone_text, text)


def jobs_find_failures():
    for jobs in [2, 4]:
        for words in [[], ["--strategy=bounded"], ["--strategy=pct"]]:
            (WORK / "job.khs").unlink(missing_ok=True)
            fails("lostUpdate", "lost 1", f"--jobs={jobs}", "--save=job.khs", *words)
            fails("lostUpdate", "lost 1", "--schedule=job.khs")
    _, report = case("queue", "--strategy=random", "--schedules=7", "--jobs=2")
    assert report["schedules"] == 7 and report["stopped"].startswith("after "), report
    text, report = case("queue", "--for=4", "--jobs=2")  # one worker searches, the other draws
    assert text.startswith("Stopped after 4 s"), text
    assert report["draws"] > 0 and report["strategy"] == "bounded, dpor, pct, pos, surw, random", report
    assert "a shard has one process" in refused("--jobs=2", "--shard=1/2", "Cases")
    assert "has no parts" in refused("--jobs=2", "--strategy=dpor", "Cases")
    assert "does not take '0'" in refused("--jobs=0", "Cases")


def damaged_reports_are_refused():
    file = WORK / "damaged.json"
    explore("--json", file, "--shard=1/2", "--strategy=random", "--schedules=2", "-cp", CLASSES, "Cases", "queue")
    good = file.read_text()
    for name, value in [("schedules", "-1"), ("schedules", "99999999999999999999"), ("counted", "many"), ("shard", "3"),
                        ("shard", "0"), ("racing_places", "4294967296"), ("finished_bound", "1e3"), ("seconds", "-1"),
                        ("all_kinds", '"1:2000000000 "'), ("all_kinds", '"1"'), ("all_kinds", '"xyz:1"'),
                        ("outcomes", '{"a": 18446744073709551615}')]:
        text, count = re.subn(f'"{name}": .*,\n', f'"{name}": {value},\n', good)
        assert count == 1, name
        file.write_text(text)
        done = subprocess.run([VM, "--explore", "--merge", file], capture_output=True, text=True, cwd=WORK, timeout=60)
        assert done.returncode == 2 and done.stdout == "", (name, value, done)
        assert re.fullmatch(r"keyhole: .*damaged.json is damaged: .*\n", done.stderr), done.stderr


def limits_of_pages_end_in_a_sentence():
    text, report = case("manyPages", "--rollback=pages", "-Xmx800m", expected=2)
    if report["rollback"] == "pages":
        assert text.startswith("Stopped at a limit: out of memory"), text
        assert "--rollback=fork has no such limit.\nUntil then 0 schedules" in text, text
    text, report = case("manyPages", "--rollback=fork", "--schedules=3", "-Xmx800m")
    assert report["schedules"] == 3, text


def estimates_count_draws():
    text, report = case("queue", "--strategy=bounded", "--bound=0", "--schedules=3")
    assert report["draws"] == 0 and "Good-Turing" not in text, text
    text, report = case("queue", "--strategy=random", "--schedules=5")
    assert report["draws"] == 4 and "Good-Turing" in text, text  # the first schedule is the default one


def schedules_repeat():
    _, first = fails("lostUpdate", "lost 1", "--save=lost.khs")
    for _ in range(5):
        _, again = fails("lostUpdate", "lost 1", "--schedule=lost.khs")
        assert again["hash"] == first["hash"]
        # --explore does not shrink the schedule of a replay. The command executes the schedule three times: first to
        # replay it, then again because the replay has failed, and a third time to collect the texts of the report.
        assert again["executions"] == 3, again
    # Replays the schedule also without randomised addresses, and by the engine that boots the VM for each schedule.
    words = ["setarch", "--addr-no-randomize", VM, "--explore", "--rollback=rerun", "--json", str(REPORT),
             "--schedule=lost.khs", "-cp", str(CLASSES), "Cases", "lostUpdate"]
    if shutil.which("setarch"):
        done = subprocess.run(words, capture_output=True, text=True, timeout=300, cwd=WORK)
        assert done.returncode == 1, done.stdout + done.stderr
        assert json.loads(REPORT.read_text())["hash"] == first["hash"]
    text = explore("--schedule=lost.khs", "-cp", CLASSES, "Cases", "deadlock", expected=2)
    assert "does not fit the schedule: " in text, text
    (WORK / "wrong.khs").write_text("no schedule\n")
    explore("--schedule=wrong.khs", "-cp", CLASSES, "Cases", "deadlock", expected=3)


def loops_that_wait_end():
    text, report = case("waitByLoop", "--strategy=bounded", "--bound=1")
    assert report["verdict"] == "none", text


def uncontrolled_programs_are_refused():
    for name, words in [("process", "starts a process"), ("socket", "opens a socket"), ("file", "for writing")]:
        text, _ = case(name, expected=2)
        assert words in text and re.search(r"at Cases\.java:\d+", text), text
    assert not (WORK / "written-by-explore.txt").exists()


def limits_stop():
    text, report = case("queue", "--strategy=random", "--schedules=5")
    assert report["schedules"] == 5 and text.startswith("Stopped after"), text
    begin = time.monotonic()
    text, report = case("queue", "--strategy=random", "--for=1")
    assert time.monotonic() - begin < 60 and text.startswith("Stopped after 1 s"), text
    text, report = case("queue", "--strategy=bounded", "--for=1")
    assert report["stopped"] == "after 1 s" and text.startswith("Stopped after 1 s"), text


def the_running_schedule_ends_in_time():
    """A schedule that does not end on its own would count as a limit after 30 s. So the exploration must end it."""
    for words in [["--jobs=1"], ["--jobs=1", "--rollback=fork"], ["--jobs=1", "--rollback=rerun"], ["--jobs=2"],
                  ["--shard=1/2"], []]:
        begin = time.monotonic()
        text, report = case("endless", "--for=3", *words)
        assert time.monotonic() - begin < 25, (words, text)
        assert re.match(r"Stopped after 3 s and \d+ schedules? of \d+ kinds?\. None fails\.", text), (words, text)
        assert re.search(r"^\d+ schedules? (was|were) still running: (it was|they were) ended", text, re.M), (words, text)
        assert report["unfinished"] >= 1 and report["verdict"] == "none" and not report["complete"], (words, report)
        assert report["kinds"] <= report["schedules"], (words, report)
    # The schedules before it are in the report.
    text, report = case("endless", "--for=3", "--jobs=1", "--strategy=bounded")
    assert report["schedules"] >= 1 and report["unfinished"] == 1 and report["finished_bound"] is None, report


def control_c_reports():
    for jobs in [1, 2]:
        control_c_reports_with(jobs, "queue")
        text = control_c_reports_with(jobs, "endless")
        assert "still running" in text, text


def control_c_reports_with(jobs, name):
    command = [VM, "--explore", "--strategy=random", f"--jobs={jobs}", "-cp", str(CLASSES), "Cases", name]
    running = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=WORK, start_new_session=True)
    time.sleep(2)
    os.killpg(running.pid, signal.SIGINT)
    text, _ = running.communicate(timeout=20)
    assert running.returncode == 0 and text.startswith("Stopped by a signal"), text
    return text


def wrong_usage():
    for words in [[], ["--strategy=dfs", "Cases"], ["--bound", "x", "Cases"], ["--nonsense=1", "Cases"],
                  ["--memory=weak", "Cases"], ["-Xcomp", "-cp", CLASSES, "Cases"],
                  ["-XX:LockingMode=legacy", "-cp", CLASSES, "Cases"]]:
        explore(*words, expected=3)
    assert "Usage: " in explore("--help")


def example():
    text = explore("--save=overdraw.khs", ROOT / "examples" / "Overdraw.java", expected=1)
    assert "Overdraw.java:9 if (balance >= amount) balance -= amount;" in text, text
    assert "=> java.lang.AssertionError: overdrawn -60" in text, text


if __name__ == "__main__":
    shutil.rmtree(WORK, ignore_errors=True)
    CLASSES.mkdir(parents=True)
    subprocess.run([f"{JDK}/bin/javac", "-d", CLASSES, SOURCE], check=True)
    sys.exit(run_tests(by_name([racing_programs_fail, scripts_show_what_matters, sound_programs_complete,
                                larger_programs_hold_up_to_a_bound,
                                outcomes_are_those_of_every_order, a_start_orders_what_came_before,
                                samplers_find_faults, engines_agree,
                                pages_are_rolled_back, shards_make_the_whole, jobs_make_the_same_whole,
                                jobs_find_failures, damaged_reports_are_refused,
                                limits_of_pages_end_in_a_sentence,
                                estimates_count_draws,
                                schedules_repeat, loops_that_wait_end, uncontrolled_programs_are_refused, limits_stop,
                                the_running_schedule_ends_in_time, control_c_reports, wrong_usage, example]),
                       sys.argv[1:]))
