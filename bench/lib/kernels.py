# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""The Java programs of bench/kernels."""

import subprocess

from lib.jvms import JDK17
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


def compile_kernels(*names):
    """Compiles these programs into CLASSES, all of them when none is named."""
    CLASSES.mkdir(parents=True, exist_ok=True)
    paths = [KERNEL_SOURCES / f"{name}.java" for name in names] or sorted(KERNEL_SOURCES.glob("*.java"))
    subprocess.run([str(JDK17 / "bin" / "javac"), "-d", str(CLASSES)] + [str(path) for path in paths], check=True)
