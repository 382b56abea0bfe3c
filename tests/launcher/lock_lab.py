#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""Tests `keyhole lock`: the command makes, checks, builds and runs locks outside the VM, and explains the faults of
wrong locks.

    tests/launcher/lock_lab.py [--all] [NAME ...]      --all: every wrong lock

A wrong lock is the lock that `lock new` writes, with one edit. Either the compiler refuses it with a message at the
author's line, or the model checker finds the fault and prints the schedule as a script.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree

from test_loop import by_name, run_tests

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
VM = os.environ.get("KEYHOLE_VM", str(ROOT / "build" / "release" / "keyhole"))
WORK = ROOT / "build" / "lock-lab-tests"
EXAMPLES = ROOT / "examples" / "locks"
ALL = "--all" in sys.argv

# name: (old text, new text, pattern of the expected message, whether it runs always (1) or only with --all (0))
REFUSED = {
    "no_arrive": ("bool arrive(", "bool arriving(", r"no bool arrive\(Thread\*, Node&, Held&\)", 1),
    "void_arrive": (
        "bool arrive(Thread*, Node&, Held&) {\n    if (taken.cas(0, 1, acq_rel)) return true;\n"
        "    waiting.fetch_add(1, relaxed);\n    return false;",
        "void arrive(Thread*, Node&, Held&) {\n    waiting.fetch_add(1, relaxed);",
        r"no bool arrive\(Thread\*, Node&, Held&\)",
        0,
    ),
    "no_await": ("void await(", "void wait(", r"no void await\(Thread\*, Node&, Held&\)", 0),
    "no_depart": ("void depart(Thread* self, Node&, Held&)", "void depart(Thread* self)", r"no void depart\(", 1),
    "no_is_free": ("bool is_free()", "bool free_now()", r"no bool is_free\(\) const", 0),
    "no_node": ("struct Node {", "struct Element {", r"mylock.h:\d+", 0),
    "no_held": ("struct Held {};", "struct Kept {};", r"mylock.h:\d+", 0),
    "large_node": ("struct Held {};", "struct Held { u64 values[3]; };", "Held is larger than 16 bytes", 1),
    "standard_cell": ("Atomic<u32> taken{0};", "std::atomic<u32> taken{0};", "must not use 'atomic'.*use Atomic<T>", 1),
    "per_thread": ("Atomic<u32> taken{0};", "static thread_local int mine;", "must not use 'thread_local'", 1),
    "mutex": ("struct Held {};", "struct Held {};\n  std::mutex inner;", "must not use 'mutex'", 0),
    "sleeps": ("crowd.changed(self);", "usleep(1);", "must not use 'usleep'", 0),
    "assembly": ("crowd.changed(self);", 'asm("mfence");', "must not use 'asm'", 0),
    "clock": ("crowd.changed(self);", "std::chrono::milliseconds pause(1);", "must not use 'chrono'", 0),
    "allocates": ("crowd.changed(self);", "free(malloc(1));", "must not use '(malloc|free)'", 0),
    "nameless": ("KEYHOLE_LOCK(", "// KEYHOLE(", "no KEYHOLE_LOCK", 1),
    "not_cpp": ("taken.store(0, release);", "taken.store(0, release)", r"does not compile:\n.*mylock.h:\d+", 1),
}
FOUND = {
    "no_exclusion": ("if (taken.cas(0, 1, acq_rel)) return true;", "taken.cas(0, 1, acq_rel);\n    return true;", "", 1),
    "reads_then_writes": (
        "if (taken.cas(0, 1, acq_rel)) return true;",
        "if (taken.load(acquire) == 0) {\n      taken.store(1, release);\n      return true;\n    }",
        "",
        1,
    ),
    "wakes_nobody": ("    crowd.changed(self);\n", "", "nobody will wake it", 1),
    "wakes_before": (
        "taken.store(0, release);\n    crowd.changed(self);", "crowd.changed(self);\n    taken.store(0, release);",
        "nobody will wake it", 0
    ),
    "leaks": ("taken.load(relaxed) == 0 &&", "taken.load(relaxed) == 7 &&", "in use at the end", 1),
    "freed_too_early": ("&& waiting.load(relaxed) == 0", "", "", 0),
    "unordered": ("taken.store(0, release)", "taken.store(0, relaxed)", "", 0),
}

COUNTS = """public class Counts {
    static int sum;
    static synchronized void add() { sum++; }
    public static void main(String[] arguments) throws Exception {
        Thread[] threads = new Thread[8];
        for (int i = 0; i < threads.length; ++i) {
            Runnable body = () -> { for (int n = 0; n < 2000; ++n) add(); };
            threads[i] = new Thread(body);
            threads[i].start();
        }
        for (Thread thread : threads) thread.join();
        System.out.println(sum);
    }
}
"""

HEADERS = """public class Headers {
    static final Object[] objects = new Object[1000];
    static final int[] counts = new int[1000], hashes = new int[1000];
    static int turns;
    static volatile boolean same = true;

    static void check(int i) {
        if (System.identityHashCode(objects[i]) != hashes[i]) same = false;
    }
    static void lockAll(int thread) {
        for (int i = 0; i < objects.length; ++i) {
            synchronized (objects[i]) {
                // Some objects get their hash code while they are locked, the others before.
                if (i % 2 == 1 && counts[i] == 0) hashes[i] = System.identityHashCode(objects[i]);
                synchronized (objects[i]) {
                    counts[i] += 3;
                    check(i);
                }
            }
            if (i % 250 == thread) System.gc();
        }
    }
    static void takeTurns(int mine) throws InterruptedException {
        for (int i = 0; i < 300; ++i) {
            synchronized (objects[0]) {
                while (turns % 2 != mine) objects[0].wait();
                ++turns;
                check(0);
                objects[0].notifyAll();
            }
        }
    }
    public static void main(String[] arguments) throws Exception {
        for (int i = 0; i < objects.length; ++i) {
            objects[i] = i % 3 == 0 ? new int[i % 7] : new Object();
            if (i % 2 == 0) hashes[i] = System.identityHashCode(objects[i]);
        }
        Thread[] threads = new Thread[4];
        for (int t = 0; t < threads.length; ++t) {
            int number = t;
            threads[t] = new Thread(() -> {
                lockAll(number);
                try {
                    if (number < 2) takeTurns(number);
                } catch (InterruptedException unexpected) {
                    same = false;
                }
            });
            threads[t].start();
        }
        for (Thread thread : threads) thread.join();
        int sum = 0;
        for (int i = 0; i < objects.length; ++i) {
            sum += counts[i];
            check(i);
        }
        System.out.println(sum + " " + turns + " " + same);
    }
}
"""


def lock(*words, expected=0, **options):
    done = subprocess.run([VM, "lock", *map(str, words)], capture_output=True, text=True, timeout=300, cwd=WORK, **options)
    assert done.returncode == expected, f"lock {words}: exit code {done.returncode}\n{done.stdout[-3000:]}{done.stderr}"
    return done


def refusal(*words, **options):
    done = lock(*words, expected=2, **options)
    assert done.stdout == "" and done.stderr.startswith("keyhole lock: "), done
    return done.stderr


def run_under(value, *words, expected=0, **options):
    done = subprocess.run(
        [VM, f"-XX:LockingMode={value}", *map(str, words)], capture_output=True, text=True, timeout=120, cwd=WORK,
        **options
    )
    assert done.returncode == expected, f"{value} {words}: exit code {done.returncode}\n{done.stdout}{done.stderr}"
    return done


def new_lock():
    path = WORK / "mylock.h"
    path.unlink(missing_ok=True)
    lock("new", "mylock")
    return path


def a_new_lock_is_sound():
    new_lock()
    shown = lock("check", "mylock.h", "--states", 1000).stdout
    assert re.search(r"^ok +mylock +three-visits .* states", shown, re.M), shown
    assert re.search(r"^ok +virtual-mylock ", shown, re.M) and re.search(r"^\d\d passed, 0 failed$", shown, re.M), shown


def examples_are_sound():
    for path in sorted(EXAMPLES.glob("*.h")):
        shown = lock("check", path, "--states", 1000).stdout
        assert re.search(r"^\d\d passed, 0 failed$", shown, re.M), shown


def edited(text, old, new):
    assert text.count(old) == 1, old
    return text.replace(old, new)


def wrong_locks_are_refused():
    path = new_lock()
    text = path.read_text()
    for name, (old, new, said, often) in REFUSED.items():
        if not often and not ALL:
            continue
        path.write_text(edited(text, old, new))
        shown = refusal("check", "mylock.h")
        assert re.search(said, shown, re.S), f"{name}: {shown}"
        sentence = "does not compile" not in shown and len(shown.splitlines()) == 1
        assert sentence or name in ("not_cpp", "no_node", "no_held"), f"{name}: {shown}"


def wrong_locks_are_found():
    path = new_lock()
    text = path.read_text()
    for name, (old, new, said, often) in FOUND.items():
        if not often and not ALL:
            continue
        path.write_text(edited(text, old, new))
        shown = lock("check", "mylock.h", expected=1).stdout
        assert said in shown and "Again: keyhole lock check mylock.h --scenario" in shown, f"{name}: {shown[-2000:]}"
        assert re.search(r"^=> ", shown, re.M), f"{name} has no script"


def programs_run_under_the_examples():
    philosophers = ROOT / "examples" / "DiningPhilosophers.java"
    for path in sorted(EXAMPLES.glob("*.h")):
        for flags in ([], ["-XX:GCStressInterval=100", "-XX:+VerifyAfterGC"]):
            assert run_under(path, *flags, "Counts.java").stdout == "16000\n", path
        assert run_under(path, philosophers).stdout == run_under("lightweight", philosophers).stdout, path


def a_lock_is_compiled_once():
    """A lock that has been compiled runs without a compiler, until its file changes."""
    path = new_lock()
    run_under("./mylock.h", "Counts.java")
    nowhere = dict(os.environ, PATH="/nowhere")
    assert run_under("./mylock.h", "Counts.java", env=nowhere).stdout == "16000\n"
    path.write_text(path.read_text() + "// changed\n")
    assert "There is no clang++-19" in run_under("./mylock.h", "-version", expected=2, env=nowhere).stderr


def programs_are_compared():
    shown = subprocess.run(
        [VM, "--compare-locks", "--runs", "1", "--no-recording", "--modes", "pthread,./mylock.h", "Counts.java"],
        capture_output=True, text=True, timeout=120, cwd=WORK
    )
    assert shown.returncode == 0 and re.search(r"^\./mylock\.h +\d", shown.stdout, re.M), shown


def an_object_runs_only_under_its_build():
    built = WORK / "ticket.so"
    lock("build", EXAMPLES / "ticket.h", built)
    assert run_under("./ticket.so", "Counts.java").stdout == "16000\n"
    modes = run_under("./ticket.so", "-XX:+PrintLockingModes", "-version").stdout
    assert re.search(r"^Ticket .* FIFO$", modes, re.M), modes
    content = built.read_bytes()
    start = content.index(b"compact ")
    built.write_bytes(content[: start + 9] + b"?" + content[start + 10 :])
    assert "another build of Keyhole" in run_under("./ticket.so", "-version", expected=2).stderr
    (WORK / "empty.so").write_bytes(b"")
    assert "another build of Keyhole" in run_under("./empty.so", "-version", expected=2).stderr


def only_trusted_files_are_loaded():
    path = WORK / "shared.h"
    shutil.copy(EXAMPLES / "mcs.h", path)
    path.chmod(0o666)
    for shown in (refusal("check", "shared.h"), run_under("./shared.h", "-version", expected=2).stderr):
        assert "code that runs in this process, and others may write it" in shown, shown
    path.chmod(0o644)
    link = WORK / "link.h"
    link.unlink(missing_ok=True)
    link.symlink_to(path)
    assert "code that runs in this process" in refusal("check", "link.h")
    for variable in ("JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "JDK_JAVA_OPTIONS"):
        environment = dict(os.environ, **{variable: "-XX:LockingMode=./shared.h"})
        done = subprocess.run([VM, "-version"], capture_output=True, text=True, timeout=60, cwd=WORK, env=environment)
        assert done.returncode == 2 and f"not from {variable}" in done.stderr, done
    environment = dict(os.environ, KEYHOLE_OPTIONS="-XX:LockingMode=./shared.h")
    subprocess.run([VM, "-version"], capture_output=True, check=True, timeout=60, cwd=WORK, env=environment)


def mutants_are_found():
    """`lock check --mutants` reports a fault in every mutant of the lock that `lock new` writes. If the lock itself
    fails the check, the command tries no mutants."""
    path = new_lock()
    if ALL:
        shown = lock("check", "mylock.h", "--mutants", "--states", 1000).stdout
        assert re.search(r"^found +line +\d+: the CAS is a load and a store: a race", shown, re.M), shown
        assert re.search(r"^found +line +\d+: the wake-up is left out: . is parked", shown, re.M), shown
        assert re.search(r"^(\d+) of \1 mutants found", shown, re.M), shown
    path.write_text(edited(path.read_text(), "    crowd.changed(self);\n", ""))
    assert "mylock.h is not sound itself" in refusal("check", "mylock.h", "--mutants", "--states", 1000)


def locks_work_in_each_layout():
    """The executable of each header layout exports the names that a lock needs. An object keeps its hash code while it
    is locked, waited on and moved, whether the hash code is in the header, beside it, or comes from the address."""
    for executable, flags in {
        "keyhole": [],
        "keyhole-classic": ["-XX:-UseCompactObjectHeaders"],
        "keyhole-tiny": ["-XX:+UseTinyObjectHeaders"],
    }.items():
        if not (pathlib.Path(VM).parent / executable).exists():
            continue
        for path in sorted(EXAMPLES.glob("*.h")):
            assert run_under(path, *flags, "Headers.java").stdout == "12000 600 true\n", (executable, path)
        stressed = run_under(EXAMPLES / "hapax.h", *flags, "-XX:GCStressInterval=1000", "-XX:+VerifyAfterGC", "Headers.java")
        assert stressed.stdout == "12000 600 true\n", executable
        new_lock()
        assert run_under("./mylock.h", *flags, "Counts.java").stdout == "16000\n", executable


def locks_are_measured():
    shown = lock("simulate", EXAMPLES / "mcs.h", "--cpus", 8, "--threads", "1,4", "--seconds", 0.0005, "--never-park").stdout
    assert len(re.findall(r"^(Mcs|cjm-fifo) +[14] +1 +200 ", shown, re.M)) == 4, shown
    assert not re.search(r"^Mcs .*\n.* parks ", shown, re.M), shown
    shown = lock("bench", EXAMPLES / "mcs.h", "--threads", 2, "--seconds", 0.05, "--beside", "pthread").stdout
    assert re.search(r"^Mcs +2 ", shown, re.M) and re.search(r"^pthread +2 ", shown, re.M), shown


def lines_of_hand_overs_are_shown():
    """The table of each lock has the source lines of that lock. For a lock outside the VM, the table has the author's
    lines and the library's lines that they call. For a lock of the VM, the table has lines of the VM."""
    options = ("--where", "--csl", 0, "--ncsl", 0, "--threads", 4, "--seconds", 0.0005)
    shown = lock("simulate", EXAMPLES / "mcs.h", *options).stdout
    row = r"^ +{} +\d+\.\d +\d+\.\d +\d+\.\d\d +\d+\.\d\d +\d+\.\d\d +\d+\.\d\d +\d+\.\d +{}"
    opens = [n + 1 for n, text in enumerate((EXAMPLES / "mcs.h").read_text().splitlines()) if "gate.open(self)" in text]
    assert re.search(row.format("exit", rf"mcs\.h:{opens[0]}, gate\.h:\d+ +mine\.next\.load"), shown, re.M), shown
    assert re.search(row.format("enter", r"cjm_\w+\.h:\d+ "), shown, re.M), shown
    assert len(re.findall(r"^ +a hand-over takes \d", shown, re.M)) == 2, shown
    shown = lock("simulate", "hashchains,monitor", *options).stdout
    assert re.search(r"^hashchains +4 ", shown, re.M) and re.search(row.format("enter", r"object_monitor\.h:\d+"), shown, re.M)
    shown = lock("simulate", EXAMPLES / "mcs.h", *options, "--dear-shared-writes").stdout
    assert re.search(r"^Mcs +4 ", shown, re.M), shown


def a_report_is_one_page():
    new_lock()
    assert lock("report", "mylock.h", "Counts.java").stdout == "mylock.report.html is written.\n"
    page = (WORK / "mylock.report.html").read_text()
    parts = xml.etree.ElementTree.fromstring(page.split("\n", 1)[1].replace('<meta charset="utf-8">', ""))
    plots = parts.findall(".//svg")
    assert [len(plot.findall("polyline")) for plot in plots] == [4, 4], page[:3000]
    assert "mylock" in [text.text for text in plots[0].findall("text")]
    assert "0 failed" in page and "<td>exit code</td><td>0</td><td>0</td>" in page and "<td>slow_enters</td>" in page
    assert "takes the file of a lock, a program" in refusal("report", "mylock.h")
    assert "there is no file Nothing.java" in refusal("report", "mylock.h", "Nothing.java")


def bad_words_get_a_sentence():
    assert "there is a mylock.h already" in (new_lock(), refusal("new", "mylock"))[1]
    for words, said in {
        ("new",): "takes one name",
        ("new", "1st"): "not the name of a C++ class",
        ("check",): "takes the file of a lock",
        ("check", "nowhere.h"): "There is no file",
        ("check", "mylock.h", "--states", "many"): "--states takes a number",
        ("check", "mylock.h", "--scenario"): "--scenario takes a value",
        ("check", "mylock.h", "--speed"): "not '--speed'",
        ("check", "mylock.h", "--scenario", "nothing"): "no scenario",
        ("simulate", "mylock.h", "--threads", "1,x"): "takes numbers with commas",
        ("bench", "mylock.h", "--cpus", "2"): "not '--cpus'",
        ("bench", "mylock.h", "--where"): "not '--where'",
        ("simulate", "mylock"): "There is no file",
        ("simulate", "monitor,mylock"): "There is no file",
        ("build",): "takes the file of a lock",
        ("build", "mylock.h", "mylock"): "does not end in .so",
    }.items():
        shown = refusal(*words)
        assert said in shown and len(shown.splitlines()) == 1, shown
    assert "There is no clang++-19 on the PATH" in refusal("build", "mylock.h", env=dict(os.environ, PATH="/nowhere"))
    assert "There is no file" in run_under("./nowhere.h", "-version", expected=2).stderr
    assert "neither a .h file nor the .so" in run_under("./nowhere", "-version", expected=2).stderr
    # If the word after `lock` is not one of its commands, `lock` is the name of a class to run.
    done = subprocess.run([VM, "lock", "me"], capture_output=True, text=True, timeout=60, cwd=WORK)
    assert "ClassNotFoundException: lock" in done.stderr, done


def main():
    shutil.rmtree(WORK, ignore_errors=True)
    WORK.mkdir(parents=True)
    (WORK / "Counts.java").write_text(COUNTS)
    (WORK / "Headers.java").write_text(HEADERS)
    os.environ["XDG_CACHE_HOME"] = str(WORK / "cache")
    tests = by_name(
        [
            a_new_lock_is_sound,
            examples_are_sound,
            wrong_locks_are_refused,
            wrong_locks_are_found,
            programs_run_under_the_examples,
            a_lock_is_compiled_once,
            programs_are_compared,
            an_object_runs_only_under_its_build,
            only_trusted_files_are_loaded,
            mutants_are_found,
            locks_work_in_each_layout,
            locks_are_measured,
            lines_of_hand_overs_are_shown,
            a_report_is_one_page,
            bad_words_get_a_sentence,
        ]
    )
    return run_tests(tests, [word for word in sys.argv[1:] if word != "--all"])


if __name__ == "__main__":
    sys.exit(main())
