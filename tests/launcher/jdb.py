#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""Attaches jdb to a VM, and drives jdb through a pipe: jdb shows threads, frames, locals, fields and exceptions.
Keyhole refuses commands that it does not support, and the session continues. Each answer of jdb about Keyhole is
compared with the answer about java.

    jdb.py [--library N] [--all]

The program is tests/launcher/jdwp/Session.java. The VM runs in the default configuration and with -Xcomp; with `--all`
also interpreted and under GC stress. KEYHOLE_VM names another executable.
"""
import os
import pathlib
import re
import select
import subprocess
import sys
import time

from chosen_home import chosen_home

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
JDK = chosen_home()
VM = os.environ.get("KEYHOLE_VM", str(ROOT / "build" / "release" / "keyhole"))
WORK = ROOT / "build" / "jdb-tests"
PROMPT = re.compile(r"(?:^|\n)(?:> |[\w-]+\[\d+\] )")
SECONDS = 60

# (command, whether Keyhole refuses it). The test does not compare the answer to a refused command.
LOOK = [
    ("suspend", False), ("threads", False), ("where MAIN", False), ("thread MAIN", False), ("locals", False),
    ("up WORK", False), ("locals", False), ("print this.name", False), ("dump this", False),
    ("print numbers[1]", False), ("print Session.counter", False), ("print Session.ticks", False), ("print Session.ticks", False),
    ("print nosuch", False), ("fields Session", False),
    ("methods Session", False), ("stop in Session.divide", True), ("watch Session.counter", True), ("step", True),
    ("catch java.lang.ArithmeticException", False), ("catch caught java.lang.IllegalArgumentException", False),
    ("catch all java.lang.ClassCastException", False), ("threadgroups", False), ("resume", False),
]


class Ended(Exception):
    pass


class Debugger:
    def __init__(self, address):
        self.process = subprocess.Popen(
            [str(JDK / "bin" / "jdb"), "-attach", address], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, env={**os.environ, "HOME": str(WORK)}, cwd=WORK)
        self.text = ""

    def read(self, is_complete):
        """Reads jdb's output until is_complete(text) holds for the text so far."""
        deadline = time.monotonic() + SECONDS
        while not is_complete(self.text):
            ready, _, _ = select.select([self.process.stdout], [], [], max(0, deadline - time.monotonic()))
            if not ready:
                raise Ended(f"jdb does not answer; so far: {self.text!r}")
            data = os.read(self.process.stdout.fileno(), 65536)
            if not data:
                raise Ended(f"jdb has ended: {self.text}")
            self.text += data.decode()
        text, self.text = self.text, ""
        return text

    def ask(self, command):
        if command.startswith(("print", "dump")):   # a thread of its own answers
            self.go_on(command)
            return self.read(lambda text: re.search(r"( = |Exception).*\n(.*[^,\n]\n)*[\w-]+\[\d+\] $", text))
        # Sends a command that has no effect. Its error message marks the end of the answer.
        self.process.stdin.write(f"{command}\nnosuchcommand\n".encode())
        self.process.stdin.flush()
        return self.read(lambda text: "Unrecognized command" in text and PROMPT.search(text.split("Unrecognized")[1]))

    def go_on(self, command):
        self.process.stdin.write(f"{command}\n".encode())
        self.process.stdin.flush()


def normalised(text):
    text = re.sub(r"Unrecognized command.*\n?", "", text)
    text = PROMPT.sub("\n", text)
    text = re.sub(r"\(id=\d+\)", "(id=N)", text)
    text = re.sub(r"\)\d+", ")N", text)
    text = re.sub(r"ticks(:| =) \d+", r"ticks\1 N", text)
    text = re.sub(r"\bticker\s+(running|cond\. waiting)", "ticker runs or parks", text)   # it does both in turn
    lines = {re.sub(r"\s+", " ", line).strip() for line in text.splitlines()}
    return sorted(line for line in lines - {"", ">"} if not re.fullmatch(r"[\w-]+\[\d+\]", line))


def session(command, is_java=False):
    """Runs a whole session of jdb. Returns its answers with their commands, and the program's output."""
    program = subprocess.Popen(
        [*command, "-agentlib:jdwp=transport=dt_socket,server=y,suspend=n,address=127.0.0.1:0", "-cp", str(WORK),
         "Session"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    debugger, answers = None, []
    try:
        address = program.stdout.readline().rpartition(" ")[2].strip()
        debugger = Debugger(f"127.0.0.1:{address}")
        debugger.read(lambda text: "Initializing jdb" in text and "> " in text.split("Initializing jdb")[1])
        main, work = "?", "1"
        deadline = time.monotonic() + SECONDS
        while main == "?" and time.monotonic() < deadline:   # until it waits
            found = re.search(r"\((?:java\.lang\.Thread|java.lang.VirtualThread)\)(\d+)\s+main\s+(cond\. waiting)?",
                              debugger.ask("threads"))
            main = found[1] if found and found[2] else "?"
        for look, refused in LOOK:
            answer = "" if refused and is_java else debugger.ask(look.replace("MAIN", main).replace("WORK", work))
            answers.append((look, refused, answer))
            if found := re.search(r"\[(\d+)\] Session.work", answer):
                work = str(int(found[1]) - 1)
        ticks = [text for name, _, text in answers if name == "print Session.ticks"]
        answers.append(("a thread counts though all are suspended", False, str(len(set(ticks)) > 1)))
        program.stdin.close()
        program.stdin = None
        while True:
            happened = debugger.read(lambda text: re.search(r"\n[\w-]+\[1\] |application exited|disconnected", text))
            answers.append(("event", False, happened))
            if "exited" in happened or "disconnected" in happened:
                break
            answers.append(("where", False, debugger.ask("where")))
            debugger.go_on("cont")
            debugger.text = re.sub(r"^(?:\n?> )+", "", debugger.text)
        out, err = program.communicate(timeout=SECONDS)
        return [(name, refused, normalised(text)) for name, refused, text in answers], (out, err, program.returncode)
    except Ended as end:
        return [("end", False, [str(end)])], ("", "", None)
    finally:
        for process in (program, debugger.process if debugger else None):
            if process is not None and process.poll() is None:
                process.kill()
                process.wait()


def without_the_vm(lines):
    """Returns the text without threads that only one VM has, and without the frames of reflection."""
    own = re.compile(r"Signal Dispatcher|Notification Thread|Common-Cleaner|InnocuousThread|Reference Handler|Finalizer"
                     r"|DelayScheduler|ForkJoinPool|VirtualThreads|CarrierThreads"
                     r"|java\.lang\.invoke\.|jdk\.internal\.reflect\.")
    return [re.sub(r"^\[\d+\]", "[n]", line) for line in lines if not own.search(line)]


def differences(expected, found):
    if found[0][-1][0] == "end":
        yield found[0][-1][2][0]
        return
    for (name, refused, java), (_, _, keyhole) in zip(expected[0], found[0]):
        if refused:
            if not any("is not supported on the target VM" in line for line in keyhole):
                yield f"{name}: is not refused: {keyhole}"
            continue
        java, keyhole = without_the_vm(java), without_the_vm(keyhole)
        if java != keyhole:
            yield f"{name}:\n    java:    {java}\n    keyhole: {keyhole}"
    if len(expected[0]) != len(found[0]):
        yield f"{len(found[0])} answers, java has {len(expected[0])}: {found[0][-1]}"
    if expected[1] != found[1]:
        yield f"the program: {found[1]}, by java {expected[1]}"


def main():
    WORK.mkdir(parents=True, exist_ok=True)
    subprocess.run([str(JDK / "bin" / "javac"), "-g", "-d", str(WORK),
                    str(ROOT / "tests" / "launcher" / "jdwp" / "Session.java")], check=True)
    configurations = ["", "-Xcomp"]
    if "--all" in sys.argv:
        configurations += ["-Xint", "-XX:GCStressInterval=300 -XX:+VerifyAfterGC"]
    expected = session([str(JDK / "bin" / "java")], is_java=True)
    if "-v" in sys.argv:
        for answer in expected[0]:
            print(answer)
        print(expected[1])
    passed = failed = 0
    for configuration in configurations:
        found = session([VM, *configuration.split()])
        wrong = list(differences(expected, found))
        for difference in wrong:
            print(f"FAILED {configuration or 'default'}: {difference}")
        failed += len(wrong)
        passed += len(expected[0]) - len(wrong)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
