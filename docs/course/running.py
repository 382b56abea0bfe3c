# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""Runs answers and observes them by a recording, by the VM's counters, or by its log."""

import json
import os
import pathlib
import re
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
VM = pathlib.Path(os.environ.get("KEYHOLE_VM", str(ROOT / "build" / "release" / "keyhole")))
SECONDS = 120


class NotYet(Exception):
    """Raised if the answer is not right yet. The text gives the reason to the person who wrote the answer."""


class Unable(Exception):
    """Raised if the answer cannot be judged."""


def demand(fact, reason):
    if not fact:
        raise NotYet(reason)


def one_word(answer):
    if len(answer) != 1:
        raise Unable(f"this exercise takes one answer, not {len(answer)}")
    return answer[0]


def source(answer):
    path = pathlib.Path(one_word(answer))
    if path.suffix != ".java" or not path.is_file():
        raise Unable(f"this exercise takes a source file, NAME.java; there is no file {path}")
    return path.resolve()


def output_of(words, refusal):
    """Returns what a command prints. Raises NotYet with `refusal` when it fails."""
    if not pathlib.Path(words[0]).exists():
        raise Unable(f"{words[0]} is not built: ./run-tests --configure && cmake --build --preset release")
    try:
        done = subprocess.run([str(word) for word in words], capture_output=True, text=True, errors="replace",
                              timeout=SECONDS, stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        raise NotYet(f"{refusal}: it does not end within {SECONDS} s") from None
    if done.returncode != 0:
        last = (done.stderr + done.stdout).strip().splitlines()[-3:]
        raise NotYet(f"{refusal}: exit code {done.returncode}: {' / '.join(last)}")
    return done.stdout


def run(program, flags=()):
    return output_of([VM, *flags, program], f"{program.name} must end normally")


class Recording:
    """The events of a program's run, as keyhole --show prints them."""

    def __init__(self, program, flags=()):
        self._folder = tempfile.TemporaryDirectory(prefix="keyhole-judge-")
        self.file = pathlib.Path(self._folder.name) / "run.khr"
        self.output = run(program, [f"-XX:StartRecording={self.file}", *flags])

    def shown(self, *options):
        lines = output_of([VM, "--show", self.file, "--to=json", *options], "the recording cannot be read")
        return [json.loads(line) for line in lines.splitlines()]

    def events(self, *kinds, subject=None):
        options = [f"--event={','.join(kinds)}"] if kinds else []
        if subject is not None:
            options.append(f"--class={subject}")
        return self.shown(*options)

    def by_object(self, *kinds, subject="Subject"):
        """Returns a list of events for each object of a class of this name, top-level or nested."""
        objects = {}
        for event in self.events(*kinds):
            if is_called(event.get("class", ""), subject):
                objects.setdefault(event["object"], []).append(event)
        demand(objects, f"no event of this kind names an object of a class {subject}")
        return list(objects.values())


def explored(program, bound):
    """Returns the report of --explore about all schedules with at most `bound` preemptions."""
    with tempfile.TemporaryDirectory(prefix="keyhole-judge-") as folder:
        report = pathlib.Path(folder) / "report.json"
        words = [VM, "--explore", "--strategy=bounded", f"--bound={bound}", f"--json={report}",
                 f"--save={folder}/schedule.khs", program]
        done = subprocess.run([str(word) for word in words], capture_output=True, text=True, errors="replace",
                              timeout=SECONDS, stdin=subprocess.DEVNULL)
        demand(report.exists(), f"--explore cannot run it: {' / '.join(done.stderr.strip().splitlines()[-3:])}")
        return json.loads(report.read_text())


def is_called(name, subject):
    return re.split(r"[.$]", name)[-1] == subject


def kinds_of(events):
    return [event["event"] for event in events]


def contains_in_order(sequence, wanted):
    rest = iter(sequence)
    return all(any(each == one for each in rest) for one in wanted)


def counters(program, mode, flags=()):
    """Runs the program; returns {name: count} of the counters that -XX:+PrintLockStatistics prints."""
    text = run(program, [f"-XX:LockingMode={mode}", "-XX:+PrintLockStatistics", *flags])
    return {name: int(count) for count, name in re.findall(r"^ +(\d+)  (\w+)", text, re.MULTILINE)}
