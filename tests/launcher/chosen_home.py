# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""Chooses the class library on which the tests of a script run: that of `--home HOME`, or that of release N for
`--library N`, or without these options that of the JDK of all tests (homes.main_home). Programs that a test starts find
the chosen home in KEYHOLE_JAVA_HOME."""

import os
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "java"))
import homes


def taken(option):
    """Returns the value of an option. Removes the option and its value from the arguments."""
    if option not in sys.argv:
        return None
    at = sys.argv.index(option)
    if at + 1 == len(sys.argv):
        sys.exit(f"{option} needs a value")
    value = sys.argv[at + 1]
    del sys.argv[at : at + 2]
    return value


def chosen_home():
    home, library = taken("--home"), taken("--library")
    if library is not None:
        home = homes.homes().get(int(library))
        if home is None:
            sys.exit(f"no home of JDK {library} on this machine")
    if home is not None:
        os.environ["KEYHOLE_JAVA_HOME"] = str(pathlib.Path(home).resolve())
    return homes.main_home()


def home_over(vm):
    """Returns the java.home that Keyhole uses for the library of the tests. This home may differ from the folder `home`
    beside the executable, which belongs to one library only."""
    shown = subprocess.run([vm, "-XshowSettings:properties", "-version"], capture_output=True, text=True).stderr
    return pathlib.Path(re.search(r"java\.home = (.*)", shown).group(1))


def release(home):
    return homes.release(home)
