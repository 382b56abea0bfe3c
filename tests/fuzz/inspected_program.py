# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""Compiles, starts and ends inspected/Inspected.java, the program to which the fuzzers of tools send requests, and
reports when it is in trouble."""

import argparse
import os
import pathlib
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
VM = os.environ.get("KEYHOLE_VM", str(ROOT / "build" / "release" / "keyhole"))
# Each fuzzer has a folder of its own, because several fuzzers may run at once.
WORK = ROOT / "build" / "fuzz-tests" / f"inspected-by-{pathlib.Path(sys.argv[0]).stem}"
SECONDS_TO_END = 60
KIBIBYTES_AT_MOST = 1 << 20
DESCRIPTORS_AT_MOST = 60


def compiled():
    """Compiles the program. Returns the folder of the class files, which is also the program's working directory."""
    sys.path.insert(0, str(ROOT / "tests" / "java"))
    import homes
    WORK.mkdir(parents=True, exist_ok=True)
    javac = homes.compiler_for(17) / "bin" / "javac"
    subprocess.run([str(javac), "--release", "17", "-g", "-d", str(WORK), str(HERE / "inspected" / "Inspected.java")],
                   check=True)
    return WORK


class Inspected:
    """A running program. `first_line` is the first line that the program prints: "ready", or a line of an agent."""

    def __init__(self, options=()):
        environment = {name: value for name, value in os.environ.items() if name != "JAVA_TOOL_OPTIONS"}
        self.process = subprocess.Popen([VM, "-Xmx64m", *options, "-cp", ".", "Inspected"], cwd=WORK, env=environment,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.first_line = self.process.stdout.readline().decode(errors="replace").strip()

    def trouble(self):
        """Returns a text that says why the running program is in trouble, or None if it is not."""
        if self.process.poll() is not None:
            return f"ended by itself with {self.process.returncode}: " \
                   f"{self.process.stdout.read().decode(errors='replace')[-3000:]}"
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        resident = int(status.split("VmRSS:")[1].split()[0])
        if resident > KIBIBYTES_AT_MOST:
            return f"uses {resident} KiB"
        descriptors = len(os.listdir(f"/proc/{self.process.pid}/fd"))
        if descriptors > DESCRIPTORS_AT_MOST:
            return f"has {descriptors} open files"
        return None

    def end(self):
        """Closes the program's input, which ends the program. Returns a description of what went wrong, or None."""
        try:
            output = self.process.communicate(b"", timeout=SECONDS_TO_END)[0].decode(errors="replace")
        except subprocess.TimeoutExpired:
            self.process.kill()
            return "does not end: " + self.process.communicate()[0].decode(errors="replace")[-3000:]
        if self.process.returncode != 0 or "\nend\n" not in "\n" + output:
            return f"ended with {self.process.returncode}: {output[-3000:]}"
        return None

    def kill(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self.process.stdout.close()


def run_rounds(one_round, description):
    """Reads the command line and runs the rounds. Returns the script's exit code. `one_round` takes a seed, and returns
    a description of what went wrong, or None."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=int, help="as many rounds as fit, in place of --rounds")
    arguments = parser.parse_args()
    compiled()
    passed = failed = 0
    started = time.monotonic()
    while time.monotonic() - started < arguments.seconds if arguments.seconds else passed + failed < arguments.rounds:
        seed = arguments.seed + passed + failed
        if trouble := one_round(seed):
            failed += 1
            print(f"FAILED --seed {seed} --rounds 1: {trouble}", flush=True)
        else:
            passed += 1
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0
