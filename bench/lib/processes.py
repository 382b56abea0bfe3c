# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""Runs programs to their end. If a program fails, the whole command ends, and prints the program's output."""

import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import threading
import time

LONGEST_SECONDS = 600


def output_of(command, seconds=LONGEST_SECONDS):
    """Runs the command and returns its output. Ends this program if the command fails."""
    words = [str(word) for word in command]
    done = subprocess.run(words, capture_output=True, text=True, timeout=seconds)
    if done.returncode != 0:
        sys.exit(f"{' '.join(words)} failed:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done.stdout


def measured(command):
    """Runs a process. Returns (output and errors, wall seconds, CPU seconds, peak resident KiB)."""
    with tempfile.TemporaryFile("w+") as out:
        start = time.perf_counter()
        process = subprocess.Popen([str(word) for word in command], stdout=out, stderr=subprocess.STDOUT)
        limit = threading.Timer(LONGEST_SECONDS, process.kill)
        limit.start()
        _, status, usage = os.wait4(process.pid, 0)
        limit.cancel()
        seconds = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        text = out.read()
    if process.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))} failed:\n{text[-2000:]}")
    return text, seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss


def timed(command):
    """Runs a process. Returns (output, wall seconds, CPU seconds)."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    text = output_of(command)
    seconds = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return text, seconds, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


SMALL_PARENT = """
import resource, subprocess, sys, time
start = time.perf_counter()
subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=True)
print((time.perf_counter() - start) * 1e3, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""


def measured_small(command):
    """Returns (wall milliseconds, peak resident KiB) of the command, started by a Python process without modules. A
    child shares its parent's memory until it executes the command, and the kernel counts that memory in the child's
    peak. So a parent that is larger than the command would hide the command's own peak."""
    wall, peak = output_of([sys.executable, "-S", "-E", "-c", SMALL_PARENT, *command]).split()
    return float(wall), int(peak)


def json_lines(command):
    """Runs the command, and returns the lines of JSON that it prints, each with the CPU seconds of the whole
    process."""
    output, _, cpu_seconds = timed(command)
    return [{**json.loads(line), "process_cpu_seconds": cpu_seconds} for line in output.splitlines() if line[:1] == "{"]


def json_results(command, file):
    """Runs mutexbench or gangbench, and returns the results that it writes to `file`. The file is kept."""
    file = pathlib.Path(file)
    file.parent.mkdir(parents=True, exist_ok=True)
    output_of(list(command) + ["--json", file], seconds=None)
    return json.loads(file.read_text())["results"]
