# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""The VMs that take part, as the first words of their command lines."""

import os
import pathlib

from lib import processes

JDK17 = pathlib.Path(os.environ.setdefault("KEYHOLE_JAVA_HOME", "/usr/lib/jvm/java-17-openjdk-amd64"))
COMPILED = "-XX:TieredStopAtLevel=1"  # Keyhole's baseline tier, HotSpot's C1
OPTIMISED = "-XX:TieredStopAtLevel=4"  # Keyhole's optimising tier, HotSpot's C2
UNMEASURED_MODES = {"traced"}  # it would measure its own log


def java17():
    return str(JDK17 / "bin" / "java")


def java25():
    """The launcher of a JDK 25 below /usr/lib/jvm, or None."""
    for home in sorted(pathlib.Path("/usr/lib/jvm").glob("*25*")):
        if (home / "bin" / "java").exists():
            return str(home / "bin" / "java")
    return None


def hotspot_locking(mode):
    """The flags of JDK 25 for one of HotSpot's three locking modes."""
    return ["-XX:+UnlockDiagnosticVMOptions", "-XX:+UnlockExperimentalVMOptions", f"-XX:LockingMode={mode}"]


def locking_modes(vm):
    """The names of Keyhole's locking modes, in the order of its table."""
    table = processes.output_of([vm, "-XX:+PrintLockingModes"])
    names = [line.split()[0] for line in table.splitlines()[1:] if line and not line.startswith(" ")]
    return [name for name in names if name not in UNMEASURED_MODES]
