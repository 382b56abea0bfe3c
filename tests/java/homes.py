# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""The Java homes of this machine: those that are installed, and those that `./keyhole --fetch-library` has fetched.
Fetched homes have no compiler. Where no JDK 25 is installed, that command also fetches a compiler."""

import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
FETCHED_COMPILER = ROOT / "build" / "libraries" / "javac"   # javac 25; compiles only for the library on which it runs


def release(home):
    """Returns the number of a Java home's release, such as 17 for 17.0.15; 0 if the folder is no Java home."""
    about = home / "release"
    found = re.search('^JAVA_VERSION="([0-9]+)', about.read_text(), re.MULTILINE) if about.exists() else None
    return int(found.group(1)) if found else 0


def homes():
    """Returns {release: Java home}. If a release is both installed and fetched, returns the installed home."""
    found = {}
    for folder in (pathlib.Path("/usr/lib/jvm"), ROOT / "build" / "libraries"):
        for home in sorted(folder.glob("*")):
            if (home / "lib" / "modules").exists():
                found.setdefault(release(home), home)
    return found


def has_compiler(home):
    return (home / "bin" / "javac").exists()


def compiler_for(number):
    """Returns the oldest Java home that can compile for a release, with its own compiler or with the fetched compiler;
    None if there is no such Java home."""
    fetched = (FETCHED_COMPILER / "api.jar").exists()
    suitable = [home for each, home in sorted(homes().items()) if each >= number and (has_compiler(home) or fetched)]
    return suitable[0] if suitable else None


def main_home():
    """Returns the JDK whose javac compiles the tests, and whose java is compared with Keyhole: the one in
    KEYHOLE_JAVA_HOME, else an installed JDK 17, else any installed JDK. Sets KEYHOLE_JAVA_HOME for the programs that
    a test starts."""
    if not os.environ.get("KEYHOLE_JAVA_HOME"):
        found = subprocess.run(
            ["sh", "-c", ".ci/find-jdk 17 || .ci/find-jdk"], cwd=ROOT, capture_output=True, text=True
        ).stdout.strip()
        if not found:
            sys.exit("no JDK 17, 21 or 25 on this machine")
        os.environ["KEYHOLE_JAVA_HOME"] = found
    return pathlib.Path(os.environ["KEYHOLE_JAVA_HOME"])
