# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""Compiles and runs short real programs: a compiler, a parser, a test run."""

import pathlib
import re
import subprocess

from lib.jvms import JDK
from lib.places import CLASSES, OUTPUT, ROOT

JARS = pathlib.Path("/usr/share/java")  # Debian's
LIBRARIES = [
    "junit-jupiter", "junit-jupiter-api", "junit-jupiter-engine", "junit-jupiter-params", "junit-platform-commons",
    "junit-platform-console", "junit-platform-engine", "junit-platform-launcher", "junit-platform-reporting",
    "opentest4j", "opentest4j-reporting-events", "opentest4j-reporting-schema", "apiguardian-api", "picocli",
    "univocity-parsers",
]  # fmt: skip
XALAN = ["xalan2", "serializer", "xercesImpl"]
PARSES = 8000  # of JsonText: some two seconds


def hundred_sources():
    """Returns programs of tests/java that compile together: one of each name, and only programs that run on every
    library."""
    found = {}
    for path in sorted((ROOT / "tests" / "java").glob("*/*.java")):
        if path.parent.name != "io" and not re.search("^// (since|until|javac): ", path.read_text(), re.MULTILINE):
            found.setdefault(path.name, path)
    return list(found.values())[:100]


def compiled(name, jars):
    """Compiles bench/programs/NAME.java, and returns the class path to run it with."""
    path = ":".join(map(str, [CLASSES, *jars]))
    source = ROOT / "bench" / "programs" / f"{name}.java"
    javac = [JDK / "bin" / "javac", "-nowarn", "-cp", path, "-d", CLASSES, source]
    subprocess.run(list(map(str, javac)), check=True)
    return path


def xalan():
    """Compiles XalanRun and returns its class path, or None if Debian's libxalan2-java is not installed."""
    jars = [JARS / f"{name}.jar" for name in XALAN]
    return compiled("XalanRun", jars) if all(map(pathlib.Path.exists, jars)) else None


def programs():
    """Returns {name: arguments that follow those of the VM}. All programs run on the library of the main JDK."""
    found = {
        "javac, 100 files": ["-m", "jdk.compiler/com.sun.tools.javac.Main", "-nowarn", "-XDrawDiagnostics", "-d",
                             OUTPUT / "javac", *hundred_sources()],
        "JSON": ["-cp", CLASSES, "JsonText", PARSES],
    }  # fmt: skip
    jars = [JARS / f"{name}.jar" for name in LIBRARIES]
    if all(map(pathlib.Path.exists, jars)):
        path = compiled("TestRun", jars)
        found["JUnit, 630 tests"] = ["-cp", path, "org.junit.platform.console.ConsoleLauncher", "--disable-banner",
                                     "--details=summary", "--select-class=TestRun"]  # fmt: skip
    return found
