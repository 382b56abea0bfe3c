#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""gdb sees compiled frames (-XX:+UseGdbJitInterface): at a breakpoint in a native function, `bt` names the compiled methods that called it, in order, down to main's.

    tests/jit/gdb.py [--vm build/release/keyhole]
"""
import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
JDK = pathlib.Path(os.environ.get("KEYHOLE_JAVA_HOME", "/usr/lib/jvm/java-17-openjdk-amd64"))
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


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--vm", default=str(ROOT / "build" / "release" / "keyhole"))
    vm = parser.parse_args().vm
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "Inner.java").write_text(PROGRAM)
        subprocess.run([str(JDK / "bin" / "javac"), "-d", folder, f"{folder}/Inner.java"], check=True)
        # The 500th call: by then each of the methods is compiled.
        script = ["set pagination off", "set confirm off", "set breakpoint pending on", "handle SIGSEGV nostop noprint pass", f"break {NATIVE}", "ignore 1 500", "run", "bt 12", "kill", "quit"]
        command = ["gdb", "-q", "-nx", "-batch"] + [word for line in script for word in ("-ex", line)]
        command += ["--args", vm, "-XX:+UseGdbJitInterface", "-XX:CompileOnly=Inner", "-XX:-Inline", "-cp", folder, "Inner"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    frames = re.findall(r"^#\d+ +(?:0x[0-9a-f]+ in )?([\w.:]+)", done.stdout, re.MULTILINE)
    java = [frame for frame in frames if frame.startswith("Inner.")]
    good = java[:4] == ["Inner.clock", "Inner.clock", "Inner.clock", "Inner.outer"]
    if not good:
        print(f"FAILED bt\n{done.stdout[-3000:]}\n{done.stderr[-1000:]}")
    print(f"{int(good)} passed, {int(not good)} failed")
    sys.exit(0 if good else 1)


main()
