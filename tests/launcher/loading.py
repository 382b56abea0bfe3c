#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""Tests signed, sealed, indexed and changed jars of the class path, security managers, and system class loaders: java
and Keyhole get the same command lines, and must give the same text and exit code.

The programs are in tests/launcher/loading; MakeJars.java makes the jars. `--library 25` chooses another library, and
--vm-args and KEYHOLE_VM choose the configuration of the VM, as in agents.py.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys

from chosen_home import chosen_home, release
from command_lines import compare

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
JDK = chosen_home()
VM = os.environ.get("KEYHOLE_VM", str(ROOT / "build" / "release" / "keyhole"))
SOURCES = ROOT / "tests" / "launcher" / "loading"
WORK = ROOT / "build" / "loading-tests"

CLASS_PATHS = """
signed.jar
main.jar:other.jar
main.jar:bytwo.jar
main.jar:plainother.jar
plainmain.jar:other.jar
classes:signed.jar
main.jar:classes
sealed.jar:plainother.jar
plainsealed.jar:other.jar
plainsealed.jar:classes
section.jar
plainmain.jar:sealsother.jar
classes/only:sealsother.jar:plain.jar
unsealed.jar:plainother.jar
versions.jar
plain.jar
names.jar
badclass.jar
badother.jar
badtext.jar
badmanifest.jar
badmain.jar
badsection.jar
badfile.jar
noblock.jar
badblock.jar
nomanifest.jar
added.jar
indexed.jar
indexed.jar:bare.jar
plainmain.jar:indexed.jar
wrongindex.jar
plainmain.jar:wrongindex.jar
shortindex.jar
comment.jar
name.jar
overstated.jar
overstatedpath.jar
"""

MANAGERS = """
-Djava.security.manager -cp classes Manager
-Djava.security.manager= -Djava.security.policy=some.policy -cp classes Manager
-Djava.security.manager=default -Djava.security.policy=some.policy -cp signed.jar:classes Manager
-Djava.security.manager=allow -cp classes Manager
-Djava.security.manager=disallow -cp classes Manager
-Djava.security.manager='Manager$Own' -cp classes Manager
-Djava.security.manager=no.Such -cp classes Manager
-Djava.security.manager=java.lang.String -cp classes Manager
-cp classes Manager
-Djava.security.manager -cp signed.jar p.Main
-Djava.security.manager=allow -cp classes:referenced PackageAccess
"""

OTHERS = """
-jar signed.jar
-jar badclass.jar
-jar comment.jar
-jar name.jar
-jar unended.jar
-jar wrongindex.jar
-cp classes OwnLoader
-Djava.system.class.loader=OwnLoader -cp classes OwnLoader
-Djava.system.class.loader='OwnLoader$Failing' -cp classes OwnLoader
-Djava.system.class.loader=no.Such -cp classes OwnLoader
-Djava.system.class.loader=java.lang.String -cp classes OwnLoader
-Djava.nio.file.spi.DefaultFileSystemProvider=no.Such -cp classes OwnLoader
"""
# Subject.doAs needs a security manager, which releases after 23 do not allow.
UNTIL_23 = "-cp classes Subjects"


def run(*words):
    subprocess.run([str(word) for word in words], check=True, cwd=WORK, stdout=subprocess.DEVNULL)


def build():
    shutil.rmtree(WORK, ignore_errors=True)
    (WORK / "classes").mkdir(parents=True)
    bin = JDK / "bin"
    run(bin / "javac", "-nowarn", "-Xlint:-removal", "-XDignore.symbol.file", "-d", "classes", *SOURCES.rglob("*.java"))
    for name in ("one", "two"):
        run(bin / "keytool", "-genkeypair", "-alias", name, "-keyalg", "EC", "-keystore", "keys", "-storepass", "changeit",
            "-dname", f"CN={name}")
    run(bin / "java", "-cp", "classes", "MakeJars")
    (WORK / "classes" / "only" / "p").mkdir(parents=True)
    shutil.move(WORK / "classes" / "Bare.class", WORK / "classes" / "only")
    shutil.copy(WORK / "classes" / "p" / "Main.class", WORK / "classes" / "only" / "p")
    (WORK / "referenced").mkdir()
    for package in ("q", "r"):
        shutil.move(WORK / "classes" / package, WORK / "referenced")
    (WORK / "some.policy").write_text((SOURCES / "some.policy").read_text().replace("${work}", str(WORK)))


def normalized(text):
    kept = []
    for line in text.splitlines():
        if re.match(r"\tat java.base/(sun.launcher|jdk.internal.loader|java.lang.Class.forName)", line) or "Archived non-system classes" in line:
            continue   # the launcher's frames; a warning about HotSpot's archive
        line = re.sub(r"((Builtin)?ClassLoaders?(\$AppClassLoader)?\.java):\d+", r"\1:n", line)   # the overlay's lines
        kept.append(line)
    return "\n".join(kept)


def main():
    build()
    programs = [f"-cp {path} p.Main" for path in CLASS_PATHS.split()]
    cases = [*programs, *MANAGERS.strip().splitlines(), *OTHERS.strip().splitlines()]
    if release(JDK) < 24:
        cases.append(UNTIL_23)
    return compare("\n".join(cases), sys.argv[1:], [str(JDK / "bin" / "java")], VM, WORK, normalized)


if __name__ == "__main__":
    sys.exit(main())
