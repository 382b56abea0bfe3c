#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""Tests the optimising tier of a whole VM (-XX:TieredStopAtLevel=4): methods are compiled because this is forced or
because samples found them hot. The VM also runs without the plug-in.

    tests/jit/optimising_tier.py [--vm build/release/keyhole]

The plug-in is a file beside the executable. If the file is missing or is no plug-in, the VM warns once, and the program
runs in baseline code. If no method is hot, the file is not opened.
"""
import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "java"))
from homes import main_home

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
JDK = main_home()
PLUGIN = "libkeyhole-llvm.so"

PROGRAM = """
import java.nio.file.*;
public class Tier {
  static int sum(int[] array) { int sum = 0; for (int i = 0; i < array.length; i++) sum += array[i] ^ i; return sum; }
  static int[] array() { return new int[10]; }
  static boolean isOpen() throws Exception { return Files.readString(Path.of("/proc/self/maps")).contains("keyhole-llvm"); }
  // Each level has a dozen values that live across its call.
  static long deep(long a, long b, long c, long d, long e) {
    depth++;
    long f = a * b, g = b * c, h = c * d, i = d * e, j = e * a, k = a + c, l = b + d;
    return deep(b, c, d, e, a + 1) + f + g + h + i + j + k + l + a + b + c;
  }
  static int depth;
  static void overflow() {
    for (int i = 0; i < 5; i++) {
      depth = 0;
      try { System.out.println(deep(1, 2, 3, 4, 5)); } catch (StackOverflowError expected) { System.out.println(depth > 3000); }
    }
  }
  static int pick(Object value) { return value instanceof String text ? text.length() : value.hashCode(); }
  static int[] data = new int[1 << 14];
  static long loops() {
    long sum = 0;
    for (int k = 0; k < 20000; k++) for (int i = 0; i < data.length; i++) data[i] = data[i] * 31 + i;
    for (int k = 0; k < 20000; k++) for (int i = 0; i < data.length; i++) sum += data[i] ^ k;
    return sum;
  }
  public static void main(String[] arguments) throws Exception {
    if (arguments[0].equals("leaves")) {
      int sum = 0;
      for (int i = 0; i < 50; i++) sum += sum(array()) + pick(i);
      try { sum(null); } catch (NullPointerException expected) { System.out.println(sum + pick("text")); }
      return;
    }
    if (arguments[0].equals("loops")) { System.out.println(loops()); return; }
    if (arguments[0].equals("deep")) { overflow(); return; }
    int[] array = new int[1000];
    int sum = 0;
    long end = System.nanoTime() + 1_500_000_000L;   // enough for a compilation on a busy machine
    if (arguments[0].equals("cold")) sum += sum(array);
    if (arguments[0].equals("calls")) for (int i = 0; i < 50; i++) sum += sum(array);
    if (arguments[0].equals("busy")) while (System.nanoTime() < end) sum = sum(array);
    System.out.println(sum(array) + " " + isOpen());
  }
}
"""
ANSWER = "499500"
RECURSIVE_ANSWER = "8196233036610913664\n2203164973047331520\n"
LOOPS_ANSWER = "73819460730880"


def run(command):
    return subprocess.run(command, capture_output=True, text=True, timeout=120)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--vm", default=str(ROOT / "build" / "release" / "keyhole"))
    vm = pathlib.Path(parser.parse_args().vm).resolve()
    results = []

    def expect(what, good, shown):
        results.append(bool(good))
        if not good:
            print(f"FAILED {what}\n{shown.stdout}{shown.stderr}")

    with tempfile.TemporaryDirectory(dir=vm.parent) as folder:
        folder = pathlib.Path(folder)
        (folder / "Tier.java").write_text(PROGRAM)
        subprocess.run([JDK / "bin" / "javac", "-d", folder, folder / "Tier.java"], check=True)

        def tier(executable, *arguments):
            return run([executable, "-XX:TieredStopAtLevel=4", "-cp", folder, *arguments])

        optimised = r"\[jit\] optimised: \d+ int Tier\.sum\(int\[\]\): \d+ bytes of code"
        done = tier(vm, "Tier", "cold")
        expect("no method is hot", (done.stdout, done.stderr) == (f"{ANSWER} false\n", ""), done)
        done = tier(vm, "-Xcomp", "-Xlog:jit=debug", "Tier", "calls")
        expect("forced", re.search(optimised, done.stdout) and f"{ANSWER} true\n" in done.stdout, done)
        done = tier(vm, "-Xlog:jit=debug", "Tier", "busy")
        expect("sampled", re.search(optimised, done.stdout) and f"{ANSWER} true\n" in done.stdout, done)
        done = tier(vm, "-Xlog:jit=debug", "Tier", "loops")
        codes = len(re.findall(r"optimised: \d+ long Tier\.loops\(\)", done.stdout))
        expect("the method and its loops", codes >= 3 and "deoptimizes too often" not in done.stdout
               and f"\n{LOOPS_ANSWER}\n" in done.stdout, done)
        totals = re.search(r"optimised in all: (\d+) codes; each takes .* installed .* the first one \d+ us", done.stdout)
        expect("time and memory of all codes", totals and int(totals[1]) >= codes, done)
        done = tier(vm, "-Xcomp", "-Xlog:deoptimization=debug", "Tier", "leaves")
        sum_method = r"int Tier\.sum\(int\[\]\)"
        left = rf"\[deoptimization\] deoptimized 1 times: code \d+ of {sum_method}, at bci \d+ of {sum_method}: (null|hoisted)"
        expect("what is left, and why", re.search(left, done.stdout) and "3479\n" in done.stdout, done)
        program = ROOT / "tests" / "java" / "dispatch" / "RecursiveLoops.java"
        subprocess.run([JDK / "bin" / "javac", "-d", folder, program], check=True)
        done = tier(vm, "-XX:-BackgroundCompilation", "-XX:Tier3InvocationThreshold=200",
                    "-XX:Tier4InvocationThreshold=100000", "-XX:Tier4BackEdgeThreshold=20000", "RecursiveLoops")
        expect("code of a loop that calls its method", (done.stdout, done.returncode) == (RECURSIVE_ANSWER, 0), done)
        done = tier(vm, "-Xcomp", "-XX:PrintIR=build,lower,after,nothing", "Tier", "calls")
        phases = re.findall(r"^--- int Tier\.sum\(int\[\]\): (\w+) ---$", done.stdout, re.M)
        expect("phases are printed", phases[:3] == ["build", "lower", "after"] and f"\n{ANSWER} true\n" in done.stdout
               and done.stderr == "Keyhole warning: -XX:PrintIR: there is no phase nothing\n", done)
        done = tier(vm, "-Xcomp", "-XX:PrintIR=all", "Tier", "calls")
        phases = set(re.findall(r"^--- int Tier\.sum\(int\[\]\): (\w+) ---$", done.stdout, re.M))
        expect("all phases are printed", phases - {"hoist_guards", "strip_mine"} == {"build", "simplify", "number_values",
                                                                            "optimise", "lower", "before", "after"}, done)
        done = tier(vm, "-XX:+PrintCompilation", "-XX:-BackgroundCompilation", "-XX:Tier4InvocationThreshold=10",
                    "-XX:Tier3InvocationThreshold=5", "Tier", "calls")
        expect("by counts, in the thread that counts", re.search(r"  4 +Tier::sum \(\d+ bytes\)", done.stdout), done)
        for size in "1m", "512m":
            done = tier(vm, "-Xcomp", f"-Xss{size}", "Tier", "deep")
            expect(f"StackOverflowError, -Xss{size}", (done.stdout, done.returncode) == ("true\n" * 5, 0), done)
        done = run([vm, "-Xcomp", "-Xlog:jit=debug", "-cp", folder, "Tier", "calls"])
        expect("off unless asked for", "optimised" not in done.stdout and "false" in done.stdout, done)

        # # A copy of the executable in a folder without a plug-in.
        for file in vm.parent.glob("keyhole-overlay-*.jar"):
            os.link(file, folder / file.name)
        alone = folder / "keyhole"
        os.link(vm, alone)
        done = tier(alone, "-Xcomp", "Tier", "calls")
        warning = f"Keyhole warning: there is no optimising tier: {folder / PLUGIN} is missing\n"
        expect("missing", (done.stdout, done.stderr) == (f"{ANSWER} false\n", warning), done)
        done = run([alone, "-Xcomp", "-cp", folder, "Tier", "calls"])
        expect("missing, not asked for", (done.stdout, done.stderr) == (f"{ANSWER} false\n", ""), done)
        (folder / PLUGIN).write_text("no library\n")
        done = tier(alone, "-Xcomp", "Tier", "calls")
        warning = rf"Keyhole warning: the optimising tier has been disabled: {re.escape(str(folder / PLUGIN))}: .*\n"
        expect("no library", done.stdout.startswith(ANSWER) and re.fullmatch(warning, done.stderr), done)

    print(f"{results.count(True)} passed, {results.count(False)} failed")
    return all(results)


if __name__ == "__main__":
    sys.exit(0 if main() else 1)
