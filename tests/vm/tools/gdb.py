#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""Tests gdb's command `keyhole` (vm/tools/gdb), which shows the threads, frames, objects, locks and classes of a
program.

    tests/vm/tools/gdb.py [--vm build/release/keyhole]

The tested program stops in a native method while main holds a lock, another thread is blocked on it, and a third waits
on it.
"""
import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent.parent
sys.path.insert(0, str(ROOT / "tests" / "java"))
from homes import main_home

JDK = main_home()
PROGRAM = """
public class Looked {
  static class Account {
    long balance = 4711; byte small = -3; boolean open = true; char letter = 'k'; double rate = 1.5;
    String owner = "Ada"; int[] years = {1815, 1852};
  }
  static final Object lock = new Object();
  static long stop(Account account) { return System.nanoTime() + account.balance; }
  public static void main(String[] arguments) throws Exception {
    Account account = new Account();
    System.out.println(account.hashCode());
    Thread waiter = new Thread(() -> { synchronized (lock) { try { lock.wait(); } catch (InterruptedException e) {} } }, "waiter");
    Thread blocked = new Thread(() -> { synchronized (lock) { System.out.println("in"); } }, "blocked");
    waiter.setDaemon(true);
    waiter.start();
    while (waiter.getState() != Thread.State.WAITING) Thread.onSpinWait();
    synchronized (lock) {
      blocked.start();
      while (blocked.getState() != Thread.State.BLOCKED) Thread.onSpinWait();
      System.gc();
      System.out.println(stop(account) != 0);
    }
  }
}
"""
# This script runs inside gdb. It prints the output of each command after a line that names the command.
INSIDE = r"""
import re
def show(command):
    try:
        text = gdb.execute("keyhole " + command, to_string=True)
    except gdb.error as error:
        text = "refused: " + str(error) + "\n"
    print("== " + command.split()[0] + "\n" + text, end="")
    return text
show("threads")
stack = show("stack")
frames = dict(re.findall(r"#\d+  Looked\.(\w+)\(.*@(0x[0-9a-f]+)", stack))
account = re.search(r"local 0 = (0x[0-9a-f]+)", show("frame " + frames["stop"])).group(1)
show("object " + account)
show("header " + account)
details = show("class Looked$Account")
show("method " + re.search(r"<init>\(\)V  Method @(0x[0-9a-f]+)", details).group(1))
main = gdb.execute("keyhole frame " + frames["main"], to_string=True)
for value in re.findall(r"(?:local|operand) \d+ = (0x[0-9a-f]+)", main):
    try:
        if "java.lang.Object @" in gdb.execute("keyhole header " + value, to_string=True):
            show("lock " + value)
            break
    except gdb.error:
        pass
show("object 1")
show("nonsense")
"""
FAULTS = []


def expect(name, text, *patterns):
    for pattern in patterns:
        if not re.search(pattern, text, re.S):
            FAULTS.append(f"{name}: not to be seen: {pattern}\n{text}")
            return
    print(f"ok     {name}", flush=True)


def look(vm, folder, flags):
    script = folder / "inside.py"
    script.write_text(INSIDE)
    lines = ["set pagination off", "set confirm off", "set breakpoint pending on", "handle SIGSEGV nostop noprint pass",
             f"source {ROOT / 'vm' / 'tools' / 'gdb' / 'keyhole.py'}", "break Runtime_gc", "run", "break System_nanoTime",
             "continue", f"source {script}", "kill", "quit"]
    command = ["gdb", "-q", "-nx", "-batch"] + [word for line in lines for word in ("-ex", line)]
    command += ["--args", vm, "-Xint", *flags, "-cp", str(folder), "Looked"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    parts = dict(re.findall(r"(?ms)^== (\w+)\n(.*?)(?=^== |\Z)", done.stdout))
    if "threads" not in parts:
        FAULTS.append(f"{flags}: gdb shows nothing\n{done.stdout}\n{done.stderr}")
        return
    name = " ".join(flags) or "default"
    expect(f"threads, {name}", parts["threads"], r'"main" id \d+ .*RUNNABLE', r'"blocked" .*BLOCKED \(on object monitor\)',
           r'"waiter" .*WAITING \(on object monitor\)')
    expect(f"stack, {name}", parts["stack"], r'"main"\n', r"#0  java\.lang\.System\.nanoTime\(\)J  native",
           r"#1  Looked\.stop\(LLooked\$Account;\)J  bci 0, line 8", r"#2  Looked\.main.*line 21")
    expect(f"frame, {name}", parts["frame"], r"Looked\.stop", r"local 0 = 0x[0-9a-f]+")
    expect(f"class, {name}", parts["class"], r"Looked\$Account  Klass @0x", r"super: java\.lang\.Object",
           r"state: Initialized", r"J balance at \d+", r"<init>\(\)V  Method @0x")
    expect(f"method, {name}", parts["method"], r"Looked\$Account\.<init>\(\)V", r"entry 0x", r"not compiled")
    first = re.search(r"(?ms)^== object\n(.*?)^== ", done.stdout).group(1)
    expect(f"fields, {name}", first, r"Looked\$Account @0x", r"header: 0x", r"balance = 4711", r"small = -3",
           r"open = true", r"letter = 'k'", r"rate = 1\.5", r'owner = "Ada"', r"years = \[I of 2")
    expect(f"header, {name}", parts["header"], r"unlocked", r"age \d+", r"Looked\$Account @0x")
    expect(f"lock, {name}", parts.get("lock", ""), r"java\.lang\.Object @", r"held by main|lock records of: main",
           *([] if "hashchains" in name else [r"entry list, newest first: blocked", r"wait set: waiter"]))
    expect(f"refusals, {name}", parts["object"] + parts["nonsense"], r"refused: ", r"keyhole threads\|stack")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--vm", default=str(ROOT / "build" / "release" / "keyhole"))
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "Looked.java").write_text(PROGRAM)
        subprocess.run([JDK / "bin" / "javac", "-d", folder, folder / "Looked.java"], check=True)
        for flags in ([], ["-XX:LockingMode=legacy"], ["-XX:LockingMode=monitor"]):
            look(options.vm, folder, flags)
    for fault in FAULTS:
        print(f"FAILED {fault}\n")
    total = 9 * 3
    print(f"{total - len(FAULTS)} passed, {len(FAULTS)} failed")
    sys.exit(1 if FAULTS else 0)


if __name__ == "__main__":
    main()
