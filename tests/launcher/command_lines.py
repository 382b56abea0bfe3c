# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""Runs command lines on java and on Keyhole: exit codes and normalized texts must be equal."""

import resource
import shlex
import subprocess


def outcome(command, work, normalized):
    done = subprocess.run(
        command,
        cwd=work,
        capture_output=True,
        text=True,
        timeout=300,
        stdin=subprocess.DEVNULL,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CORE, (0, 0)),
    )
    return done.returncode, normalized(done.stdout), normalized(done.stderr)


def compare(cases, arguments, java, vm, work, normalized):
    """Runs the command lines of `cases`, one per line. Returns the script's exit code. Words in `arguments` select the
    command lines that contain one of these words; without words, all command lines run. Keyhole, but not java, gets the
    flags of an argument --vm-args=FLAGS."""
    vm_arguments, wanted = [], []
    for argument in arguments:
        if argument.startswith("--vm-args="):
            vm_arguments = shlex.split(argument.removeprefix("--vm-args="))
        else:
            wanted.append(argument)
    failures = count = 0
    for line in cases.strip().splitlines():
        if wanted and not any(each in line for each in wanted):
            continue
        count += 1
        words = shlex.split(line)
        expected = outcome([*java, *words], work, normalized)
        found = outcome([vm, *vm_arguments, *words], work, normalized)
        if expected == found:
            continue
        failures += 1
        print(f"FAIL {line}")
        for name, left, right in zip(("exit code", "stdout", "stderr"), expected, found):
            if left != right:
                print(f"  {name}: java\n{left}\n  {name}: keyhole\n{right}")
    print(f"{count - failures} passed, {failures} failed")
    return 1 if failures else 0
