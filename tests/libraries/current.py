#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""Runs programs that use current third-party libraries, which Maven fetches. Each tests/libraries/current/*.java runs
on java 25 and on Keyhole with the library of JDK 25. Standard output, standard error, the exit code and the files that
the program makes must be equal.

    tests/libraries/current.py [--home HOME] [--vm-args="FLAGS"] [filter ...]

The first run needs a network and some 300 MiB in Maven's repository, so run-tests does not run this script. Directives:

    // maven: group:artifact:version ...   the libraries; may be repeated
    // javac: -parameters                  options for the compiler
    // jvm: -Dx=y                          options for both VMs
    // main: class                         the main class, unless it is named like the file
    // args: a b                           {path} is the class path, {folder} that of the sources
    // source: Other.java                  the source to compile instead of this one
    // normal: PATTERN                     what may differ in a line; only its first group, if there is one, is kept
    // then: class                         run what the program has compiled, too
"""
import argparse
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(ROOT / "tests" / "java"))
import homes
from maven import class_path

SOURCES = HERE / "current"
VM = os.environ.get("KEYHOLE_VM", str(ROOT / "build" / "release" / "keyhole"))
WORK = ROOT / "build" / "library-tests" / "current"


def directives(source):
    found = {}
    for key, text in re.findall(r"^// (maven|javac|jvm|main|args|source|normal|then): (.*)$", source.read_text(), re.M):
        found[key] = f"{found[key]} {text}" if key in found else text
    return found


def normal(text, pattern):
    return re.sub(pattern, lambda m: m.group(1) if m.re.groups else "~", text, flags=re.M) if pattern else text


def run(vm, source, given, path, folder):
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    words = given.get("args", "").replace("{path}", path).replace("{folder}", str(SOURCES)).split()
    outputs = []
    commands = [[given.get("main", source.stem)] + words] + ([[given["then"], "x", "y"]] if "then" in given else [])
    started = time.monotonic()
    for command in commands:
        done = subprocess.run(
            vm + given.get("jvm", "").split() + ["-cp", f".:{WORK / 'classes' / source.stem}:{path}"] + command,
            cwd=folder,
            capture_output=True,
            text=True,
            timeout=600,
        )
        outputs += [normal(text, given.get("normal")) for text in (done.stdout, done.stderr)] + [done.returncode]
    made = sorted((str(p.relative_to(folder)), p.read_bytes()) for p in folder.rglob("*") if p.is_file())
    return outputs, made, time.monotonic() - started


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--home", type=pathlib.Path, default=homes.homes().get(25))
    parser.add_argument("--vm-args", default="")
    parser.add_argument("filters", nargs="*")
    options = parser.parse_args()
    if options.home is None:
        sys.exit("no home of JDK 25 on this machine")
    passed = failed = 0
    for source in sorted(SOURCES.glob("*.java")):
        if options.filters and not any(word in source.stem for word in options.filters):
            continue
        given = directives(source)
        path = class_path(given["maven"].split())
        classes = WORK / "classes" / source.stem
        classes.mkdir(parents=True, exist_ok=True)
        words = given.get("javac", "").split() + ["-nowarn", "-cp", path, "-d", str(classes)]
        compiled = SOURCES / given.get("source", source.name)
        subprocess.run([str(options.home / "bin/javac"), *words, str(compiled)], check=True)
        expected = run([str(options.home / "bin/java")], source, given, path, WORK / "java" / source.stem)
        vm = [VM, f"-Djava.home={options.home}"] + shlex.split(options.vm_args)
        found = run(vm, source, given, path, WORK / "keyhole" / source.stem)
        if found[:2] == expected[:2]:
            passed += 1
            lines = sum(text.count("\n") for text in found[0] if isinstance(text, str))
            print(f"{source.stem}: {lines} lines, {len(found[1])} files; java {expected[2]:.1f} s, Keyhole {found[2]:.1f} s")
            continue
        failed += 1
        print(f"FAILED {source.stem}")
        for of_java, of_keyhole in zip(expected[0], found[0]):
            if of_java != of_keyhole:
                print(f"  java:    {of_java!r}\n  keyhole: {of_keyhole!r}")
        differ = {name for name, _ in set(expected[1]) ^ set(found[1])}
        if differ:
            print(f"  files: {sorted(differ)}")
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
