#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""Tests thread dumps, deadlock reports and signals: the same program runs on java and on Keyhole, and everything that
does not vary from run to run is compared.

Addresses become A, B ... in the order in which a dump names them, so that the threads' waits are compared, too. Threads
that only one VM has (compilers, collectors) are omitted by name.
"""
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time

from chosen_home import chosen_home

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
JDK = chosen_home()
JAVA = str(JDK / "bin/java")
VM = os.environ.get("KEYHOLE_VM", str(ROOT / "build" / "release" / "keyhole"))
WORK = ROOT / "build" / "thread-dump-tests"
SECONDS = 300   # time limit of a step that takes a second on an idle machine

passed, failed = 0, 0


def check(name, expected, found):
    global passed, failed
    if expected == found:
        passed += 1
        return
    failed += 1
    import difflib
    def lines(value):
        return value.splitlines() if isinstance(value, str) else [repr(value)]
    print(f"FAILED {name}")
    print(
        "\n".join(
            "    " + line
            for line in list(difflib.unified_diff(lines(expected), lines(found), "java", "keyhole", lineterm="", n=2))[
                :60
            ]
        ),
        flush=True,
    )


class Running:
    """A program whose output goes to a file. wait_for(pattern) reads the file as it grows."""

    def __init__(self, vm, arguments, environment=None):
        self.path = WORK / f"out-{time.monotonic_ns()}"
        self.file = open(self.path, "wb")
        # The program ignores no signal, although this script may have been started by a shell in the background, which
        # makes its children ignore SIGINT. It gets a process group of its own.
        def default_signals():
            for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGHUP, signal.SIGTERM):
                signal.signal(number, signal.SIG_DFL)
        self.process = subprocess.Popen(
            [vm] + arguments,
            cwd=WORK,
            stdout=self.file,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
            preexec_fn=default_signals,
            start_new_session=True,
            env=environment,
        )

    def text(self):
        return self.path.read_text(errors="replace")

    def wait_for(self, pattern, count=1):
        end = time.monotonic() + SECONDS
        while len(re.findall(pattern, self.text())) < count:
            if time.monotonic() > end or (
                self.process.poll() is not None and len(re.findall(pattern, self.text())) < count
            ):
                return False
            time.sleep(0.01)
        return True

    def send(self, number):
        self.process.send_signal(number)

    def finish(self):
        try:
            code = self.process.wait(SECONDS)
        except subprocess.TimeoutExpired:
            code = "does not end"
            self.process.kill()
            self.process.wait()
        self.file.close()
        return code


def without_addresses(text):
    names = {}
    def letter(match):
        return names.setdefault(match.group(0), f"<{len(names)}>")
    text = re.sub(r"\$\$Lambda(\$\d+)?/0x[0-9a-f]+", "$$Lambda", text)
    return re.sub(r"0x[0-9a-f]{16}", letter, text)


def threads_of(dump):
    """Returns {name: the dump's lines about the thread, without numbers that vary}."""
    result = {}
    for section in dump.split("\n\n"):
        match = re.match(
            r'"([^"]*)" (#\d+ )?(?:\[(\d+)\] )?(daemon )?(prio=\d+ )?os_prio=\S+ cpu=\d+\.\d\dms elapsed=\d+\.\d\ds tid=0x[0-9a-f]{16} nid=(0x[0-9a-f]+|\3) (.*?)(?:  \[0x[0-9a-f]{16}\]|  )$',
            section.split("\n")[0],
        )
        if match:
            rest = "\n".join(section.split("\n")[1:])
            result[match.group(1)] = (
                f"{'daemon' if match.group(4) else ''} {match.group(5)} {match.group(7)}\n{without_addresses(rest)}"
            )
    return result


def deadlocks_of(dump):
    start = dump.find("Found one Java-level deadlock")
    if start < 0:
        return []
    end = re.search(r"Found \d+ deadlocks?\.", dump)
    text = dump[start:end.end()]
    # The VMs print different addresses for a monitor, so M replaces the address.
    text = re.sub(r"waiting to lock monitor 0x[0-9a-f]{16} ", "waiting to lock monitor M ", text)
    cycles = text.split("\nFound ")
    # A VM may list the threads of a deadlock beginning with any of them, so the test sorts the threads by name.
    told = []
    for cycle in cycles:
        parts = re.split(r'\n(?=")', cycle)
        told.append(without_addresses("\n".join([parts[0]] + sorted(part.strip() for part in parts[1:]))))
    return sorted(told)


def compare_dumps():
    dumps = []
    for vm in (JAVA, VM):
        program = Running(vm, ["-cp", "classes", "ThreadStates"])
        ready = program.wait_for(r"(?m)^ready$")
        if ready:
            program.send(signal.SIGQUIT)
            program.wait_for(r"(?m)^Heap\n")
            time.sleep(0.2)
            program.send(signal.SIGQUIT)   # again: the dispatcher goes on
            program.wait_for(r"(?m)^Heap\n", 2)
        program.send(signal.SIGTERM)
        check(f"{vm}: SIGTERM after dumps", 143, program.finish())
        text = program.text()
        check(f"{vm}: two dumps", 2, len(re.findall(r"(?m)^Full thread dump ", text)))
        check(f"{vm}: shutdown hook", 1, len(re.findall(r"(?m)^hook$", text)))
        dumps.append(text[: text.rfind("Full thread dump ")])
    # 25.0.5 has a line with the version of the library below this one, and no colon.
    check(
        "date line",
        True,
        all(re.search(r"(?m)^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\nFull thread dump .*:?$", dump) for dump in dumps),
    )
    java, keyhole = threads_of(dumps[0]), threads_of(dumps[1])
    # Keyhole starts the Common-Cleaner only when there is something to clean.
    own = {
        "Common-Cleaner",
        "Service Thread",
        "Monitor Deflation Thread",
        "Sweeper thread",
        "Notification Thread",
        "VM Periodic Task Thread",
        "VM Thread",
        "sayer",
    }  # says "ready", and has ended or is about to
    for name, expected in java.items():
        if name in own or "Compiler" in name or re.match(r"G1|GC|Parallel|Serial", name):
            continue
        if "State: RUNNABLE" in expected:   # HotSpot says when a thread of its own sleeps inside the VM
            expected = expected.replace("waiting on condition", "runnable")
        check(f'thread "{name}"', expected, keyhole.get(name, "missing"))
    check("deadlocks", "\n\n".join(deadlocks_of(dumps[0])), "\n\n".join(deadlocks_of(dumps[1])))


def compare_signals():
    for number, code in ((signal.SIGTERM, 143), (signal.SIGINT, 130), (signal.SIGHUP, 129)):
        results = []
        for vm in (JAVA, VM):
            program = Running(vm, ["-cp", "classes", "ThreadStates"])
            program.wait_for(r"(?m)^ready$")
            program.send(number)
            results.append((program.finish(), program.text()))
        check(f"{number.name}: java's exit code", code, results[0][0])
        check(f"{number.name}: exit code and output", results[0], results[1])
    # If the parent process ignores SIGHUP, the VM ignores it, too, as nohup requires.
    for vm in (JAVA, VM):
        done = subprocess.run(
            ["bash", "-c", f"trap '' HUP; {vm} -cp classes Ignored"],
            cwd=WORK,
            capture_output=True,
            text=True,
            timeout=SECONDS,
        )
        check(f"{vm}: ignored SIGHUP", ("alive\n", 0), (done.stdout, done.returncode))


def deadlock_reports():
    """-XX:+DetectDeadlocks exists in Keyhole only."""
    source = str(ROOT / "examples" / "Deadlock.java")
    report = (
        r'Found one Java-level deadlock:\n=+\n"(left-then-right|right-then-left)":\n  waiting to lock monitor 0x[0-9a-f]{16} '
        r'\(object 0x[0-9a-f]{16}, a java\.lang\.Object\),\n  which is held by "(right-then-left|left-then-right)"'
    )
    for arguments, code in (([source, "1"], 0), (["-cp", "classes", "ExitInDeadlock"], 3)):
        done = subprocess.run(
            [VM, "-XX:+DetectDeadlocks"] + arguments, cwd=WORK, capture_output=True, text=True, timeout=SECONDS
        )
        check(f"DetectDeadlocks {arguments[-1]}: exit code", code, done.returncode)
        check(f"DetectDeadlocks {arguments[-1]}: one report", 1, len(re.findall(report, done.stdout)))
        check(f"DetectDeadlocks {arguments[-1]}: summary", 1, done.stdout.count("Found 1 deadlock.\n"))
    done = subprocess.run([VM, source, "1"], cwd=WORK, capture_output=True, text=True, timeout=SECONDS)
    check("no report without the flag", "left-then-right is BLOCKED\nright-then-left is BLOCKED\n", done.stdout)


def temporary_classes():
    """Without a folder for a cache, the VM compiles a source file into a temporary folder. The VM removes this folder
    however the program ends."""
    temporary = WORK / "tmp"
    environment = dict(os.environ, HOME="/proc/nowhere", TMPDIR=str(temporary))
    environment.pop("XDG_CACHE_HOME", None)
    for argument, code in (("return", 0), ("exit", 3), ("throw", 1)):
        shutil.rmtree(temporary, ignore_errors=True)
        temporary.mkdir()
        done = subprocess.run(
            [VM, "Ends.java", argument], cwd=WORK, capture_output=True, text=True, timeout=SECONDS, env=environment
        )
        check(f"temporary classes, {argument}: exit code", code, done.returncode)
        check(
            f"temporary classes, {argument}: left behind",
            [],
            sorted(p.name for p in temporary.iterdir() if not p.name.startswith("hsperf")),
        )
    shutil.rmtree(temporary, ignore_errors=True)
    temporary.mkdir()
    program = Running(VM, ["Ends.java", "sleep"], environment)
    program.wait_for("ready")
    program.send(signal.SIGTERM)
    check("temporary classes, SIGTERM: exit code", 143, program.finish())
    check(
        "temporary classes, SIGTERM: left behind",
        [],
        sorted(p.name for p in temporary.iterdir() if not p.name.startswith("hsperf")),
    )


def runtime_arguments():
    options = ["--add-exports", "java.base/jdk.internal.misc=ALL-UNNAMED"]
    given = ["-Xmx64m", "-Dx=y", "-ea", "-XX:+UseTLAB", "-Xss1m"]
    found = []
    for vm in (JAVA, VM):
        done = subprocess.run(
            [vm] + options + given + ["-cp", "classes", "Arguments", "-Dnot=mine"],
            cwd=WORK,
            capture_output=True,
            text=True,
            timeout=SECONDS,
        )
        found.append(done.stdout.splitlines() + [done.stderr])
    check("VM.getRuntimeArguments", found[0], found[1])


def failed_starts():
    """A VM that cannot start ends at once, and SIGTERM ends a VM that is still starting."""
    # The address space is reduced step by step, until even the heap, the main thread or the first threads of Java have
    # no room.
    for kilobytes in (4_000_000, 1_000_000, 500_000, 300_000, 200_000, 150_000, 100_000):
        done = subprocess.run(
            ["bash", "-c", f"ulimit -v {kilobytes}; exec {VM} -Xmx32m -cp classes Ends return"],
            cwd=WORK,
            capture_output=True,
            text=True,
            timeout=SECONDS,
        )
        check(
            f"{kilobytes} KiB of address space: exit code and a reason",
            True,
            done.returncode == 0 or (done.returncode in (1, 127) and done.stdout + done.stderr != ""),
        )
    for delay in (0.0, 0.01, 0.03, 0.1, 0.2):
        program = Running(VM, ["-cp", "classes", "Ends", "sleep"])
        time.sleep(delay)
        program.send(signal.SIGTERM)
        check(f"SIGTERM {delay} s after the start", True, program.finish() in (-15, 143))


def native_threads_run_out():
    """If the address space has room for only a few threads, the program gets java's error, and the VM continues."""
    done = subprocess.run(
        ["bash", "-c", f"ulimit -v 1900000; exec {VM} -Xmx64m -cp classes Exhaust"],
        cwd=WORK,
        capture_output=True,
        text=True,
        timeout=SECONDS,
    )
    check(
        "no more native threads",
        (
            "java.lang.OutOfMemoryError: unable to create native thread: possibly out of memory or process/resource limits reached\n"
            "again after others ended\n",
            0,
        ),
        (re.sub(r"(?m)^\[.*Failed to start thread.*\n", "", done.stdout), done.returncode),
    )


SOURCES = {
    "Ignored.java": "public class Ignored { public static void main(String[] a) throws Exception {\n"
    '  new ProcessBuilder("kill", "-HUP", "" + ProcessHandle.current().pid()).start().waitFor(); Thread.sleep(100); System.out.println("alive"); } }',
    "ExitInDeadlock.java": "public class ExitInDeadlock { public static void main(String[] a) throws Exception {\n"
    "  Object l = new Object(), r = new Object(); var both = new java.util.concurrent.CountDownLatch(2);\n"
    '  Thread one = locker("left-then-right", l, r, both), two = locker("right-then-left", r, l, both);\n'
    "  while (one.getState() != Thread.State.BLOCKED || two.getState() != Thread.State.BLOCKED) Thread.sleep(1);\n"
    "  System.exit(3); }\n"
    "  static Thread locker(String name, Object a, Object b, java.util.concurrent.CountDownLatch both) { Thread t = new Thread(() -> { synchronized (a) {\n"
    "    both.countDown(); try { both.await(); } catch (InterruptedException e) { } synchronized (b) { } } }, name); t.start(); return t; } }",
    "Ends.java": "public class Ends { public static void main(String[] a) throws Exception { switch (a[0]) {\n"
    '  case "exit": System.exit(3); case "throw": throw new Exception("on purpose");\n'
    '  case "sleep": System.out.println("ready"); Thread.sleep(1000000); default: } } }',
    "Arguments.java": "public class Arguments { public static void main(String[] a) { for (String s : jdk.internal.misc.VM.getRuntimeArguments()) System.out.println(s); } }",
    "Exhaust.java": "import java.util.*; import java.util.concurrent.*;\n"
    "public class Exhaust { public static void main(String[] a) throws Exception {\n"
    "  CountDownLatch end = new CountDownLatch(1); List<Thread> all = new ArrayList<>();\n"
    '  try { for (int i = 0; i < 100000; i++) { Thread t = new Thread(null, () -> { try { end.await(); } catch (InterruptedException e) { } }, "t" + i, 16 << 20); t.start(); all.add(t); }\n'
    '    System.out.println("never exhausted"); }\n'
    "  catch (OutOfMemoryError e) { System.out.println(e); }\n"
    "  end.countDown(); for (Thread t : all) t.join();\n"
    '  Thread again = new Thread(() -> System.out.println("again after others ended")); again.start(); again.join(); } }',
}


def main():
    shutil.rmtree(WORK, ignore_errors=True)
    (WORK / "classes").mkdir(parents=True)
    for name, text in SOURCES.items():
        (WORK / name).write_text(text)
    subprocess.run(
        [
            str(JDK / "bin/javac"),
            "--add-exports",
            "java.base/jdk.internal.misc=ALL-UNNAMED",
            "-d",
            str(WORK / "classes"),
            str(ROOT / "tests/launcher/ThreadStates.java"),
        ]
        + [str(WORK / name) for name in SOURCES],
        check=True,
    )
    compare_dumps()
    compare_signals()
    deadlock_reports()
    temporary_classes()
    runtime_arguments()
    failed_starts()
    native_threads_run_out()
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
