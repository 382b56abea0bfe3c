#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""Runs programs that use third-party libraries: each tests/libraries/*.java runs on the installed JDK and on Keyhole
with the jars that it names (from Debian's packages). Standard output, standard error and the exit code must be equal.

    tests/libraries/run.py [--home HOME] [filter ...]

`--home` names another JDK. Keyhole then runs on the library of that JDK, and its results are compared with that JDK's
java. The installed JDK still compiles the programs.

Directives, as in tests/java/run.py: `// jars: a.jar b.jar` names jars in /usr/share/java, and `// args: ...` arguments.
`// main: class` runs a class of the library instead of the program. In args, "{source}" is the program's source file,
and "{programs}" are the sources of tests/java that fit every library. With `// module: name` the program is skipped if
a home does not have that module.
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "java"))
from homes import main_home

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
JDK = main_home()
VM = os.environ.get("KEYHOLE_VM", str(ROOT / "build" / "release" / "keyhole"))
JARS = pathlib.Path("/usr/share/java")
WORK = ROOT / "build" / "library-tests"


def directives(source):
    return dict(re.findall(r"^// (jars|args|main|module): (.*)$", source.read_text(), re.MULTILINE))


def has_module(home, name):
    """Returns whether the home has the module. A home made by jlink may lack modules."""
    return name in re.search('MODULES="(.*)"', (home / "release").read_text()).group(1).split()


def programs():
    """Returns a project of some hundred files that compile together. Their classes are in the unnamed package, so the
    project takes only one file of each name. It omits the folder `io`, because that has a class with the name of a
    class that other files import."""
    found = {}
    for path in sorted((ROOT / "tests" / "java").glob("*/*.java")):
        if path.parent.name != "io" and not re.search("^// (since|until|javac): ", path.read_text(), re.MULTILINE):
            found.setdefault(path.name, str(path))
    return " ".join(found.values())


def run(vm, source, given, jars, folder):
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    classes = WORK / "classes" / source.stem
    path = ":".join([str(classes)] + jars)
    words = given.get("args", "").replace("{source}", str(source)).replace("{programs}", programs()).split()
    done = subprocess.run(
        vm + ["-cp", path, given.get("main", source.stem)] + words, cwd=folder, capture_output=True, timeout=300
    )
    made = sorted((str(p.relative_to(folder)), p.read_bytes()) for p in folder.rglob("*") if p.is_file())
    error = done.stderr.decode(errors="replace")
    # The library of 25 warns of each short time zone in the order of a set, which differs from run to run.
    zones = re.compile(r"WARNING: Use of the three-letter time zone ID .*\n")
    error = "".join(sorted(zones.findall(error))) + zones.sub("", error)
    return done.stdout.decode(errors="replace"), error, done.returncode, made


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--home", type=pathlib.Path, default=JDK)
    parser.add_argument("filters", nargs="*")
    options = parser.parse_args()
    passed = failed = 0
    for source in sorted(HERE.glob("*.java")):
        if options.filters and not any(word in source.stem for word in options.filters):
            continue
        given = directives(source)
        if not has_module(options.home, given.get("module", "java.base")):
            continue
        jars = [str(JARS / name) for name in given.get("jars", "").split()]
        classes = WORK / "classes" / source.stem
        classes.mkdir(parents=True, exist_ok=True)
        subprocess.run(
            [str(JDK / "bin/javac"), "-nowarn", "-cp", ":".join(jars), "-d", str(classes), str(source)], check=True
        )
        expected = run([str(options.home / "bin/java")], source, given, jars, WORK / "java" / source.stem)
        found = run([VM, f"-Djava.home={options.home}"], source, given, jars, WORK / "keyhole" / source.stem)
        if found == expected:
            passed += 1
            continue
        failed += 1
        print(f"FAILED {source.stem}")
        for name, of_java, of_keyhole in zip(("standard output", "standard error", "exit code"), expected, found):
            if of_java != of_keyhole:
                print(f"  {name}\n  java:    {of_java!r}\n  keyhole: {of_keyhole!r}")
        if expected[3] != found[3]:
            print(
                f"  files: {[name for name, _ in expected[3]]} and {[name for name, _ in found[3]]}, or their contents, differ"
            )
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
