#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""Tests programs made of modules: java and Keyhole get the same command lines, and must give the same text and exit
code.

Each folder of tests/launcher/modules is a module; `tools` has no module-info and becomes an automatic module. The
script compiles the modules once, as folders (mods) and as jars (jars).
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import zipfile

from chosen_home import chosen_home

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
JDK = chosen_home()
VM = os.environ.get("KEYHOLE_VM", str(ROOT / "build" / "release" / "keyhole"))
SOURCES = ROOT / "tests" / "launcher" / "modules"
WORK = ROOT / "build" / "module-tests"

CASES = """
-p mods -m app/app.Main a b
--module-path=mods --module app/app.Main
--module-path mods --module=app/app.Main
-p jars -m app/app.Main
-p jars -m app x y
-p mods -m app
-p mods -m
-p mods --module=
-p
-m
-d
-p mods -m app/app.Nope
-p mods -m app/greet.Greeter
-p mods -m nope/x
-p mods -m app/app.Bad
-p none -m app/app.Main
-p mods -m greet/greet.Greeter
-p mods --dry-run -m app/app.Main
-p mods:twins -m app/app.Main
-p mods:twins --add-modules twin -m app/app.Main
-p mods/app:mods/greet -m app/app.Main
-p mods/app -m app/app.Main
-p broken -m app/app.Main
-p badclass -m app/app.Main
-p mods -m intruder/intruder.Main
-p mods --add-modules plugin -m intruder/intruder.Main
-p mods --add-modules plugin --add-reads intruder=plugin -m intruder/intruder.Main
-p mods --add-exports greet/greet.impl=intruder --add-exports java.base/jdk.internal.misc=intruder -m intruder/intruder.Main
-p mods:auto -m boots/boots.Main
-p jars:auto -m boots/boots.Main
-p mods -m boots/boots.Main
-p jars:auto --add-modules ALL-MODULE-PATH -m app/app.Main
-p mods --add-opens greet/greet.impl=app --add-opens greet/greet.secret=app --add-exports greet/greet.impl=app --add-reads greet=app -m app/app.Main
-p mods --add-modules nope -m app/app.Main
-p mods --add-reads nope=app --add-exports greet/none=app --add-opens nope/x=app -m app/app.Bad
-p mods --limit-modules java.base -m app/app.Main
-p mods --limit-modules greet -m app/app.Main
-p mods --add-modules greet,plugin -cp classpath OnClassPath
-p mods --add-modules greet --add-exports greet/greet.secret=ALL-UNNAMED -cp classpath OnClassPath
-p mods -cp classpath OnClassPath
-cp classpath OnClassPath
-p mods --patch-module greet=patch -m app/app.Main
--patch-module java.base=patched --patch-module java.logging=patched.jar -cp classpath Patched
--patch-module nope=patched -cp classpath Patched
--patch-module java.base
--patch-module java.base=patched --patch-module java.base=patched.jar -cp classpath Patched
-m jdk.compiler/com.sun.tools.javac.Main -version
-m java.base
-m java.base/java.lang.Nope
-p mods -d greet
-p mods --describe-module app
-p mods -d nope
-d java.logging
-p mods --list-modules
-p mods --limit-modules greet --list-modules
-p mods --validate-modules
-p mods:twins --validate-modules
-cp layers Layers mods
-cp classpath Finds
-cp classpath Finds jdk.incubator.vector.VectorShape java.sql.Connection com.sun.tools.javac.Main sun.nio.cs.ext.Big5
-cp classpath --add-modules jdk.incubator.vector,jdk.incubator.foreign Finds jdk.incubator.vector.VectorShape
-cp classpath --add-modules ALL-SYSTEM Finds jdk.incubator.vector.VectorShape
-cp classpath --add-modules ALL-DEFAULT Finds
-cp classpath --add-modules ALL-MODULE-PATH Finds
-cp classpath --add-modules ALL-NOPE Finds
-cp classpath --add-modules=, Finds
-cp classpath --limit-modules java.base Finds sql
-cp classpath --limit-modules java.base Finds java.sql.Connection com.sun.tools.javac.Main java.util.logging.Logger
-cp classpath --limit-modules java.sql Finds sql java.sql.Connection java.util.prefs.Preferences
-cp classpath --limit-modules java.base --add-modules java.logging Finds java.util.logging.Logger
-cp classpath --limit-modules java.logging --add-modules ALL-SYSTEM Finds
-cp classpath --limit-modules java.nope Finds
-cp classpath --limit-modules java.base --add-reads java.sql=java.logging --add-exports java.sql/java.sql=ALL-UNNAMED --add-opens java.desktop/x=ALL-UNNAMED Finds
-cp classpath --limit-modules java.base --patch-module java.sql=shadow Finds java.sql.Shadowed
-cp classpath --limit-modules java.logging --show-module-resolution Finds
-cp classpath:shadow Finds java.util.Shadowed java.sql.Shadowed
-cp shadow java.util.Shadowed
-cp shadow java.sql.Shadowed
-cp classpath:shadow --limit-modules java.base Finds java.util.Shadowed java.sql.Shadowed
--patch-module java.logging=curious -m java.logging/java.util.logging.Curious
--patch-module java.logging=curious --add-modules java.sql -m java.logging/java.util.logging.Curious
--patch-module java.logging=curious --add-reads java.logging=java.xml --add-modules java.sql -m java.logging/java.util.logging.Curious
--patch-module java.logging=curious --add-exports java.base/sun.net.www=java.logging --add-modules java.sql -m java.logging/java.util.logging.Curious
-m jdk.jartool/sun.tools.jar.Main --version
-m jdk.jartool
--show-module-resolution -m jdk.jartool/sun.tools.jar.Main --version
-d java.sql
-d jdk.incubator.vector
--limit-modules java.base -d java.sql
--list-modules
--limit-modules java.sql --list-modules
-cp classpath -Djdk.module.limitmods=java.base Finds sql
-cp classpath -Djdk.module.addmods.0=java.nope -Djdk.module.path=mods Finds
-cp classpath -Djdk.module.pathx=mods -Djdk.module.addmodsx=java.nope Finds
-cp classpath -Djdk.module.main=java.sql Finds java.util.prefs.Preferences
-cp classpath -Djdk.module.main=java.nope Finds
-cp classpath -Djdk.module.showModuleResolution=x Finds
""".strip().splitlines()


def javac(*arguments):
    subprocess.run([str(JDK / "bin/javac"), "-nowarn", *map(str, arguments)], cwd=WORK, check=True)


def jar(path, folder, *arguments):
    subprocess.run(
        [str(JDK / "bin/jar"), "--create", "--file", str(path), *arguments, "-C", str(folder), "."],
        cwd=WORK,
        check=True,
    )


def prepare():
    shutil.rmtree(WORK, ignore_errors=True)
    shutil.copytree(SOURCES, WORK / "source")
    for folder in ("auto", "jars", "broken", "badclass", "twins", "patch/greet/impl"):
        (WORK / folder).mkdir(parents=True)
    source = WORK / "source"
    javac("-d", "mods", "--module-version", "1.2", "--module-source-path", "source", "--module", "greet,plugin,app")
    javac("-d", "tools", "-cp", "mods/greet", source / "tools/tools/Tool.java")
    (WORK / "tools/META-INF/services").mkdir(parents=True)
    (WORK / "tools/META-INF/services/greet.Greeter").write_text("tools.Tool\n")
    jar("auto/tools-1.5.jar", "tools")
    javac("-d", "mods", "-p", "mods:auto", "--module-source-path", "source", "--module", "boots")
    for name in ("boots/note.txt", "boots/open/note.txt", "top.txt"):
        (WORK / "mods/boots" / name).write_text("a note\n")
    javac(
        "-d",
        "mods",
        "-p",
        "mods",
        "--add-modules",
        "plugin",
        "--add-exports",
        "greet/greet.impl=intruder",
        "--add-exports",
        "greet/greet.secret=intruder",
        "--add-exports",
        "java.base/jdk.internal.misc=intruder",
        "--module-source-path",
        "source",
        "--module",
        "intruder",
    )
    javac("-d", "twins", "--module-source-path", "source", "--module", "twin")
    javac("-d", "layers", source / "Layers.java")
    javac(
        "-d",
        "classpath",
        "--add-exports",
        "greet/greet.secret=ALL-UNNAMED",
        "-p",
        "mods",
        "--add-modules",
        "greet",
        source / "OnClassPath.java",
    )
    for module in ("greet", "plugin", "app", "boots"):
        jar(f"jars/{module}.jar", f"mods/{module}", *(["--main-class", "app.Main"] if module == "app" else []))
    # A module whose class changed after it was packaged.
    changed = (source / "greet/greet/impl/English.java").read_text().replace("Hello", "Hi")
    (WORK / "patch/greet/impl/English.java").write_text(changed)
    javac("-d", "patch", "-cp", "mods/greet", WORK / "patch/greet/impl/English.java")
    # Classes of the JDK are replaced, and new ones are added.
    base, logging = source / "patched/java.base", source / "patched/java.logging"
    javac("-d", "patched", "--patch-module", f"java.base={base}", *base.rglob("*.java"))
    javac("-d", "patched.logging", "--patch-module", f"java.logging={logging}", *logging.rglob("*.java"))
    jar("patched.jar", "patched.logging")
    javac(
        "-d",
        "classpath",
        "--patch-module",
        "java.base=patched",
        "--add-reads",
        "java.base=ALL-UNNAMED",
        source / "Patched.java",
    )
    # Classes on the class path in packages of the JDK, and a class in a module of the JDK that looks into others.
    javac("-d", "classpath", source / "Finds.java")
    for module in ("java.base", "java.sql"):
        javac(
            "-d",
            "shadow",
            "--patch-module",
            f"{module}={source / 'shadow' / module}",
            *(source / "shadow" / module).rglob("*.java"),
        )
    javac(
        "-d",
        "curious",
        "--patch-module",
        f"java.logging={source / 'curious/java.logging'}",
        "--add-reads",
        "java.logging=java.xml,java.sql",
        "--add-modules",
        "java.sql",
        "--add-exports",
        "java.base/sun.net.www=java.logging",
        "-XDignore.symbol.file",
        *(source / "curious").rglob("*.java"),
    )
    # A jar that is cut off, and files that are no class files.
    (WORK / "broken/app.jar").write_bytes((WORK / "jars/app.jar").read_bytes()[:200])
    shutil.copytree(WORK / "mods/app", WORK / "badclass/app")
    shutil.copytree(WORK / "mods/greet", WORK / "badclass/greet")
    good = (WORK / "mods/app/app/Main.class").read_bytes()
    (WORK / "badclass/app/app/Main.class").write_bytes(good[:7] + b"\xff" + good[8:])


def run(vm, arguments):
    done = subprocess.run([vm] + arguments, cwd=WORK, capture_output=True, text=True, timeout=120, errors="replace")
    return done.stdout, done.stderr, done.returncode


def comparable(case, result):
    """Returns the text without identity hashes, line numbers of the JDK's own classes, and the order of elements of
    sets, which vary from run to run."""
    out, err, code = result
    if re.match(r"((-p|--limit-modules) \S+ )?(-d|--describe-module) ", case) or "--show-module-resolution" in case:
        out = "\n".join(sorted(out.splitlines()))
    err = re.sub(r"(modules: )(.*)", lambda found: found[1] + ", ".join(sorted(found[2].split(", "))), err)
    out = re.sub(
        r"both (module \S+) and (module \S+)", lambda found: "both " + " and ".join(sorted(found.groups())), out
    )
    return tuple(
        re.sub(
            r"(BuiltinClassLoader|ClassLoaders)\.java:\d+",
            r"\1.java",
            re.sub(r"@(0x)?[0-9a-f]{5,}|versions up to [0-9.]+", "", text),
        )
        for text in (out, err)
    ) + (code,)


def hint_without_module():
    """Checks Keyhole's addition to the error about a missing class, on a runtime image that was made without the
    class's module."""
    image, jlink = WORK / "image", JDK / "bin" / "jlink"
    if not jlink.exists():
        return ""
    subprocess.run([str(jlink), "--add-modules", "java.base", "--output", str(image)], check=True)
    done = subprocess.run([VM, "-cp", "classpath", "Finds", "sql"], cwd=WORK, capture_output=True, text=True,
                          timeout=120, env={**os.environ, "KEYHOLE_JAVA_HOME": str(image)})
    return "".join(line for line in done.stderr.splitlines() if line.startswith("keyhole: "))


def main():
    prepare()
    hint = hint_without_module()
    passed, failed = int(not hint), int(bool(hint))
    if hint:
        print(f"FAILED a runtime image without a module\n  keyhole: {hint}")
    for case in CASES:
        expected, found = comparable(case, run(str(JDK / "bin/java"), case.split())), comparable(
            case, run(VM, case.split())
        )
        if expected == found:
            passed += 1
        else:
            failed += 1
            print(f"FAILED {case}\n  java:    {expected}\n  keyhole: {found}", flush=True)
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
