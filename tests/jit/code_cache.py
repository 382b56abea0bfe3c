#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""Tests a code cache that is too small for all code compiled over time. The program runs in phases, first in one thread
and then in three threads. Each phase has methods of its own, and all phases share a few methods.

    tests/jit/code_cache.py [--vm build/release/keyhole]

With -XX:+UseCodeCacheFlushing (the default) the VM frees code that is not called any more. So the methods of all phases
are compiled, and those of the first phase are compiled again when this phase is repeated. The program's results are
correct. With -XX:-UseCodeCacheFlushing the compiler stops with a warning. The code of unloaded classes is always freed. No
memory is both writable and executable.
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
PHASES, METHODS = 40, 6
CACHE = [
    "-XX:ReservedCodeCacheSize=128k",
    "-XX:CompileOnly=Phases",
    "-XX:Tier3InvocationThreshold=20",
    "-XX:Tier3BackEdgeThreshold=200",
]


def source():
    lines = [
        "public class Phases {",
        "  static int[] data = new int[64];",
        "  int state;",
        "  static int steady(int x) { return x * 31 + 7; }",
        "  int deep(int levels, int phase, int method) { return levels == 0 ? call(phase, method, 3) : deep(levels - 1, phase, method) + 1; }",
    ]
    for phase in range(PHASES):
        lines.append(
            f"  int get{phase}() {{ return state; }}"
        )  # when the field is resolved, get needs no frame; it may have been compiled before that
        for method in range(METHODS):
            lines.append(
                f"  synchronized int m{phase}_{method}(int x) {{ int sum = {phase}; for (int i = 0; i < 4; i++) {{ sum += (get{phase}() & 1) + data[(x + i * {method + 1}) & 63] ^ steady(x + i); "
                f"data[(sum >>> 3) & 63] += {phase * 7 + method}; Object o = new int[] {{sum}}; if (o.hashCode() == 12345 && state == -1) throw new RuntimeException(); state++; }} return sum; }}"
            )
    lines.append("  int call(int phase, int method, int x) { switch (phase * %d + method) {" % METHODS)
    lines += [
        f"    case {phase * METHODS + method}: return m{phase}_{method}(x);"
        for phase in range(PHASES)
        for method in range(METHODS)
    ]
    lines += [
        "    default: return 0; } }",
        "  int run(int phase) { int sum = 0; for (int i = 0; i < 300; i++) for (int m = 0; m < %d; m++) sum = sum * 17 + call(phase, m, i) + deep(5, phase, m); return sum; }"
        % METHODS,
        "  public static void main(String[] arguments) throws Exception {",
        "    Phases phases = new Phases();",
        '    for (int phase = 0; phase < %d; phase++) System.out.println(phase + " " + phases.run(phase));' % PHASES,
        '    System.out.println("again " + phases.run(0));',
        "    long[] sums = new long[3];",
        "    Thread[] threads = new Thread[3];",
        "    for (int t = 0; t < 3; t++) { int id = t; threads[t] = new Thread(() -> { Phases own = new Phases(); for (int p = id; p < %d; p += 3) { own.run(p); sums[id] += own.state; } }); threads[t].start(); }"
        % PHASES,
        "    for (int t = 0; t < 3; t++) { threads[t].join(); System.out.println(sums[t]); }",
        "  }",
        "}",
    ]
    return "\n".join(lines)


# Many loaders load the same class, and each of these loaders soon becomes unreachable.
LOADERS = """
public class Loaders {
  public interface Work { int run(int x); }
  public static class Plugin implements Work {
    static int first(int x) { return x % 7 == 3 ? x / 3 : x * 2 + second(x); }
    static int second(int x) { int sum = 0; for (int i = 0; i < x % 5; i++) sum += i * x; return sum; }
    public int run(int x) { int sum = 0; for (int i = 0; i < 100; i++) sum = sum * 31 + first(x + i) + second(i); return sum; }
  }
  static class Loader extends ClassLoader { Class<?> define(byte[] bytes) { return defineClass(null, bytes, 0, bytes.length); } }
  public static void main(String[] arguments) throws Exception {
    byte[] bytes = Loaders.class.getResourceAsStream("Loaders$Plugin.class").readAllBytes();
    int sum = 0;
    for (int i = 0; i < 200; i++) {
      Work work = (Work) new Loader().define(bytes).getDeclaredConstructor().newInstance();
      for (int k = 0; k < 5; k++) sum += work.run(k);
      if (i % 10 == 9) System.gc();
    }
    System.out.println(sum);
  }
}
"""

MAPPINGS = """
public class Mappings {
  public static void main(String[] arguments) throws Exception {
    for (String line : java.nio.file.Files.readAllLines(java.nio.file.Path.of("/proc/self/maps"))) System.out.println(line);
  }
}
"""


def run(command, folder, main="Phases"):
    return subprocess.run(command + ["-cp", folder, main], capture_output=True, text=True, timeout=300)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--vm", default=str(ROOT / "build" / "release" / "keyhole"))
    vm = parser.parse_args().vm
    results = []

    def expect(what, good, shown=""):
        results.append(bool(good))
        if not good:
            print(f"FAILED {what}\n{shown}")

    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "Phases.java").write_text(source())
        (pathlib.Path(folder) / "Loaders.java").write_text(LOADERS)
        (pathlib.Path(folder) / "Mappings.java").write_text(MAPPINGS)
        subprocess.run(
            [str(JDK / "bin" / "javac"), "-d", folder, *(f"{folder}/{name}.java" for name in ("Phases", "Loaders", "Mappings"))], check=True
        )
        right = run([vm, "-Xint"], folder).stdout
        expect("interpreted", len(right.splitlines()) == PHASES + 4, right[-500:])

        done = run([vm] + CACHE + ["-XX:+PrintCompilation", "-Xlog:codecache=debug:stderr"], folder)
        compiled = re.findall(r"Phases::(m\d+_\d+) \(\d+ bytes\)$", done.stdout, re.M)
        retired = re.findall(r"Phases::(m\d+_\d+) \(\d+ bytes\)   made not entrant: not used$", done.stdout, re.M)
        flushed = re.findall(
            r"\*flushing  nmethod +\d+/0x[0-9a-f]{16}\. Live blobs:(\d+)/Free CodeCache:(\d+)Kb", done.stderr
        )
        printed = "".join(line + "\n" for line in done.stdout.splitlines() if "::" not in line)
        expect(
            "the program's results with a swept cache",
            done.returncode == 0 and printed == right,
            done.stdout[-500:] + done.stderr[-2000:],
        )
        expect(
            "every phase is compiled",
            len(set(compiled)) == PHASES * METHODS,
            f"{len(set(compiled))} of {PHASES * METHODS}",
        )
        expect("what comes back is compiled again", any(compiled.count(f"m0_{m}") > 1 for m in range(METHODS)))
        expect("cold code is flushed", len(flushed) > PHASES, f"{len(flushed)} lines")
        expect("... and retires before", len(retired) > PHASES, f"{len(retired)} lines")
        expect("the compiler goes on", "has been disabled" not in done.stderr, done.stderr[-500:])
        sweeps = re.findall(
            r"Sweep: (\d+) retired, (\d+) not called lately, (\d+) oldest; (\d+) nmethods stay", done.stderr
        )
        expect(
            "sweeps find code that has not been called", sum(int(sweep[1]) for sweep in sweeps) > PHASES, f"{sweeps}"
        )

        done = run(
            [vm] + CACHE + ["-XX:-UseCodeCacheFlushing", "-XX:+PrintCompilation", "-Xlog:codecache=debug:stderr"],
            folder,
        )
        printed = "".join(line + "\n" for line in done.stdout.splitlines() if "::" not in line)
        compiled = set(re.findall(r"Phases::(m\d+_\d+) \(\d+ bytes\)$", done.stdout, re.M))
        expect(
            "without flushing: right, warned once, and less is compiled",
            printed == right
            and done.stderr.count("Compiler has been disabled") == 1
            and "flushing" not in done.stderr
            and len(compiled) < PHASES * METHODS,
            done.stderr[-500:],
        )

        for flags in (
            ["-XX:GCStressInterval=300", "-XX:+VerifyAfterGC", "-XX:+GCPoisonFromSpace"],
            ["-XX:-Inline", "-XX:RecompilationThreshold=1"],
            ["-Xcomp", "-XX:-Inline"],
            ["-XX:LockingMode=cjm-by"],
        ):
            done = run([vm] + CACHE + flags, folder)
            expect(
                f"swept, {' '.join(flags)}",
                done.returncode == 0 and done.stdout == right,
                done.stdout[-300:] + done.stderr[-1000:],
            )

        mappings = run([vm, "-Xcomp"], folder, "Mappings").stdout
        expect("no memory is both writable and executable", "r-xs" in mappings and "rwx" not in mappings, mappings)

        right = run([vm, "-Xint"], folder, "Loaders").stdout
        tight = [
            vm,
            "-Xcomp",
            "-XX:-Inline",
            "-XX:ReservedCodeCacheSize=96k",
            "-XX:CompileOnly=Loaders$Plugin",
            "-XX:-UseCodeCacheFlushing",
            "-XX:+PrintCompilation",
        ]
        for flags, fits in (([], True), (["-XX:+UseGdbJitInterface"], True), (["-XX:-ClassUnloading"], False)):
            done = run(tight + flags, folder, "Loaders")
            compiled = len(re.findall(r"Loaders\$Plugin::run \(\d+ bytes\)$", done.stdout, re.M))
            expect(
                f"code of unloaded classes, {' '.join(flags)}",
                done.returncode == 0
                and done.stdout.splitlines()[-1] + "\n" == right
                and (compiled >= 200) == fits
                and ("has been disabled" in done.stderr) != fits,
                f"{compiled} compiled\n{done.stdout[-300:]}{done.stderr[-500:]}",
            )
    print(f"{results.count(True)} passed, {results.count(False)} failed")
    sys.exit(0 if all(results) else 1)


if __name__ == "__main__":
    main()
