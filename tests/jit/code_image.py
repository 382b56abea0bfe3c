#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""Tests -XX:CodeImage with a whole VM: the second run links code that the first run compiled, and prints the same
output.

    tests/jit/code_image.py [--vm build/release/keyhole] [--changed 1000]
"""
import argparse
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "java"))
from homes import main_home

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
JDK = main_home()
PATIENCE = [1200, 5000, 30_000]   # milliseconds that a run compiles; on a busy machine the test tries the longer times
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

# Two classes have this method `work`. Both methods are compiled to the same function, but their loops are at different
# bcis, because the constants have different indices.
LATE_CONSTANTS = """
public class Late {
  static String[] filler() { return new String[] {FILLER}; }
  static int work(int rounds) {
    int sum = 0;
    CONSTANTS
    for (int i = 0; i < rounds; i++) sum = sum * 31 + (i ^ sum >>> 7);
    return sum;
  }
  public static void main(String[] arguments) {
    int sum = 0;
    for (int i = 0; i < 3; i++) sum ^= work(60_000_000 + i);
    System.out.println(sum);
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
    """Returns the numbers of methods, objects and linked objects, from the last line about the image."""
    lines = re.findall(r"(\d+) methods, (\d+) objects, (\d+) of them linked", result.stdout)
    return tuple(int(number) for number in lines[-1]) if lines else (0, 0, 0)


def test_runs(vm, classes, image, expected):
    def keyhole(*flags, milliseconds=1200):
        words = [f"-XX:CodeImage={image}", "-Xlog:jit*=debug", "-XX:Tier4PayBackPercent=0", *flags]
        return run([vm, *words, "-cp", classes, "Kept", milliseconds])

    def answer(result):
        return [line for line in result.stdout.splitlines() if not line.startswith("[")]

    def of_llvm(result):
        """Returns how often LLVM has compiled code, and how often code was only linked."""
        passes = [int(number) for number in re.findall(r"optimised: .* passes (\d+), code", result.stdout)]
        return sum(number > 0 for number in passes), sum(number == 0 for number in passes)

    def linked_before_compiled(result):
        """Returns the code that was linked although LLVM had not compiled it before in this run. Code that LLVM has
        compiled in this run may be linked later, when other code has replaced it and a loop of its method becomes
        hot once more."""
        compiled, linked = set(), []
        for code, passes in re.findall(r"optimised: \d+ (.*?: \d+ bytes) .* passes (\d+), code", result.stdout):
            if int(passes) > 0: compiled.add(code)
            elif code not in compiled: linked.append(code)
        return linked

    for milliseconds in PATIENCE:
        first = keyhole(milliseconds=milliseconds)
        check("first run", answer(first) == expected, first.stdout[-300:] + first.stderr[-300:])
        methods, objects, _ = totals(first)
        if methods > 3:
            break
        image.unlink(missing_ok=True)
    check("first run keeps", methods > 0 and objects > 0 and image.exists(), (methods, objects))
    check("first run compiles", of_llvm(first)[0] > 0 and not linked_before_compiled(first),
          linked_before_compiled(first))
    # Each run adds the functions that it has compiled to the image. On a busy machine the first runs sample few
    # methods. The next runs have larger profiles of these methods, and so compile the methods to different functions.
    linked = 0
    for milliseconds in [each for each in PATIENCE for _ in range(3)]:
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


def test_trust(vm, image):
    """Tests that an image is used only if nobody but its owner may write the file and the folders that lead to it."""
    def warning():
        result = run([vm, f"-XX:CodeImage={image}", "-version"])
        check("trust: exit code", result.returncode == 0, result.returncode)
        return next((line for line in result.stderr.splitlines() if "CodeImage" in line), "")

    check("trusted", warning() == "", warning())
    folder = image.parent / "open"
    folder.mkdir()
    for mode in (0o620, 0o602, 0o666):
        image.chmod(mode)
        check(f"mode {mode:o}", f"others may write it (mode 0{mode:o})" in warning(), warning())
    image.chmod(0o644)
    link = image.with_name("link")
    link.symlink_to(image)
    moved, image = image, link
    check("link", "it is a symbolic link" in warning(), warning())
    image = folder / "image"
    image.write_bytes(moved.read_bytes())
    image.chmod(0o600)
    for mode, is_trusted in ((0o777, False), (0o775, False), (0o1777, True), (0o755, True)):
        folder.chmod(mode)
        words = f"others may write its folder {folder} (mode {mode:04o})"
        check(f"folder's mode {mode:o}", (words not in warning()) == is_trusted, warning())
    if os.geteuid() == 0:
        os.chown(image, 12345, 12345)
        check("another owner", "it belongs to another user" in warning(), warning())
        os.chown(image, 0, 0)
    os.mkfifo(folder / "pipe")
    image = folder / "pipe"
    check("pipe", "it is not a code image" in warning(), warning())


def test_changed_images(vm, classes, image, expected, count):
    """Changes names, profiles, bcis, counts and lengths under a correct checksum. The VM must read or refuse each
    image."""
    changer = vm.parent / "tests" / "jit_image_test"
    if not changer.exists():
        check("images are changed", False, f"there is no {changer}")
        return
    changed = image.with_name("changed-image")
    refused = linked = 0
    first = 1 if count <= 20 else random.randrange(1 << 30)
    for seed in range(first, first + count):
        words = f"{image}:{changed}:{seed}"
        run([changer, "--gtest_filter=ChangedImage.*"], env={**os.environ, "KEYHOLE_CHANGE_IMAGE": words}).check_returncode()
        result = run([vm, f"-XX:CodeImage={changed}", "-Xlog:jit+image=debug", "-XX:Tier4PayBackPercent=0", "-cp", classes,
                      "Kept", 700])
        answer = [line for line in result.stdout.splitlines() if not line.startswith("[")]
        check(f"changed image, seed {seed}", result.returncode == 0 and answer == expected,
              f"{result.returncode} {result.stdout[-200:]} {result.stderr[-600:]}")
        refused += "CodeImage" in result.stderr
        linked += totals(result)[2] > 0
    check("some of the changed images are used", linked > 0, f"{refused} refused, {linked} used, of {count}")


def test_class_compiled_otherwise(vm, classes):
    folders, expected = [], None
    constants = " ".join(f"sum ^= {1_000_000 + i};" for i in range(40))
    for name, fillers in (("early", 0), ("late", 300)):
        folder = classes / name
        folder.mkdir()
        text = LATE_CONSTANTS.replace("FILLER", ", ".join(f'"f{i}"' for i in range(fillers)))
        (folder / "Late.java").write_text(text.replace("CONSTANTS", constants))
        run([JDK / "bin" / "javac", "-d", folder, folder / "Late.java"]).check_returncode()
        folders.append(folder)
    expected = run([JDK / "bin" / "java", "-cp", folders[0], "Late"]).stdout
    image = classes / "late.image"
    for folder in (*folders, *folders):
        result = run([vm, f"-XX:CodeImage={image}", "-Xlog:jit+image=debug:stderr", "-cp", folder, "Late"])
        check(f"class compiled otherwise, {folder.name}", (result.stdout, result.returncode) == (expected, 0),
              result.stdout[-300:] + result.stderr[-600:])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--vm", type=pathlib.Path, default=ROOT / "build" / "release" / "keyhole")
    parser.add_argument("--changed", type=int, default=12, help="how many changed images")
    chosen = parser.parse_args()
    vm = chosen.vm.resolve()
    with tempfile.TemporaryDirectory() as folder:
        classes = pathlib.Path(folder)
        (classes / "Kept.java").write_text(PROGRAM)
        run([JDK / "bin" / "javac", "-d", classes, classes / "Kept.java"]).check_returncode()
        expected = run([JDK / "bin" / "java", "-cp", classes, "Kept", "0"]).stdout.splitlines()
        image = classes / "image"
        test_runs(vm, classes, image, expected)
        test_refusals(vm, classes, image)
        test_changed_images(vm, classes, image, expected, chosen.changed)
        test_trust(vm, image)
        test_class_compiled_otherwise(vm, classes)
    for failure in failures:
        print(f"FAILED {failure}")
    print(f"{passed} passed, {len(failures)} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
