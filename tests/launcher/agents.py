#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""Tests agents (java.lang.instrument): java and Keyhole get the same command lines, and must give the same text and
exit code.

The programs are in tests/launcher/agents: all .java files are compiled into the folder `classes`. Each jar of an agent
has only the classes and the manifest that JARS names. Other versions of a class, for redefinition, are in variants/.
--vm-args="-Xcomp" adds a flag to Keyhole, and the variable KEYHOLE_VM names another executable.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys

from chosen_home import chosen_home
from command_lines import compare

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
JDK = chosen_home()
VM = os.environ.get("KEYHOLE_VM", str(ROOT / "build" / "release" / "keyhole"))
SOURCES = ROOT / "tests" / "launcher" / "agents"
WORK = ROOT / "build" / "agent-tests"

# name of the jar: (attributes of its manifest, prefixes of the names of its classes)
JARS = {
    "options.jar": ("Premain-Class: Options\nCan-Redefine-Classes: true", ["Options"]),
    "launched.jar": (
        "Launcher-Agent-Class: Options\nMain-Class: Hello\nCan-Retransform-Classes: true",
        ["Options", "Hello"],
    ),
    "launchedbadly.jar": ("Launcher-Agent-Class: Nope\nMain-Class: Hello", ["Options", "Hello"]),
    "nothing.jar": ("X-Class: Options", ["Options"]),
    "absent.jar": ("Premain-Class: Absent", ["Options"]),
    "nomain.jar": ("Premain-Class: Hello", ["Hello"]),
    "rewriting.jar": (
        "Premain-Class: Rewriting\nCan-Retransform-Classes: true\nBoot-Class-Path: boot%20part.jar",
        ["Rewriting"],
    ),
    "redefining.jar": (
        "Premain-Class: Refused\nCan-Redefine-Classes: true\nCan-Retransform-Classes: true",
        ["Refused"],
    ),
    "prefixing.jar": (
        "Premain-Class: Prefixing\nCan-Retransform-Classes: true\nCan-Set-Native-Method-Prefix: true",
        ["Prefixing"],
    ),
    "boot part.jar": ("X: y", ["OnBootPath"]),
    "later.jar": ("X: y", ["AppendedLater"]),
}

CASES = """
-javaagent:options.jar -cp classes Hello
-javaagent:options.jar=a=b,c -cp classes Hello
-javaagent:options.jar= -javaagent:options.jar=again -cp classes Hello
-javaagent:options.jar=throw -cp classes Hello
-javaagent:options.jar=exit -cp classes Hello
-javaagent:options.jar -cp classes Nope
-javaagent:nothing.jar -cp classes Hello
-javaagent:none.jar=x -cp classes Hello
-javaagent:absent.jar -cp classes Hello
-javaagent:nomain.jar -cp classes Hello
-javaagent: -cp classes Hello
-javaagent -cp classes Hello
-javaagent:classes/Hello.class -cp classes Hello
-jar launched.jar a b
-jar launchedbadly.jar
-javaagent:rewriting.jar -cp classes Rewritten
-javaagent:prefixing.jar -cp classes Hello
-javaagent:redefining.jar -cp classes Refused
-javaagent:redefining.jar -cp classes Redefined
-javaagent:redefining.jar -cp classes RedefinedFrames
-javaagent:redefining.jar -cp classes RedefinedInLoops
{early} -javaagent:redefining.jar -cp classes RedefinedInLoops
{early} -javaagent:redefining.jar -cp classes RedefinedFrames
-javaagent:redefining.jar -cp classes Retransformed
"""
# Flags that compile a method by the highest tier after a few calls, in the calling thread.
EARLY = (
    "-XX:Tier3InvocationThreshold=5 -XX:Tier3BackEdgeThreshold=50 -XX:Tier4InvocationThreshold=20"
    " -XX:Tier4BackEdgeThreshold=100 -XX:-BackgroundCompilation"
)


def build():
    shutil.rmtree(WORK, ignore_errors=True)
    (WORK / "classes").mkdir(parents=True)
    run = lambda *words: subprocess.run([str(word) for word in words], check=True, cwd=WORK)
    run(
        JDK / "bin" / "javac",
        "-g",
        "-d",
        "classes",
        "-XDignore.symbol.file",
        "-Xlint:-removal",
        *sorted(SOURCES.glob("*.java")),
    )
    for variant in sorted((SOURCES / "variants").iterdir()):   # other versions of class files in `classes`
        run(
            JDK / "bin" / "javac",
            "-g",
            "-cp",
            "classes",
            "-d",
            f"variants/{variant.name}",
            *sorted(variant.glob("*.java")),
        )
    for jar, (manifest, prefixes) in JARS.items():
        (WORK / "manifest").write_text(manifest + "\n")
        names = sorted(
            path.name
            for path in (WORK / "classes").iterdir()
            if path.name.split("$")[0].removesuffix(".class") in prefixes
        )
        run(JDK / "bin" / "jar", "cfm", jar, "manifest", *[part for name in names for part in ("-C", "classes", name)])
    for name in ("OnBootPath", "AppendedLater"):   # in their jars only
        (WORK / "classes" / (name + ".class")).unlink()


def normalized(text):
    kept = []
    for line in text.splitlines():
        if re.match(r"\tat java.base/(sun.launcher|java.util.Optional|jdk.internal.reflect|java.lang.reflect)", line):
            continue   # frames between the launcher and an agent
        if "ASSERTION FAILED" in line or re.match(r"(Native frames|[A-Za-z]  \[)", line):
            continue   # lines that only HotSpot prints: of its agents' library, and native frames
        line = re.sub(r"((Builtin)?ClassLoaders?(\$AppClassLoader)?\.java):\d+", r"\1:n", line)   # the overlay's lines
        line = re.sub(r"@[0-9a-f]{5,8}\b", "@hash", line)
        kept.append(line)
    return "\n".join(kept).rstrip("\n")


def main():
    build()
    java = [str(JDK / "bin" / "java"), "-Xshare:auto"]
    return compare(CASES.replace("{early}", EARLY), sys.argv[1:], java, VM, WORK, normalized)


if __name__ == "__main__":
    sys.exit(main())
