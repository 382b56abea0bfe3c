#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""Tests that gdb sees compiled frames (-XX:+UseGdbJitInterface): at a breakpoint in a native function, `bt` names the
compiled methods that called it, in order, down to main's. The names of code whose class has been unloaded are gone.

    tests/jit/gdb.py [--vm build/release/keyhole]
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
public class Inner {
  static long clock(int depth) { return depth == 0 ? System.nanoTime() : clock(depth - 1) + 1; }
  static long outer() { return clock(2) + 1; }
  public static void main(String[] arguments) {
    long sum = 0;
    for (int i = 0; i < 1000; i++) sum += outer();
    System.out.println(sum > 0);
  }
}
"""
NATIVE = "System_nanoTime"
UNLOADING = """
public class Unloading {
  public static class Plugin implements Runnable {
    static int sum;
    public void run() { for (int i = 0; i < 50; i++) sum += i; }
  }
  static class Loader extends ClassLoader { Class<?> define(byte[] bytes) { return defineClass(null, bytes, 0, bytes.length); } }
  public static void main(String[] arguments) throws Exception {
    byte[] bytes = Unloading.class.getResourceAsStream("Unloading$Plugin.class").readAllBytes();
    for (int i = 0; i < 10; i++) ((Runnable) new Loader().define(bytes).getDeclaredConstructor().newInstance()).run();
    System.gc();
    Runtime.getRuntime().totalMemory();
  }
}
"""


def debug(commands, arguments):
    """Runs a VM with these arguments in gdb, and returns the output of gdb's commands."""
    script = (
        ["set pagination off", "set confirm off", "set breakpoint pending on", "handle SIGSEGV nostop noprint pass"]
        + commands
        + ["kill", "quit"]
    )
    command = (
        ["gdb", "-q", "-nx", "-batch"] + [word for line in script for word in ("-ex", line)] + ["--args"] + arguments
    )
    return subprocess.run(command, capture_output=True, text=True, timeout=300)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--vm", default=str(ROOT / "build" / "release" / "keyhole"))
    vm = parser.parse_args().vm
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "Inner.java").write_text(PROGRAM)
        subprocess.run([str(JDK / "bin" / "javac"), "-d", folder, f"{folder}/Inner.java"], check=True)
        # The breakpoint stops after 500 calls, when each of the methods has been compiled.
        done = debug([f"break {NATIVE}", "ignore 1 500", "run", "bt 12"],
                     [vm, "-XX:+UseGdbJitInterface", "-XX:CompileOnly=Inner", "-XX:-Inline", "-cp", folder, "Inner"])
        (pathlib.Path(folder) / "Unloading.java").write_text(UNLOADING)
        subprocess.run([str(JDK / "bin" / "javac"), "-d", folder, f"{folder}/Unloading.java"], check=True)
        named = {}
        for flag in ("-XX:+ClassUnloading", "-XX:-ClassUnloading"):
            found = debug(
                ["break Runtime_totalMemory", "run", "info functions Unloading.Plugin.run"],
                [
                    vm,
                    flag,
                    "-XX:+UseGdbJitInterface",
                    "-Xcomp",
                    "-XX:CompileOnly=Unloading$Plugin",
                    "-cp",
                    folder,
                    "Unloading",
                ],
            )
            named[flag] = (
                len(re.findall(r"^0x[0-9a-f]+ +Unloading\$Plugin\.run", found.stdout, re.MULTILINE))
                if "hit Breakpoint 1" in found.stdout
                else -1
            )
    frames = re.findall(r"^#\d+ +(?:0x[0-9a-f]+ in )?([\w.:]+)", done.stdout, re.MULTILINE)
    java = [frame for frame in frames if frame.startswith("Inner.")]
    good = java[:4] == ["Inner.clock", "Inner.clock", "Inner.clock", "Inner.outer"]
    if not good:
        print(f"FAILED bt\n{done.stdout[-3000:]}\n{done.stderr[-1000:]}")
    forgotten = named["-XX:+ClassUnloading"] == 0 and named["-XX:-ClassUnloading"] >= 10
    if not forgotten:
        print(f"FAILED names of unloaded code: {named}\n{found.stdout[-1000:]}")
    print(f"{good + forgotten} passed, {2 - good - forgotten} failed")
    sys.exit(0 if good and forgotten else 1)


if __name__ == "__main__":
    main()
