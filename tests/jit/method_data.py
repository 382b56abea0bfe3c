#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""Checks profiles (-XX:+PrintMethodData) of a program whose counts are known. The counts are those of the interpreter,
of baseline code, or of first one and then the other.

    tests/jit/method_data.py [--vm build/release/keyhole]
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

PROGRAM = """
public class Profiled {
  interface Shape { int area(); }
  static class Square implements Shape { public int area() { return 4; } }
  static class Circle implements Shape { public int area() { return 3; } }
  static class Point implements Shape { public int area() { return 0; } }
  static class Line extends Point { public int area() { return 1; } }

  static int once(int i) { if ((i & 3) == 0) return 1; return i < 0 ? 2 : 3; }
  static int loops(int n) { int sum = 0; for (int i = 0; i < n; i++) for (int j = 0; j < 5; j++) sum += j; return sum; }
  static int bottom(int n) { do { n--; } while (n > 0); return n; }
  static int longs(long n) { int turns = 0; while (n > 0L) { n -= 3L; turns++; } return turns; }
  static int doubles(double n) { int turns = 0; while (n > 0.5) { n -= 1.0; turns++; } return turns; }
  static int table(int key) { switch (key) { case 3: return 1; case 4: return 2; case 5: return 3; default: return 0; } }
  static int lookup(int key) { switch (key) { case -100: return 1; case 7: return 2; case 1000: return 3; case 50000: return 4; default: return 0; } }
  static int mono(Square s) { int sum = 0; for (int i = 0; i < 2; i++) sum += s.area(); return sum; }
  static int bi(Shape s) { int sum = 0; for (int i = 0; i < 2; i++) sum += s.area(); return sum; }
  static int mega(Shape s) { int sum = 0; for (int i = 0; i < 2; i++) sum += s.area(); return sum; }
  static int table2(Point p) { int sum = 0; for (int i = 0; i < 2; i++) sum += p.area(); return sum; }
  static int cast(Object o) { int sum = 0; for (int i = 0; i < 1; i++) sum += ((Square) o) == null ? 1 : 2; return sum; }
  static int test(Object o) { int sum = 0; for (int i = 0; i < 1; i++) sum += o instanceof Shape ? 1 : 2; return sum; }
  static int exact(Object o) { int sum = 0; for (int i = 0; i < 1; i++) sum += o instanceof Point ? 1 : 2; return sum; }
  static void store(Object[] array, Object o) { for (int i = 0; i < array.length; i++) array[i] = o; }
  static int element(int[] array, int at, int by) { int sum = 0; for (int i = 0; i < 1; i++) sum += array[at] / by; return sum; }
  static int many(Object a, Object b) { return a == b ? 1 : a != null && b != null ? 2 : 3; }

  static int raced(Shape s, int i) { return (i & 1) == 0 ? s.area() : s instanceof Point ? 1 : 2; }
  static void race(Shape[] shapes) throws Exception {
    Thread[] threads = new Thread[4];
    for (int t = 0; t < 4; t++) {
      int own = t;
      threads[t] = new Thread(() -> { int sum = 0; for (int i = 0; i < 50000; i++) sum += raced(shapes[(i + own) & 3], i); shapes[0].area(); });
      threads[t].start();
    }
    for (Thread thread : threads) thread.join();
  }

  static Shape shape(int i) { return i == 0 ? new Square() : i == 1 ? new Circle() : i == 2 ? new Point() : new Line(); }

  public static void main(String[] arguments) throws Exception {
    Shape[] shapes = new Shape[4];
    for (int i = 0; i < 4; i++) shapes[i] = shape(i);
    Object[] objects = new Object[1], squares = new Square[1];
    int[] numbers = {10, 20};
    long sum = 0;
    for (int i = 0; i < 1000; i++) {
      sum += once(i) + loops(3) + bottom(4) + longs(9L) + doubles(3.0);
      sum += table(i % 10) + lookup(i % 4 == 0 ? 7 : i % 4 == 1 ? 50000 : i % 4 == 2 ? -100 : i);
      sum += mono((Square) shapes[0]) + bi(shapes[i % 5 == 0 ? 1 : 0]) + mega(shapes[i % 4]) + table2((Point) shapes[2 + i % 2]);
      try { sum += cast(i % 10 == 9 ? shapes[1] : i % 10 == 8 ? null : shapes[0]); } catch (ClassCastException e) { sum++; }
      sum += test(i % 2 == 0 ? shapes[i % 4] : i % 4 == 1 ? null : "text") + exact(i % 2 == 0 ? shapes[3] : shapes[0]);
      store(objects, i % 4 == 0 ? null : shapes[i % 2]);
      try { store(squares, shapes[i % 10 == 5 ? 1 : 0]); } catch (ArrayStoreException e) { sum++; }
      try { sum += element(i % 10 == 1 ? null : numbers, i % 10 == 2 ? 2 : 1, i % 10 == 3 ? 0 : 1); } catch (RuntimeException e) { sum++; }
      sum += many(shapes[0], i % 3 == 0 ? shapes[0] : i % 3 == 1 ? shapes[1] : null);
    }
    race(shapes);
    System.out.println(sum);
  }
}
"""
S, C, P, L = "Profiled$Square", "Profiled$Circle", "Profiled$Point", "Profiled$Line"


def once(trips):   # a loop that is left once per call
    return [f"taken 1000, not taken {trips * 1000}", f"taken {trips * 1000}"]


def entered(trips):
    return f"loop: entered 1000 times, {trips * 1000} backward branches, {trips}.0 each"


# The lines below the bytecode, in order. The classes of an invoke that have the same count may come in any order, so
# they are sorted by name.
EXPECTED = {
    "once": ["taken 750, not taken 250", "taken 750, not taken 0"],
    "loops": [
        "loop: entered 1000 times, 3000 backward branches, 3.0 each",
        "taken 1000, not taken 3000",
        "loop: entered 3000 times, 15000 backward branches, 5.0 each",
        "taken 3000, not taken 15000",
        "taken 15000",
        "taken 3000",
    ],
    "bottom": ["loop: entered 1000 times, 3000 backward branches, 3.0 each", "taken 3000, not taken 1000"],
    "longs": [entered(3)] + once(3),
    "doubles": [entered(3)] + once(3),
    "table": ["3: 100, 4: 100, 5: 100, default: 700"],
    "lookup": ["-100: 250, 7: 251, 50000: 250, default: 249"],
    "mono": [entered(2), "taken 1000, not taken 2000", f"{S} 2000", "taken 2000"],
    "bi": [entered(2), "taken 1000, not taken 2000", f"{S} 1600, {C} 400", "taken 2000"],
    "mega": [entered(2), "taken 1000, not taken 2000", f"{S} 500, {C} 500, other classes 1000", "taken 2000"],
    "table2": [entered(2), "taken 1000, not taken 2000", f"{P} 1000, {L} 1000", "taken 2000"],
    # Of 1000 objects, one in ten is a Circle, for which the cast fails, and one in ten is null.
    "cast": [
        "loop: entered 900 times, 900 backward branches, 1.0 each",
        "taken 900, not taken 1000",
        f"{S} 800, {C} 100, null 100",
        "class_check 100",
        "taken 800, not taken 100",
        "taken 900",
    ],
    "test": [
        entered(1),
        "taken 1000, not taken 1000",
        f"{S} 250, {P} 250, other classes 250, null 250",
        "taken 500, not taken 500",
        "taken 1000",
    ],
    "exact": [entered(1), "taken 1000, not taken 1000", f"{L} 500, {S} 500", "taken 500, not taken 500", "taken 1000"],
    "store": [
        "loop: entered 1900 times, 1900 backward branches, 1.0 each",
        "taken 1900, not taken 2000",
        f"{S} 1150, {C} 600, null 250",
        "array_check 100",
        "taken 1900",
    ],
    "element": [
        "loop: entered 700 times, 700 backward branches, 1.0 each",
        "taken 700, not taken 1000",
        "null_check 100",
        "range_check 100",
        "div0_check 100",
        "taken 700",
    ],
    "many": ["taken 666, not taken 334", "taken 0, not taken 666", "taken 333, not taken 333"],
}
TWICE_CALLED = ["store"]
TRAPS = {
    "cast": "class_check 100",
    "store": "array_check 100",
    "element": "null_check 100, range_check 100, div0_check 100",
}

FROM_THE_FIRST_CALL = ["-XX:InterpreterProfilePercentage=0"]
CONFIGURATIONS = {
    "interpreter": FROM_THE_FIRST_CALL + ["-XX:-ProfileBaseline", "-XX:CompileOnly=Nothing"],
    "both": FROM_THE_FIRST_CALL,
    "both, calls are calls": FROM_THE_FIRST_CALL + ["-XX:-Inline"],
    "both, other headers": FROM_THE_FIRST_CALL + ["-XX:-UseCompactObjectHeaders"],
    "early": FROM_THE_FIRST_CALL
    + ["-XX:Tier3InvocationThreshold=2", "-XX:Tier3BackEdgeThreshold=3", "-XX:RecompilationThreshold=1"],
}


def profiles(vm, classes, options):
    command = [vm, "-XX:+PrintMethodData"] + options + ["-cp", classes, "Profiled"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    if done.returncode != 0:
        return {}, {}, done.stdout[-2000:] + done.stderr[-2000:]
    heads, lines = {}, {}
    for section in done.stdout.split("-" * 72 + "\n")[1:]:
        rows = section.splitlines()
        name = re.search(r" Profiled\.(\w+)\(", rows[0])
        if not name:
            continue
        heads[name.group(1)] = rows[1].strip()
        lines[name.group(1)] = [row.strip() for row in rows[3:] if row.startswith(" " * 14)]
    return heads, lines, done.stdout.splitlines()[0]


def in_order(line):
    """Sorts classes that have equal counts, because the VM prints these in any order."""
    if not line.startswith("Profiled$"):
        return line
    return ", ".join(
        sorted(line.split(", "), key=lambda part: (-int(part.split()[-1]) if part.startswith("Profiled$") else 1, part))
    )


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--vm", default=str(ROOT / "build" / "release" / "keyhole"))
    vm = parser.parse_args().vm
    results = []

    def expect(what, found, wanted):
        results.append(found == wanted)
        if found != wanted:
            print(f"FAILED {what}\n  found    {found}\n  expected {wanted}")

    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "Profiled.java").write_text(PROGRAM)
        subprocess.run([str(JDK / "bin" / "javac"), "-d", folder, f"{folder}/Profiled.java"], check=True)
        for name, options in CONFIGURATIONS.items():
            heads, lines, output = profiles(vm, folder, options)
            for method, wanted in EXPECTED.items():
                found = [in_order(line) for line in lines.get(method, [output])]
                expect(f"{name}: {method}", found, [in_order(line) for line in wanted])
                head = re.sub(r"\d+ bytes", "bytes", heads.get(method, ""))
                calls = 2000 if method in TWICE_CALLED else 1000
                expect(
                    f"{name}: {method}, calls and traps",
                    head,
                    f"calls {calls}, bytes" + (f"; {TRAPS[method]}" if method in TRAPS else "").replace(", ", "; "),
                )
            # Four threads count 50,000 times each. Some counts may be lost, none may be invented, and no class may have
            # two rows.
            counts = [[int(count) for count in re.findall(r"\b\d+\b", line)] for line in lines.get("raced", [])]
            expect(f"{name}: raced, sites", len(counts), 4)
            expect(f"{name}: raced, no more than there were", all(0 < sum(row) <= 200000 for row in counts), True)
            rows = [re.findall(r"Profiled\$\w+", line) for line in lines.get("raced", [])]
            expect(f"{name}: raced, rows", all(len(row) == len(set(row)) <= 2 for row in rows), True)
        # With -XX:TypeProfileWidth, a profile counts no class, one class or all classes of a receiver by name.
        for width, wanted in (
            (0, "other classes 2000"),
            (1, f"{S} 500, other classes 1500"),
            (4, f"{C} 500, {L} 500, {P} 500, {S} 500"),
        ):
            _, lines, output = profiles(vm, folder, FROM_THE_FIRST_CALL + [f"-XX:TypeProfileWidth={width}"])
            expect(f"width {width}", in_order(lines.get("mega", [output] * 3)[2]), wanted)
        # A cold method has no profile. The thresholds are so high that no method becomes hot, even if a busy machine
        # takes a few samples early.
        cold = ["-XX:Tier3InvocationThreshold=100000", "-XX:Tier3BackEdgeThreshold=1000000", "-XX:Tier4Samples=64"]
        heads, _, _ = profiles(vm, folder, cold)
        expect("cold methods", [name for name in EXPECTED if name in heads], [])
        # The 66th call is the first one that the profile counts, so 935 of the 1000 calls are counted.
        heads, _, _ = profiles(vm, folder, ["-XX:Tier3BackEdgeThreshold=1000000", "-XX:-Inline"])
        expect("warm methods", heads.get("once", "").split(",")[0], "calls 935")
        # Nothing without the flag.
        done = subprocess.run([vm, "-cp", folder, "Profiled"], capture_output=True, text=True, timeout=120)
        expect("no flag", (done.returncode, done.stdout.count("\n")), (0, 1))
    print(f"{sum(results)} passed, {len(results) - sum(results)} failed")
    sys.exit(0 if all(results) else 1)


if __name__ == "__main__":
    main()
