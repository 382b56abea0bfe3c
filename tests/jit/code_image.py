#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""-XX:CodeImage of a whole VM: the second run links what the first one compiled, and prints the same.

    tests/jit/code_image.py [--vm build/release/keyhole]
"""
import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "java"))
from homes import main_home

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
JDK = main_home()
PATIENCE = [1200, 5000, 30_000]   # milliseconds until enough is compiled, on machines that do other things, too
MODES = ["lightweight", "monitor", "legacy", "cjm-fifo", "hashchains+3"]

PROGRAM = """
import java.util.*;
import java.util.function.*;
public class Kept {
  interface Shape { double area(); }
  record Circle(double radius) implements Shape { public double area() { return radius * radius * 3; } }
  record Square(double side) implements Shape { public double area() { return side * side; } }
  static final Object lock = new Object();
  static int locked;
  static double areas(Shape[] shapes) { double sum = 0; for (Shape shape : shapes) sum += shape.area(); return sum; }
  static int failing(int[] values, int index) {
    try { return values[index & 7]; } catch (ArrayIndexOutOfBoundsException expected) { return -1; }
  }
  static long work(int round) {
    Map<Integer, String> names = new HashMap<>();
    for (int i = 0; i < 300; i++) names.merge(i % 40, "n" + i % 7, String::concat);
    Shape[] shapes = new Shape[64];
    for (int i = 0; i < shapes.length; i++) shapes[i] = i % 3 == 0 ? new Circle(i) : new Square(i + round % 2);
    int[] values = new int[6];
    long sum = (long) areas(shapes);
    for (int i = 0; i < 500; i++) {
      sum += failing(values, i);
      synchronized (lock) { locked++; }
    }
    for (String name : names.values()) sum = sum * 31 + name.hashCode() % 1000;
    return sum;
  }
  public static void main(String[] arguments) {
    long sum = 0, end = System.nanoTime() + Long.parseLong(arguments[0]) * 1_000_000;
    for (int round = 0; round < 400; round++) sum = sum * 7 + work(round);
    System.out.println(sum + " " + locked);
    while (System.nanoTime() < end) work(1);   // until all is compiled
  }
}
"""

failures = []
passed = 0


def check(name, condition, what=""):
    global passed
    if condition:
        passed += 1
    else:
        failures.append(f"{name}: {what}")


def run(command, **options):
    return subprocess.run([str(part) for part in command], capture_output=True, text=True, timeout=180, **options)


def totals(result):
    """Methods, objects and linked objects of the last line about the image."""
    lines = re.findall(r"(\d+) methods, (\d+) objects, (\d+) of them linked", result.stdout)
    return tuple(int(number) for number in lines[-1]) if lines else (0, 0, 0)


def test_runs(vm, classes, image, expected):
    def keyhole(*flags, milliseconds=1200):
        words = [f"-XX:CodeImage={image}", "-Xlog:jit*=debug", "-XX:Tier4PayBackPercent=0", *flags]
        return run([vm, *words, "-cp", classes, "Kept", milliseconds])

    def answer(result):
        return [line for line in result.stdout.splitlines() if not line.startswith("[")]

    def of_llvm(result):
        """The codes that LLVM has made, and those that were linked only."""
        passes = [int(number) for number in re.findall(r"optimised: .* passes (\d+), code", result.stdout)]
        return sum(number > 0 for number in passes), sum(number == 0 for number in passes)

    for milliseconds in PATIENCE:
        first = keyhole(milliseconds=milliseconds)
        check("first run", answer(first) == expected, first.stdout[-300:] + first.stderr[-300:])
        methods, objects, _ = totals(first)
        if methods > 3:
            break
        image.unlink(missing_ok=True)
    check("first run keeps", methods > 0 and objects > 0 and image.exists(), (methods, objects))
    check("first run compiles", of_llvm(first)[1] == 0, of_llvm(first))
    linked = 0
    for milliseconds in PATIENCE:
        if linked < 3:
            again = keyhole(milliseconds=milliseconds)
            check("again", answer(again) == expected, again.stdout[-300:] + again.stderr[-300:])
            linked = of_llvm(again)[1]
    check("again: links", linked >= 3, linked)
    for stress in (["-XX:ExitStressInterval=5"], ["-XX:GCStressInterval=500", "-XX:+VerifyAfterGC"]):
        stressed = keyhole(*stress)
        check(f"with {stress[0]}", answer(stressed) == expected, stressed.stdout[-300:] + stressed.stderr[-300:])
    for mode in MODES:
        for _ in range(2):
            other = keyhole(f"-XX:LockingMode={mode}")
            check(f"one image, {mode}", answer(other) == expected, other.stdout[-300:] + other.stderr[-300:])


def test_refusals(vm, classes, image):
    def warning_of(path):
        result = run([vm, f"-XX:CodeImage={path}", "-version"])
        check(f"{path.name}: exit code", result.returncode == 0, result.returncode)
        return next((line for line in result.stderr.splitlines() if "CodeImage" in line), "")

    content = image.read_bytes()
    wrong = image.with_name("wrong")
    for bytes_, words in ((b"a letter\n", "it is not a code image"), (content[:-20], "it is damaged"),
                          (re.sub(rb"build \w+", b"build 00", content, count=1), "another build of Keyhole"),
                          (re.sub(rb"header \w+", b"header other", content, count=1), "another header (other; this is")):
        wrong.write_bytes(bytes_)
        line = warning_of(wrong)
        check(f"refused: {words}", words in line and line.startswith("Keyhole warning: "), line)
        check(f"left as it is: {words}", wrong.read_bytes() == bytes_)
    line = warning_of(image.parent)
    check("a folder", "it is not a code image" in line, line)
    changed = classes / "changed"
    changed.mkdir()
    (changed / "Kept.java").write_text(PROGRAM.replace("* 31", "* 33"))
    run([JDK / "bin" / "javac", "-d", changed, changed / "Kept.java"])
    expected = run([JDK / "bin" / "java", "-cp", changed, "Kept", "0"]).stdout
    result = run([vm, f"-XX:CodeImage={image}", "-cp", changed, "Kept", "1200"])
    check("another program of the same names", result.stdout == expected, result.stdout + result.stderr)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--vm", type=pathlib.Path, default=ROOT / "build" / "release" / "keyhole")
    vm = parser.parse_args().vm.resolve()
    with tempfile.TemporaryDirectory() as folder:
        classes = pathlib.Path(folder)
        (classes / "Kept.java").write_text(PROGRAM)
        run([JDK / "bin" / "javac", "-d", classes, classes / "Kept.java"]).check_returncode()
        expected = run([JDK / "bin" / "java", "-cp", classes, "Kept", "0"]).stdout.splitlines()
        image = classes / "image"
        test_runs(vm, classes, image, expected)
        test_refusals(vm, classes, image)
    for failure in failures:
        print(f"FAILED {failure}")
    print(f"{passed} passed, {len(failures)} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
