#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""Runs java and Keyhole with damaged jars on the class path and behind -jar. Both must have the same output, exit code
and kind of error.

    tests/fuzz/jars.py [--seed N] [--count N | --seconds N] [--library 25]

The jars are stored or deflated, with and without data descriptors, comments, Class-Path and versioned entries. Two
thirds of the damage is in their headers. The same seed damages the same bytes in the same way. Jars that differ are
kept in build/fuzz-tests/found.
"""
import argparse
import io
import os
import pathlib
import random
import re
import subprocess
import sys
import time
import warnings
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(ROOT / "tests" / "launcher"))
import chosen_home

JDK = chosen_home.chosen_home()
VM = os.environ.get("KEYHOLE_VM", str(ROOT / "build" / "release" / "keyhole"))
WORK = ROOT / "build" / "fuzz-tests" / f"jars-{chosen_home.release(JDK)}"
FOUND = ROOT / "build" / "fuzz-tests" / "found"
TIMEOUT_SECONDS = 60
INTERESTING = [0, 1, 2, 3, 8, 9, 20, 45, 0x7F, 0x80, 0xFF]


class Unseekable(io.BytesIO):
    """A stream that cannot seek, so that zipfile writes data descriptors."""
    def seekable(self):
        return False

    def seek(self, *where):
        raise OSError

    def tell(self):
        raise OSError


def whole_jar(dice, classes):
    manifest = "Manifest-Version: 1.0\r\nMain-Class: Jarred\r\n"
    if dice.random() < 0.3:
        manifest += "Class-Path: other.jar none.jar\r\n"
    if dice.random() < 0.3:
        manifest += "Multi-Release: true\r\n"
    manifest += "Implementation-Title: a title that is so long that it is folded into a second l\r\n ine\r\n"
    manifest += "\r\nName: inside/\r\nSpecification-Version: 2.1\r\n\r\n"
    out = Unseekable() if dice.random() < 0.3 else io.BytesIO()
    usual = dice.choice([zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
    with zipfile.ZipFile(out, "w", usual) as jar:
        def add(name, data, method=usual):
            entry = zipfile.ZipInfo(name, (2024, 2, 28, 12, 0, 2))
            entry.compress_type = method
            if dice.random() < 0.15:
                entry.extra = dice.choice([b"\xfe\xca\0\0", b"UT\5\0\1\0\0\0\0", b"\1\0\x10\0" + bytes(16)])
            if dice.random() < 0.1:
                entry.comment = b"of this entry"
            jar.writestr(entry, data)

        add("META-INF/MANIFEST.MF", manifest)
        for name, data in classes:
            add(name, data)
        add("short.txt", "short")
        add("folder/", "", zipfile.ZIP_STORED)
        add("folder/long.txt", "a line of a long text\n" * 2000)
        add("folder/stored.bin", bytes(dice.randrange(256) for _ in range(300)), zipfile.ZIP_STORED)
        add("versioned.txt", "old")
        add("META-INF/versions/9/versioned.txt", "new one")
        if dice.random() < 0.2:
            add("twice", "first")
            add("twice", "the second")
        if dice.random() < 0.2:
            jar.comment = b"a comment PK\5\6 that looks like an end"
    return out.getvalue()


def damaged(data, dice):
    """Overwrites bytes of a header or of any part, flips a bit, inserts or removes bytes, or cuts off the end."""
    result = bytearray(data)
    starts = [match.start() for match in re.finditer(rb"PK(\x01\x02|\x03\x04|\x05\x06|\x07\x08)", data)]

    def position():
        if dice.random() < 0.67:
            return min(dice.choice(starts) + dice.randrange(64), len(result) - 1)
        return dice.randrange(len(result))

    kind = dice.random()
    if kind < 0.65:
        for _ in range(dice.choice([1, 1, 1, 2, 3])):
            result[position()] = dice.choice([*INTERESTING, dice.randrange(256)])
    elif kind < 0.8:
        result[position()] ^= 1 << dice.randrange(8)
    elif kind < 0.9:
        at = position()
        result[at : at + dice.randrange(4)] = bytes(dice.randrange(256) for _ in range(dice.randrange(4)))
    elif kind < 0.95:
        del result[dice.randrange(len(result)) :]
    else:
        result[0:0] = bytes(dice.randrange(256) for _ in range(dice.randrange(1, 80)))
    return bytes(result)


def outcome(vm, words):
    environment = dict(os.environ, KEYHOLE_JAVA_HOME=str(JDK))
    try:
        done = subprocess.run([vm, *words], cwd=WORK, capture_output=True, timeout=TIMEOUT_SECONDS, env=environment)
    except subprocess.TimeoutExpired:
        return "timeout", "", ""
    out = re.sub(r"@[0-9a-f]+", "@", done.stdout.decode("latin1"))   # identity hashes differ
    return done.returncode, out, headline(done.stderr.decode("latin1"))


def headline(error):
    """Returns the name of the exception that ended the program, without its message, or else the first line of the
    error output."""
    for line in error.split("\n"):
        if "Error" in line or "Exception" in line:
            return line.split(":")[0] if not line.startswith("Error: ") else line
    return error.split("\n")[0]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=0, help="go on for so long, instead of --count")
    options = parser.parse_args()
    warnings.simplefilter("ignore")   # zipfile warns about two entries with one name
    (WORK / "classes").mkdir(parents=True, exist_ok=True)
    FOUND.mkdir(parents=True, exist_ok=True)
    javac = JDK / "bin" / "javac"
    sources = [str(path) for path in sorted((HERE / "jars").rglob("*.java"))]
    subprocess.run([str(javac), "--release", "17", "-d", str(WORK / "classes"), *sources], check=True)
    files = sorted((WORK / "classes").rglob("*.class"))
    classes = [(str(file.relative_to(WORK / "classes")), file.read_bytes()) for file in files]
    with zipfile.ZipFile(WORK / "other.jar", "w") as other:
        other.writestr("inside/Missing.class", classes[0][1])
        other.writestr("META-INF/MANIFEST.MF", "Manifest-Version: 1.0\r\n\r\n")
    passed = failed = number = 0
    until = time.monotonic() + options.seconds
    while time.monotonic() < until if options.seconds else number < options.count:
        dice = random.Random(f"{options.seed} {number}")
        jar = whole_jar(dice, classes)
        if number % 50:   # each fiftieth jar is undamaged
            jar = damaged(jar, dice)
        (WORK / "damaged.jar").write_bytes(jar)
        words = ["-jar", "damaged.jar"] if dice.random() < 0.3 else ["-cp", "damaged.jar", "Jarred"]
        java = outcome(str(JDK / "bin" / "java"), ["-Xshare:auto", "-XX:TieredStopAtLevel=1", *words])
        keyhole = outcome(VM, words)
        if java == keyhole:
            passed += 1
        else:
            failed += 1
            kept = FOUND / f"damaged-{options.seed}-{number}.jar"
            kept.write_bytes(jar)
            print(f"FAILED {kept}: {' '.join(words)}\n  java    {java[0]}: {java[2]}\n  keyhole {keyhole[0]}: {keyhole[2]}")
            lines = java[1].splitlines(), keyhole[1].splitlines()
            for one, other in zip(*(each + [""] * (20 - len(each)) for each in lines)):
                if one != other:
                    print(f"  java    {one}\n  keyhole {other}")
            sys.stdout.flush()
        number += 1
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
