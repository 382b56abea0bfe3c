# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""Finds the VMs that are compared. Each is given by the first words of its command line."""

import functools
import os
import pathlib
import re
import subprocess
import sys

from lib import processes
from lib.places import ROOT


@functools.cache
def find_jdk(release=""):
    """Returns the home of a JDK of this release that has a compiler; without a release, of the release that Keyhole
    prefers on this machine. Returns "" if there is none."""
    command = [ROOT / ".ci" / "find-jdk", *str(release).split()]
    return subprocess.run(command, capture_output=True, text=True).stdout.strip()


def main_jdk():
    """Returns the JDK named by KEYHOLE_JAVA_HOME, otherwise a JDK 17, otherwise any supported JDK. Sets
    KEYHOLE_JAVA_HOME to it, so that the Keyhole processes started from here use the same JDK."""
    home = os.environ.get("KEYHOLE_JAVA_HOME") or find_jdk(17) or find_jdk()
    if not home:
        sys.exit("no JDK 17, 21 or 25 on this machine")
    os.environ["KEYHOLE_JAVA_HOME"] = home
    return pathlib.Path(home)


JDK = main_jdk()
RELEASE_OF_JDK = int(re.search('^JAVA_VERSION="([0-9]+)', (JDK / "release").read_text(), re.MULTILINE).group(1))
HOTSPOT = f"HotSpot {RELEASE_OF_JDK}"  # its name in tables
COMPILED = "-XX:TieredStopAtLevel=1"  # Keyhole's baseline tier, HotSpot's C1
OPTIMISED = "-XX:TieredStopAtLevel=4"  # Keyhole's optimising tier, HotSpot's C2
UNMEASURED_MODES = {"traced"}  # it would measure its own log


def java():
    """Returns the launcher (bin/java) of the main JDK."""
    return str(JDK / "bin" / "java")


def java25():
    """Returns the launcher (bin/java) of a JDK 25, or None."""
    home = find_jdk(25)
    return f"{home}/bin/java" if home else None


def hotspot_locking(mode):
    """Returns the flags of JDK 25 for one of HotSpot's three locking modes."""
    return ["-XX:+UnlockDiagnosticVMOptions", "-XX:+UnlockExperimentalVMOptions", f"-XX:LockingMode={mode}"]


def locking_modes(vm):
    """Returns the names of Keyhole's locking modes, in the order of algorithms.def."""
    table = processes.output_of([vm, "-XX:+PrintLockingModes"])
    names = [line.split()[0] for line in table.splitlines()[1:] if line and not line.startswith(" ")]
    return [name for name in names if name not in UNMEASURED_MODES]
