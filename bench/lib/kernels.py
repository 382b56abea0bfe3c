# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""Compiles and runs the Java programs of bench/kernels."""

import re
import subprocess
import sys

from lib import processes
from lib.jvms import JDK
from lib.places import CLASSES, KERNEL_SOURCES

KERNELS = [
    "Sieve",
    "Fib",
    "NBody",
    "Matrix",
    "HashMapKernel",
    "SortKernel",
    "StringKernel",
    "VirtualDispatch",
    "InterfaceDispatch",
    "Exceptions",
    "Allocation",
    "Streams",
]
OBJECTS = [
    "TaskScheduler",
    "ConstraintSolver",
    "LoopFinder",
    "Collisions",
    "JsonText",
    "DoubleMatrices",
    "TextReports",
    "WordTables",
    "SortedRecords",
    "ObjectStreams",
]
REFLECTION = ["Invocations", "FieldReads"]
SYNCHRONIZED = ["SyncBlock", "SyncMethod", "SyncStatic"]
MUTEX_LINE = re.compile(r"(\d+) iterations/s, most (\d+), least (\d+), Jain ([\d.]+), in a row ([\d.]+)")
SHARES_LINE = re.compile(r"(\d+) operations/s, most (\d+), least (\d+), Jain ([\d.]+)")


def compile_kernels(*names):
    """Compiles these programs into CLASSES, or all programs if none is named."""
    CLASSES.mkdir(parents=True, exist_ok=True)
    paths = [KERNEL_SOURCES / f"{name}.java" for name in names] or sorted(KERNEL_SOURCES.glob("*.java"))
    subprocess.run([str(JDK / "bin" / "javac"), "-d", str(CLASSES)] + [str(path) for path in paths], check=True)


def run_kernel(command, name, repetitions=5, *arguments, class_path=CLASSES):
    """Returns (milliseconds of the fastest repetition, checksum, milliseconds until nine tenths of the final speed)."""
    words = processes.output_of(command + ["-cp", class_path, name, str(repetitions), *arguments]).split()
    if len(words) != 5:
        sys.exit(f"{' '.join(command)} {name} printed: {' '.join(words)}")
    return int(words[1]) * 1e-6, words[3], int(words[4]) * 1e-6


def figures_of_line(pattern, command, program, arguments):
    output = processes.output_of(command + ["-cp", CLASSES, program, *arguments])
    match = pattern.search(output)
    if not match:
        sys.exit(f"{' '.join(command)}: {program} printed: {output}")
    return [float(text) for text in match.groups()]


def run_mutex(command, *arguments):
    """Returns iterations per second, the largest and the smallest number of iterations of a thread, Jain's index, and
    acquisitions in a row."""
    return figures_of_line(MUTEX_LINE, command, "MutexBench", arguments)


def run_shares(command, program, *arguments):
    """Returns operations per second and Jain's index of a program whose threads share data."""
    rate, _, _, jain = figures_of_line(SHARES_LINE, command, program, arguments)
    return rate, jain
