#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""Tests that a VM can end while compiling threads compile and methods wait in the queue.

    tests/jit/shutdown.py [--vm build/release/keyhole] [--loops 10]

Each way to end is combined with each way to compile, many times. Exit code and output must be those of `java`, and the
VM must be gone within seconds. In most runs methods are queued or compiled at the end, as -Xlog:jit+queue=debug shows.
A perf map is written at each end.
"""
import argparse
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "java"))
from homes import main_home

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
JDK = main_home()
METHODS, PATIENCE_SECONDS = 60, 20

PROGRAM = """
public class Ending {
  static volatile int sink;
METHODS
  static void all(int x) { CALLS }
  static void work(int rounds) { for (int i = 0; i < rounds; i++) all(i); }
  static void worker(boolean isDaemon) {
    Thread thread = new Thread(() -> { for (;;) work(100); });
    thread.setDaemon(isDaemon);
    thread.start();
  }
  static void say(String text) { System.out.println(text); System.out.flush(); }
  public static void main(String[] arguments) throws Exception {
    switch (arguments[0]) {
      case "return": worker(true); work(ROUNDS); say("main ends"); return;
      case "last": {
        worker(true);
        Thread last = new Thread(() -> { work(ROUNDS); say("last"); });
        last.start();
        return;
      }
      case "throw": worker(true); work(ROUNDS); throw new IllegalStateException("uncaught");
      case "exit": worker(false); work(ROUNDS); System.exit(7);
      case "exit-elsewhere": {
        Thread other = new Thread(() -> { work(ROUNDS); System.exit(8); });
        other.start();
        for (;;) work(100);
      }
      case "hook": {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> { work(ROUNDS); say("hook"); }));
        worker(false);
        System.exit(9);
      }
      case "halt": worker(false); work(ROUNDS); say("halts"); Runtime.getRuntime().halt(10);
      case "halt-in-hook": {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> { work(ROUNDS); Runtime.getRuntime().halt(11); }));
        worker(false);
        System.exit(3);
      }
      case "signal": {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> say("hook")));
        worker(false);
        work(ROUNDS);
        say("ready");
        for (;;) work(100);
      }
    }
  }
}
"""


def source():
    # Methods of some size, so that each compilation takes a while.
    body = " ".join(f"if ((x & {1 << i}) != 0) sum += x * {i + 3}; else sum ^= a[(x + {i}) & 15];" for i in range(8))
    methods = "\n".join(
        f"  static int m{n}(int x) {{ int sum = {n}; int[] a = new int[16]; "
        f"for (int i = 0; i < 8; i++) {{ a[i] = x + i; {body} x += sum; }} return sum; }}"
        for n in range(METHODS)
    )
    calls = " ".join(f"sink += m{n}(x);" for n in range(METHODS))
    return PROGRAM.replace("METHODS", methods).replace("CALLS", calls).replace("ROUNDS", "300")


# The ways in which the VM ends. Each has the program's argument, and the signal, if any, that is sent when the program
# is ready.
WAYS = {name: (name, None) for name in
        ("return", "last", "throw", "exit", "exit-elsewhere", "hook", "halt", "halt-in-hook")}
WAYS |= {name: ("signal", getattr(signal, name)) for name in ("SIGTERM", "SIGINT", "SIGHUP")}

COUNTS = ["-XX:Tier3InvocationThreshold=20", "-XX:Tier4InvocationThreshold=30", "-XX:Tier4BackEdgeThreshold=500"]
TIER = ["-XX:TieredStopAtLevel=4"]
CONFIGURATIONS = {
    "none": ["-XX:+SampleHotMethods"] + COUNTS,
    "counts": TIER + COUNTS,
    "counts, three threads": TIER + COUNTS + ["-XX:CICompilerCount=3"],
    "sampled": TIER + ["-XX:Tier4Samples=1"],
    "sampled, without patience": TIER + ["-XX:Tier4Samples=1", "-XX:Tier4PatienceMillis=0", "-XX:CICompilerCount=2"],
    "in the thread that counts": TIER + COUNTS + ["-XX:-BackgroundCompilation"],
}

BUSY = ("counts", "counts, three threads", "sampled", "sampled, without patience")   # where compiling falls behind


def run(command, number):
    """Returns the exit code, the output and the errors. `number` is the signal that is sent when the program is
    ready."""
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        out = ""
        try:
            if number is not None:
                while not out.endswith("ready\n"):
                    line = process.stdout.readline()
                    if not line:
                        break
                    out += line
                process.send_signal(number)
            rest, errors = process.communicate(timeout=PATIENCE_SECONDS)
            return process.returncode, out + rest, errors
        except subprocess.TimeoutExpired:
            process.kill()
            rest, errors = process.communicate()
            return "hangs", out + (rest or ""), errors


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--vm", default=str(ROOT / "build" / "release" / "keyhole"))
    parser.add_argument("--loops", type=int, default=4, help="of each way with each configuration")
    options = parser.parse_args()
    # A VM that inherits an ignored signal, for example from nohup, ignores it, as java does.
    for number in (signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "Ending.java").write_text(source())
        subprocess.run([str(JDK / "bin" / "javac"), "-d", folder, f"{folder}/Ending.java"], check=True)
        program = ["-cp", folder, "Ending"]
        wanted = {way: run([str(JDK / "bin" / "java")] + program + [name], number)
                  for way, (name, number) in WAYS.items()}
        for configuration, flags in CONFIGURATIONS.items():
            unfinished = runs = 0
            slowest = 0.0
            for way, (name, number) in WAYS.items():
                for _ in range(options.loops):
                    started = time.monotonic()
                    code, out, errors = run(
                        [options.vm, "-Xlog:jit+queue=debug"] + flags + program + [name], number)
                    slowest = max(slowest, time.monotonic() - started)
                    queued = len(re.findall(r"\bqueued: ", out))
                    done = len(re.findall(r"\b(?:installed|refused|cancelled|given up): ", out))
                    runs += 1
                    unfinished += queued > done
                    said = "".join(line for line in out.splitlines(True) if not line.startswith("["))
                    if (code, said, errors) == wanted[way]:
                        passed += 1
                    else:
                        failed += 1
                        print(f"FAILED {configuration}: {way}: {code} and not {wanted[way][0]}\n{out[-2000:]}{errors}")
            print(f"{configuration}: {unfinished} of {runs} ended with methods in the queue, slowest {slowest:.1f} s")
            if configuration in BUSY and unfinished * 2 < runs:
                failed += 1
                print("FAILED so nothing was shown")
        # The perf map is written at the end, whichever way the VM ends.
        for way in ("return", "exit", "halt"):
            with subprocess.Popen([options.vm, "-XX:+DumpPerfMapAtExit"] + program + [way], stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE) as process:
                process.communicate(timeout=PATIENCE_SECONDS)
            perf_map = pathlib.Path(f"/tmp/perf-{process.pid}.map")
            if perf_map.exists():
                passed += 1
                perf_map.unlink()
            else:
                failed += 1
                print(f"FAILED no perf map after {way}")
    print(f"{passed} passed, {failed} failed")
    return failed == 0


if __name__ == "__main__":
    sys.exit(0 if main() else 1)
