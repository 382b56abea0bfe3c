#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""Tests the tier policy of a whole VM without an optimising tier (-XX:TieredStopAtLevel=1 -XX:+SampleHotMethods):
methods become hot by samples and by counts, an idle VM sleeps, nothing happens without the flag, jcmd's Compiler.queue
prints the queue, and another thread compiles when methods have waited for long.

    tests/jit/hot_methods.py [--vm build/release/keyhole]

Counts depend on no clock: two runs queue the same methods in the same order. In the last tests classes die, and methods
are redefined, while they are sampled, counted, queued, and compiled by the optimising tier. The thresholds are so low
that every method gets into each of these states. In some of these tests collections run all the time.
"""

import argparse
import pathlib
import re
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "java"))
from homes import main_home

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
JDK = main_home()

PROGRAM = """
public class Hot {
  static int sink;
  static int small(int x) { return x < 0 ? -x : x % 1000 + 1; }
  static int inner(int n) { int sum = 0; for (int i = 0; i < n; i++) { for (int j = 0; j < 100; j++) sum += small(i ^ j); } return sum; }
  static void busy(long milliseconds) { long end = System.nanoTime() + milliseconds * 1000000; while (System.nanoTime() < end) sink += inner(10); }
  static int called(int x) { return x < 0 ? 1 : x + 1; }
  static int loops(int n) { int sum = 0; do { sum += n; n--; } while (n > 0); return sum; }
  public static void main(String[] arguments) throws Exception {
    switch (arguments[0]) {
      case "busy": busy(Integer.parseInt(arguments[1])); break;
      case "stays": sink += inner(3000000); break;
      case "counts":
        for (int i = 0; i < 2000; i++) sink += called(i);
        sink += loops(100000);
        for (int i = 0; i < 2000; i++) sink += called(i);
        Thread.sleep(300);
        break;
      case "idle": busy(300); System.out.println("idle"); Thread.sleep(60000); break;
    }
    System.out.println(sink != 0 ? "done" : "nothing");
  }
}
"""

# Each class is loaded again and again, and dies. A hot method is never compiled before its class dies.
DYING = """
public class Dying {
  public interface Work { int run(int x); }
  public static class Plugin implements Work {
    static int first(int x) { return x % 7 == 3 ? x / 3 : x * 2 + second(x); }
    static int second(int x) { int sum = 0; for (int i = 0; i < x % 50; i++) sum += i * x; return sum; }
    public int run(int x) { int sum = 0; for (int i = 0; i < 300; i++) sum = sum * 31 + first(x + i) + second(i); return sum; }
  }
  static class Loader extends ClassLoader { Class<?> define(byte[] bytes) { return defineClass(null, bytes, 0, bytes.length); } }
  static int rounds(byte[] bytes) throws Exception {
    int sum = 0;
    for (int i = 0; i < 60; i++) {
      Work work = (Work) new Loader().define(bytes).getDeclaredConstructor().newInstance();
      for (int k = 0; k < 20; k++) sum += work.run(k);
      if (i % 5 == 4) System.gc();
    }
    return sum;
  }
  public static void main(String[] arguments) throws Exception {
    byte[] bytes = Dying.class.getResourceAsStream("Dying$Plugin.class").readAllBytes();
    int[] sums = new int[3];
    Thread[] threads = new Thread[3];
    for (int t = 0; t < 3; t++) { int id = t; threads[t] = new Thread(() -> { try { sums[id] = rounds(bytes); } catch (Exception e) { e.printStackTrace(); } }); threads[t].start(); }
    for (int t = 0; t < 3; t++) { threads[t].join(); System.out.println(sums[t]); }
  }
}
"""

AGENT = """
import java.lang.instrument.*;
public class Agent {
  static Instrumentation instrumentation;
  public static void premain(String options, Instrumentation given) { instrumentation = given; }
}
"""
CHANGING = """
import java.lang.instrument.*;
public class Changing {
  static int work(int x) { int sum = 0; for (int i = 0; i < 40; i++) sum += part(x + i); return sum; }
  static int part(int x) { return x % 3 == 0 ? x : x + 1; }
  public static void main(String[] arguments) throws Exception {
    byte[] bytes = Changing.class.getResourceAsStream("Changing.class").readAllBytes();
    long sum = 0;
    for (int round = 0; round < 40; round++) {
      for (int i = 0; i < 500; i++) sum += work(i);
      Agent.instrumentation.redefineClasses(new ClassDefinition(Changing.class, bytes));
    }
    System.out.println(sum);
  }
}
"""

COUNTS = ["-XX:+SampleHotMethods", "-XX:Tier4InvocationThreshold=500", "-XX:Tier4BackEdgeThreshold=3000"]
LOW = [
    "-XX:+SampleHotMethods",
    "-XX:Tier3InvocationThreshold=5",
    "-XX:Tier3BackEdgeThreshold=20",
    "-XX:Tier4InvocationThreshold=10",
    "-XX:Tier4BackEdgeThreshold=50",
]
OPTIMISING = ["-XX:TieredStopAtLevel=4"]
SAMPLED = ["-XX:+SampleHotMethods", "-XX:Tier4Samples=1"]


def run(command):
    return subprocess.run(command, capture_output=True, text=True, timeout=300)


def levels(method, output):
    """Returns the tiers in which this method of Hot was compiled, in order, as -XX:+PrintCompilation shows them."""
    return re.findall(rf"^ +\d+ +\d+ ...\s+(\d) +Hot::{method} \(\d+ bytes\)$", output, re.M)


def switches(pid):
    """Returns the number of wake-ups: the voluntary context switches of all threads."""
    total = 0
    for status in pathlib.Path(f"/proc/{pid}/task").glob("*/status"):
        total += int(re.search(r"^voluntary_ctxt_switches:\s+(\d+)", status.read_text(), re.M).group(1))
    return total


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--vm", default=str(ROOT / "build" / "release" / "keyhole"))
    vm = [parser.parse_args().vm, "-XX:TieredStopAtLevel=1"]
    results = []

    def expect(what, good, shown=""):
        results.append(bool(good))
        if not good:
            print(f"FAILED {what}\n{shown}")

    with tempfile.TemporaryDirectory() as folder:
        for name, text in (("Hot", PROGRAM), ("Dying", DYING), ("Agent", AGENT), ("Changing", CHANGING)):
            (pathlib.Path(folder) / f"{name}.java").write_text(text)
        sources = [str(source) for source in pathlib.Path(folder).glob("*.java")]
        subprocess.run([str(JDK / "bin" / "javac"), "-d", folder] + sources, check=True)
        (pathlib.Path(folder) / "manifest").write_text("Premain-Class: Agent\nCan-Redefine-Classes: true\n")
        jar = ["cfm", f"{folder}/agent.jar", f"{folder}/manifest", "-C", folder, "Agent.class"]
        subprocess.run([str(JDK / "bin" / "jar")] + jar, check=True)
        hot = ["-cp", folder, "Hot"]

        # By samples.
        done = run(vm + ["-XX:+SampleHotMethods", "-Xlog:jit*=debug", "-XX:+PrintCompilation"] + hot + ["busy", "1500"])
        queued = dict(re.findall(r"queued: int Hot\.(\w+)\(int\), \d+ samples, loop (-?\d+)", done.stdout))
        expect("inner is found hot", "inner" in queued, done.stdout[-3000:])
        expect("... and not in a loop, as its frames end soon", queued.get("inner") == "-1", str(queued))
        expect("each once", len(re.findall(r"queued: int Hot\.inner", done.stdout)) == 1, done.stdout[-3000:])
        expect("it counts in a profiling interval", levels("inner", done.stdout)[1:2] == ["3"], done.stdout[-3000:])
        expect("it is taken", levels("inner", done.stdout)[-1:] == ["4"], done.stdout[-3000:])
        expect("its newest code does not count", levels("inner", done.stdout)[-2:] == ["1", "4"], done.stdout[-3000:])
        expect("what only waits is not", "main" not in queued, str(queued))

        # In javac's bytecode of `inner`, the outer loop begins at bci 4, after iconst_0, istore_1, iconst_0 and
        # istore_2. The inner loop begins at bci 11, after iconst_0 and istore_3.
        done = run(vm + ["-XX:+SampleHotMethods", "-Xlog:jit*=debug"] + hot + ["stays"])
        queued = dict(re.findall(r"queued: int Hot\.(\w+)\(int\), \d+ samples, loop (-?\d+)", done.stdout))
        expect("inner, when it stays, in one of its loops", queued.get("inner") in ("4", "11"), str(queued))

        # By counts.
        runs = [run(vm + COUNTS + ["-Xlog:jit+queue=debug"] + hot + ["counts"]) for _ in range(2)]
        orders = [re.findall(r"queued: int Hot\.(\w+)\(int\), \d+ samples, loop (-?\d+)", done.stdout) for done in runs]
        expect("the same methods in the same order", orders[0] == orders[1] and len(orders[0]) == 2, str(orders))
        expect("by calls and by backward branches", orders[0] == [("called", "-1"), ("loops", "2")], str(orders))

        # Nothing without the flag.
        done = run(vm + ["-Xlog:jit*=trace", "-XX:+PrintCompilation", "-Xlog:thread"] + hot + ["busy", "300"])
        expect(
            "nothing is sampled",
            "sample" not in done.stdout and levels("inner", done.stdout) == ["1"],
            done.stdout[-3000:],
        )

        # Checks an idle VM, and the compile queue as jcmd prints it.
        idling = vm + ["-XX:+SampleHotMethods"] + hot + ["idle"]
        with subprocess.Popen(idling, stdout=subprocess.PIPE, text=True) as idle:
            idle.stdout.readline()
            time.sleep(1)  # by now the last tasks of the start have ended
            before = switches(idle.pid)
            time.sleep(2)  # the time in which wake-ups are counted
            woken = switches(idle.pid) - before
            expect("an idle VM sleeps", woken < 20, f"{woken} wake-ups in two seconds")
            queue = run([str(JDK / "bin" / "jcmd"), str(idle.pid), "Compiler.queue"]).stdout
            shown = queue.split("\n", 1)[1] if "\n" in queue else queue
            expect("Compiler.queue", shown == "Current compiles: \n\nC2 compile queue:\nEmpty\n\n", repr(queue))
            idle.kill()

        # With a patience of 0 ms, each queued method has waited for too long as soon as it is queued. So another
        # compiling thread compiles it, and the low-priority thread ends.
        without_patience = vm + OPTIMISING + ["-XX:Tier4PatienceMillis=0", "-Xlog:jit+queue=debug"]
        with subprocess.Popen(without_patience + hot + ["idle"], stdout=subprocess.PIPE, text=True) as idle:
            log = "".join(iter(idle.stdout.readline, "idle\n"))
            threads = run([str(JDK / "bin" / "jcmd"), str(idle.pid), "Thread.print"]).stdout
            idle.kill()
        expect("compiling threads are replaced", log.count("compiling threads are nice no longer") == 1, log[-3000:])
        expect("... one by one", threads.count('"C2 CompilerThread0"') == 1, threads[-3000:])

        # Classes die and methods are redefined, while their hot methods are in every state on the way to optimised
        # code.
        right = run(vm + ["-Xint", "-cp", folder, "Dying"]).stdout
        for name, flags in {
            "counted": LOW,
            "counted, collected": LOW + ["-XX:GCStressInterval=300", "-XX:+VerifyAfterGC", "-XX:+GCPoisonFromSpace"],
            "sampled": SAMPLED,
            "sampled, collected": SAMPLED + ["-XX:GCStressInterval=300", "-XX:+VerifyAfterGC"],
            "counted, small cache": LOW + ["-XX:ReservedCodeCacheSize=128k"],
            "counted, classic headers": LOW + ["-XX:-UseCompactObjectHeaders"],
            "counted, tiny headers": LOW + ["-XX:+UseTinyObjectHeaders"],
            "compiled": LOW + OPTIMISING,
            "compiled, without patience": SAMPLED + OPTIMISING + ["-XX:Tier4PatienceMillis=0"],
            "compiled, collected": LOW + OPTIMISING + ["-XX:GCStressInterval=300", "-XX:+VerifyAfterGC"],
        }.items():
            done = run(vm + flags + ["-Xlog:jit+queue=debug:file=/dev/null", "-cp", folder, "Dying"])
            good = done.returncode == 0 and done.stdout == right
            expect(f"classes that die, {name}", good, done.stdout[-2000:] + done.stderr[-2000:])
        agent = [f"-javaagent:{folder}/agent.jar", "-cp", folder, "Changing"]
        right = run(vm + ["-Xint"] + agent).stdout
        for name, flags in {"counted": LOW, "sampled": SAMPLED, "compiled": LOW + OPTIMISING}.items():
            done = run(vm + flags + agent)
            good = done.returncode == 0 and done.stdout == right and right != ""
            expect(f"methods that change, {name}", good, done.stdout[-2000:] + done.stderr[-2000:])

    print(f"{results.count(True)} passed, {results.count(False)} failed")
    sys.exit(0 if all(results) else 1)


if __name__ == "__main__":
    main()
