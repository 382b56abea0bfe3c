#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""Loads class files that break one rule each of JVMS 4.8 to 4.10, in every version. The errors of java and of Keyhole
must agree word for word.

    tests/verifier/run.py [--share N] [--library 25] [word ...]

`--share N` takes every Nth case, 1 all of them; words choose cases by their names. Differences are shown, and their class
files are kept in build/verifier-tests.
"""
import argparse
import os
import pathlib
import struct
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(ROOT / "tests" / "launcher"))
import chosen_home

JDK = chosen_home.chosen_home()
VM = os.environ.get("KEYHOLE_VM", str(ROOT / "build" / "release" / "keyhole"))
WORK = ROOT / "build" / "verifier-tests"
NEWEST = {17: 61, 21: 65, 25: 69}
FAMILIES = ["typing", "frame", "object", "code", "member", "format"]
SHOWN = 40


def all_cases():
    for family in FAMILIES:
        if not (HERE / f"{family}_rules.py").exists():
            continue
        for rule in __import__(f"{family}_rules").RULES:
            for case in rule():
                yield f"{family}/{rule.__name__}: {case.name}", case


def chosen_cases(share, words, newest, versions):
    """Makes pairs of a case and a class file version, and numbers the pairs. Returns {label: bytes of the class file}
    for every nth pair. So the chosen versions differ from case to case."""
    files, number = {}, 0
    for name, case in all_cases():
        if words and not all(word in name for word in words):
            continue
        for version in case.versions:
            if int(version.partition(".")[0]) > newest or (versions and version not in versions):
                continue
            number += 1
            if number % share == 0:
                files[f"{name} [{version}]"] = (case.bytes(version), case.call)
    return files


def write_corpus(path, files):
    with open(path, "wb") as out:
        for label, (data, call) in files.items():
            text = label.encode()
            out.write(struct.pack(">H", len(text)) + text + struct.pack(">?i", call, len(data)) + data)


def verdicts(vm, options, corpus, name):
    out = WORK / name
    out.unlink(missing_ok=True)
    command = ["nice", vm, "-Xmx800m", *options, "-cp", str(WORK / "classes"), "Verdicts", str(corpus), str(out)]
    environment = dict(os.environ, KEYHOLE_JAVA_HOME=str(JDK))
    done = subprocess.run(command, capture_output=True, text=True, timeout=3600, env=environment)
    lines = out.read_text("utf-8", "replace").split("\n") if out.exists() else []
    found = dict(line.split("\t", 1) for line in lines if "\t" in line)
    if done.returncode != 0:
        found["the VM"] = f"ended with {done.returncode}: {done.stderr[-2000:]}"
    return found


def show(text):
    return "\n      ".join(text.replace("\\n", "\n").split("\n"))


def compile_kit():
    (WORK / "classes").mkdir(parents=True, exist_ok=True)
    sources = [str(path) for path in [HERE / "Verdicts.java", *(HERE / "kit").glob("*.java")]]
    javac = JDK / "bin" / "javac"
    if not javac.exists():
        javac = pathlib.Path(chosen_home.INSTALLED) / "bin" / "javac"
    subprocess.run([str(javac), "-nowarn", "--release", "17", "-d", str(WORK / "classes"), *sources], check=True)


def compare(name, files, vm_args, agree=lambda expected, found: expected == found):
    """Runs both VMs on the given class files, and prints the cases with different verdicts. Returns the exit code."""
    corpus = WORK / f"corpus-{name}"
    write_corpus(corpus, files)
    expected = verdicts(str(JDK / "bin" / "java"), ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"], corpus, f"java-{name}")
    found = verdicts(VM, vm_args.split(), corpus, f"keyhole-{name}")
    failures = [label for label in {**expected, **found} if not agree(expected.get(label), found.get(label))]
    if failures:
        print("FAILED")
    for number, label in enumerate(failures):
        kept = WORK / "found" / f"{name}-{number}.class"
        kept.parent.mkdir(exist_ok=True)
        kept.write_bytes(files.get(label, (b"", False))[0])
        if number < SHOWN:
            print(f"{label}  ({kept})")
            print(f"  java:    {show(expected.get(label, 'nothing'))}\n  keyhole: {show(found.get(label, 'nothing'))}")
    print(f"{len(files) - len(failures)} passed, {len(failures)} failed")
    return 1 if failures else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--share", type=int, default=37)
    parser.add_argument("--versions", default="", help="only these versions of class files: 49,50")
    parser.add_argument("--vm-args", default="")
    parser.add_argument("words", nargs="*")
    arguments = parser.parse_args()
    release = chosen_home.release(JDK)
    compile_kit()
    versions = arguments.versions.split(",") if arguments.versions else []
    files = chosen_cases(arguments.share, arguments.words, NEWEST[release], versions)
    return compare(str(release), files, arguments.vm_args)


if __name__ == "__main__":
    sys.exit(main())
