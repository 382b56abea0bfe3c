#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""Tests keyhole --step: scripts with known output, steps forwards and backwards, schedules of --explore, the page, and
a client of the Debug Adapter Protocol.

step/NAME.steps is a script, and step/NAME.txt is its expected output (`KEYHOLE_BLESS=1` writes it). Other tests step
forwards and then backwards. At each point of the execution, the step backwards must print the same text as the step
forwards.
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

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
JDK = chosen_home()
VM = os.environ.get("KEYHOLE_VM", str(ROOT / "build" / "release" / "keyhole"))
CASES = ROOT / "tests" / "launcher" / "step"
WORK = ROOT / "build" / "step-tests"
CLASSES = WORK / "classes"


def step(*words, expected=0, commands=None):
    command = [VM, "--step", *(str(word) for word in words)]
    done = subprocess.run(command, input=commands, capture_output=True, text=True, timeout=120, cwd=WORK)
    assert done.returncode == expected, f"{command}: exit code {done.returncode}\n{done.stdout}{done.stderr}"
    return done.stdout if expected == 0 else done.stdout + done.stderr


def of_program(program, *commands, arguments=(), options=()):
    """Runs the program under `keyhole step`. Returns a list: the output of each command."""
    text = step(*options, f"--sources={CASES}", "-cp", CLASSES, program, *arguments,
                commands="\n".join(commands) + "\n")
    shown = re.split(r"\n> .*\n", text)
    assert len(shown) == len(commands) + 1, text
    return shown


def threads_of(shown):
    """Returns the lines about threads. Omits the lines about changes, because changes depend on the direction of the
    step."""
    return [line for line in shown.splitlines() if not line.startswith(("changed: ", "output: "))]


def scripts_print_the_expected():
    for script, program in [("race", "Bank"), ("deadlock", "Locks")]:
        text = step(f"--script={CASES / script}.steps", f"--sources={CASES}", "-cp", CLASSES, program)
        golden = CASES / f"{script}.txt"
        if os.environ.get("KEYHOLE_BLESS"):
            golden.write_text(text)
        # The number of events before the program's own depends on the class library.
        masked = [re.sub(r"\bat event \d+", "at event N", each) for each in (text, golden.read_text())]
        assert masked[0] == masked[1], f"{golden} differs:\n{text}"


def back_shows_what_forwards_showed():
    for program, verb, count in [("Bank", "s", 14), ("Bank", "a", 10), ("Locks", "y", 8), ("Bank", "i", 30)]:
        forwards = of_program(program, *[verb] * count)
        both = of_program(program, *[verb] * count, *[f"b {verb}"] * (count - 1))
        for i in range(1, count):
            there, back = threads_of(forwards[count - i]), threads_of(both[count + i])
            assert there == back, f"{program}, {i} x b {verb}: {back} instead of {there}"
    end, back, again = of_program("Bank", "c", "b", "c")[1:]
    assert "The program ends with exit code 0." in end and "output: left: " in end, end
    assert threads_of(end) == threads_of(again) and "Bank.java:" in back, back


def long_executions_go_back():
    far, back, write, again = of_program("Count", "u Count.java:13", "b", "b w sum", "c", arguments=["300000"])[1:]
    assert "Count.java:13" in far and "Count.java:10" in back, far + back
    assert "Count.java:11" in write and "output: 2050177040" in again, write + again


def every_thread_can_be_chosen():
    shown = of_program("Bank", "u Bank.java:20", "pick second", "s", "pick first", "s", "pick main", "pick nobody",
                       "c", "schedule")
    assert shown[2].startswith("  main") and "* second" in shown[2], shown[2]
    assert "* first" in shown[4] and "main cannot go on" not in shown[6], shown
    assert shown[7].strip() == "There is no thread nobody.", shown[7]
    assert "at event " in shown[9] and "goes on" in shown[9], shown[9]


def schedules_of_explore():
    token = WORK / "overdraw.khs"
    example = ROOT / "examples" / "Overdraw.java"
    subprocess.run([VM, "--explore", f"--save={token}", example], capture_output=True, cwd=WORK, check=False)
    text = step(f"--schedule={token}", example, commands="w balance\nw balance\nb\nc\nsave mine.khs\n")
    assert "The program fails: java.lang.AssertionError: overdrawn -60" in text, text
    again = step("--schedule=mine.khs", example, commands="c\n")
    assert "overdrawn -60" in again, again
    text = step(f"--schedule={token}", "-cp", CLASSES, "Bank", expected=2)
    assert "the schedule does not fit the program: " in text, text


def tokens_of_explore_fit():
    """Tests that `keyhole step` executes ten failing schedules, which --explore finds on this machine."""
    classes = WORK / "explored"
    subprocess.run([f"{JDK}/bin/javac", "-g", "-d", classes, ROOT / "tests/launcher/explore/Cases.java"], check=True)
    overdraw, counter = ROOT / "examples/Overdraw.java", ROOT / "examples/findings/RaceOnCounter.java"
    strategies = ["bounded", "dpor", "pct", "pos", "surw", "random"]
    explored = [([f"--strategy={strategy}"], [overdraw], "overdrawn -60") for strategy in strategies]
    explored += [([], [counter], "counted ")]
    explored += [([], ["-cp", classes, "Cases", name], words) for name, words in
                 [("lostInQueue", "lost 1"), ("deadlock", "no thread can go on"), ("lostNotify", "no thread can go on")]]
    for options, program, words in explored:
        token = WORK / "fits.khs"
        token.unlink(missing_ok=True)
        done = subprocess.run([VM, "--explore", f"--save={token}", *options, *program], capture_output=True, text=True,
                              cwd=WORK, timeout=120)
        assert done.returncode == 1 and token.exists(), done
        again = subprocess.run([VM, "--explore", f"--schedule={token}", *program], capture_output=True, text=True,
                               cwd=WORK, timeout=120)
        assert again.returncode == 1 and words in again.stdout, (program, options, again)
        text = step(f"--schedule={token}", *program, commands="schedule\nc\n")
        assert words in text, (program, options, text)
        # The VM under `keyhole step` executes the same events as the VM under --explore. So the schedule that `save`
        # writes equals the schedule that the stepper was given.
        step(f"--schedule={token}", *program, commands="c\nb\nsave saved.khs\n")
        assert (WORK / "saved.khs").read_text() == token.read_text(), (program, options)


def the_library_is_prepared_before_the_program():
    """Tests that the VM under `keyhole step` rehearses as the VMs under --explore do: it loads the library's classes before
    the program's first instruction, so the steps load only classes of the program."""
    classes = WORK / "explored"
    subprocess.run([f"{JDK}/bin/javac", "-g", "-d", classes, ROOT / "tests/launcher/explore/Cases.java"], check=True)
    text = step("-Xlog:class+load", "-cp", classes, "Cases", "lostInQueue", commands="c\n")
    loaded = re.findall(r"(Cases\$Body|java\.util\.concurrent\.ArrayBlockingQueue) source: ", text)
    assert loaded == ["Cases$Body"], text


def wrong_usage():
    (WORK / "wrong.steps").write_text("s\nfly\n")
    for words, problem in [([], "needs a program"), (["--script=none", "Bank"], "cannot read none"),
                           (["--schedule=wrong.steps", "Bank"], "is no schedule"),
                           (["--dap", "--page=x", "Bank"], "only one of"), (["-Xcomp", "Bank"], "interprets"),
                           (["--script=wrong.steps", "-cp", CLASSES, "Bank"], "line 2 of the script is wrong: fly")]:
        text = step(*words, expected=3)
        assert problem in text, text
    peterson = ROOT / "examples" / "Peterson.java"
    subprocess.run([VM, "--explore", "--memory=tso", "--save=buffered.khs", peterson], capture_output=True, cwd=WORK,
                   check=False)
    assert "is a schedule of --memory=tso" in step("--schedule=buffered.khs", peterson, expected=3)
    text = step("-cp", CLASSES, "Nothing", expected=1)
    assert "Could not find or load main class Nothing" in text, text
    assert "--schedule=FILE" in step("--help")


def page_has_all_steps():
    page = WORK / "bank.html"
    text = step(f"--page={page}", f"--sources={CASES}", "-cp", CLASSES, "Bank")
    html = page.read_text()
    data = json.loads(re.search(r'<script id="data" type="application/json">\n(.*?)\n</script>', html, re.S)[1])
    assert text.startswith(f"{page}: {len(data['steps'])} steps") and len(data["steps"]) > 15, text
    assert data["steps"][-1][0] == -1 and "Bank.java" in data["files"]
    shown = "".join(step[4] for step in data["steps"] if len(step) == 5)
    assert shown == "left: -10\n" or shown.startswith("left: "), shown
    texts = data["texts"]
    here = 1 + next(i for i, (runs, threads, *_) in enumerate(data["steps"]) for strand, name, _, place, *_ in threads
                    if strand == runs and texts[name] == "first" and texts[place] == "Bank.java:9")
    if shutil.which("chromium"):
        dom = subprocess.run(["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--dump-dom", f"file://{page}#{here}"],
                             capture_output=True, text=True, timeout=120).stdout
        assert f"{here} of {len(data['steps'])}" in dom and '<div class="thread runs"><b>first</b>' in dom, dom[-3000:]
        assert '<div class="here"><b>9</b>        int left = balance;</div>' in dom, dom[-3000:]
    step(f"--page={page}", f"--sources={CASES}", "-cp", CLASSES, "Count", "4900")
    assert len(page.read_bytes()) < 1_000_000, len(page.read_bytes())


class Client:
    """A client of the Debug Adapter Protocol."""

    def __init__(self, *words):
        self.process = subprocess.Popen([VM, "--step", "--dap", *map(str, words)], cwd=WORK, stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE)
        self.number = 0
        self.events = []

    def read(self):
        length = 0
        while (line := self.process.stdout.readline().strip()):
            length = int(line.split(b":")[1])
        assert length > 0, "the adapter has ended"
        return json.loads(self.process.stdout.read(length))

    def request(self, command, succeeds=True, **arguments):
        self.number += 1
        body = json.dumps({"seq": self.number, "type": "request", "command": command, "arguments": arguments}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.process.stdin.flush()
        while (message := self.read())["type"] == "event":
            self.events.append(message)
        assert message["request_seq"] == self.number and message["success"] == succeeds, message
        return message.get("body", message)

    def stopped(self):
        """Returns the next `stopped` event."""
        while not self.events or self.events[0]["event"] != "stopped":
            if self.events:
                self.events.pop(0)
            else:
                self.events.append(self.read())
        return self.events.pop(0)["body"]

    def where(self, thread):
        frames = self.request("stackTrace", threadId=thread)["stackFrames"]
        return frames[0]["line"] if frames else None


def debug_adapter():
    client = Client(f"--sources={CASES}", "-cp", CLASSES, "Bank")
    assert client.request("initialize", adapterID="keyhole")["supportsStepBack"]
    client.request("launch")
    answer = client.request("setBreakpoints", source={"path": "/somewhere/Bank.java"}, breakpoints=[{"line": 11}])
    assert answer["breakpoints"] == [{"verified": True, "line": 11}], answer
    client.request("configurationDone")
    main = client.stopped()
    assert main["reason"] == "entry" and client.where(main["threadId"]) == 6, main
    client.request("continue", threadId=1)
    first = client.stopped()
    threads = {each["id"]: each["name"] for each in client.request("threads")["threads"]}
    assert first["reason"] == "breakpoint" and threads[first["threadId"]] == "first", (first, threads)
    frame = client.request("stackTrace", threadId=first["threadId"])["stackFrames"][0]
    assert frame["line"] == 11 and frame["name"] == "Bank.withdraw" and frame["source"]["path"].endswith("Bank.java")
    scopes = client.request("scopes", frameId=frame["id"])["scopes"]
    values = {each["name"]: each["value"] for scope in scopes for each in
              client.request("variables", variablesReference=scope["variablesReference"])["variables"]}
    assert values["left"] == "100" and values["amount"] == "80" and values["Bank.balance"] == "100", values
    second = next(number for number, name in threads.items() if name.startswith("second"))
    client.request("pick", threadId=second)
    assert client.stopped()["threadId"] == second
    client.request("stepBack", threadId=second)
    assert client.stopped()["threadId"] == first["threadId"]
    client.request("reverseContinue", threadId=1)
    assert client.stopped()["reason"] == "entry"
    client.request("setBreakpoints", source={"path": "Bank.java"}, breakpoints=[])
    info = client.request("dataBreakpointInfo", name="Bank.balance")
    client.request("setDataBreakpoints", breakpoints=[{"dataId": info["dataId"]}])
    client.request("continue", threadId=1)
    client.stopped()
    client.request("continue", threadId=1)
    assert client.where(client.stopped()["threadId"]) == 11
    client.request("setDataBreakpoints", breakpoints=[])
    client.request("continue", threadId=1)
    assert client.stopped()["reason"] == "end"
    assert not client.request("flyAway", succeeds=False)["success"]
    bank = {"path": "Bank.java"}
    many = client.request("setBreakpoints", source=bank, breakpoints=[{"line": 1}] * 500)["breakpoints"]
    assert all(each["verified"] for each in many), many
    answer = client.request("setDataBreakpoints", breakpoints=[{"dataId": "Bank.balance"}] * 20)["breakpoints"]
    assert [each["verified"] for each in answer] == [True] * 12 + [False] * 8, answer
    assert answer[-1]["message"] == "More than 512 breakpoints are not possible.", answer
    many = client.request("setBreakpoints", source={"path": "Bank.java"},
                          breakpoints=[{"line": 1}] * 499 + [{"line": 11}, {"line": 12}])["breakpoints"]
    assert many[-2] == {"verified": True, "line": 11} and not many[-1]["verified"], many
    client.request("reverseContinue", threadId=1)  # line 11 has the 500th breakpoint, which must stop the program, too
    assert client.where(client.stopped()["threadId"]) == 11
    answer = client.request("setBreakpoints", source={"path": "x" * 200}, breakpoints=[{"line": 1}])["breakpoints"]
    assert not answer[0]["verified"], answer
    client.request("disconnect")
    assert client.process.wait(timeout=30) == 0
    client = Client()  # the editor names the program
    client.request("initialize", adapterID="keyhole")
    assert not client.request("launch", succeeds=False)["success"]
    client.request("launch", program=str(CASES / "Count.java"), args=["5"])
    client.request("setBreakpoints", source={"path": "Count.java"}, breakpoints=[{"line": 13}])
    client.request("configurationDone")
    client.stopped()
    client.request("continue", threadId=1)
    frame = client.request("stackTrace", threadId=client.stopped()["threadId"])["stackFrames"][0]
    assert frame["line"] == 13 and frame["source"]["path"] == str(CASES / "Count.java"), frame
    client.process.stdin.close()
    assert client.process.wait(timeout=30) == 0


if __name__ == "__main__":
    shutil.rmtree(WORK, ignore_errors=True)
    CLASSES.mkdir(parents=True)
    subprocess.run([f"{JDK}/bin/javac", "-g", "-d", CLASSES, *CASES.glob("*.java")], check=True)
    sys.exit(run_tests(by_name([scripts_print_the_expected, back_shows_what_forwards_showed, long_executions_go_back,
                                every_thread_can_be_chosen, schedules_of_explore, tokens_of_explore_fit,
                                the_library_is_prepared_before_the_program, wrong_usage,
                                page_has_all_steps, debug_adapter]), sys.argv[1:]))
