#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""Damages the class files of run.py. java and Keyhole must agree whether a damaged class links, and on the kind of
error otherwise.

    tests/verifier/damaged.py [--seed N] [--count N] [--library 25] [word ...]

The class files are of all versions, and some contain subroutines or frames. A third of the damage is in StackMapTable.
The same seed damages the same bytes in the same way. Error texts are not compared, because a damaged file may break
several rules.
"""
import argparse
import random
import re
import sys

import run

MAGIC_AND_VERSION_BYTES = 8


def damaged(data, dice):
    if len(data) <= MAGIC_AND_VERSION_BYTES:
        return data
    result = bytearray(data)
    start, end = MAGIC_AND_VERSION_BYTES, len(result)
    frames = data.rfind(b"StackMapTable")
    if frames > 0 and dice.random() < 0.33:
        # Damages the attribute StackMapTable, which begins where the index of its name occurs last in the file.
        index = name_index(data, b"StackMapTable")
        at = data.rfind(index.to_bytes(2, "big") + b"\0\0")
        if 0 < at < len(data) - 7:
            length = int.from_bytes(data[at + 2 : at + 6], "big")
            start, end = at + 6, max(at + 7, min(at + 6 + length, len(data)))
    position = lambda: dice.randrange(start, end)
    kind = dice.random()
    if kind < 0.6:
        for _ in range(dice.choice([1, 1, 1, 2])):
            result[position()] = dice.choice([0, 1, 2, 0xFF, dice.randrange(256), result[position()]])
    elif kind < 0.8:
        result[position()] ^= 1 << dice.randrange(8)
    elif kind < 0.9:
        at = position()
        result[at : at + dice.randrange(3)] = bytes(dice.randrange(256) for _ in range(dice.randrange(1, 3)))
    else:
        result[6:8] = dice.choice([45, 46, 48, 49, 50, 51, 52, 55, 61]).to_bytes(2, "big")
        result[position()] = dice.randrange(256)
    return bytes(result)


def name_index(data, text):
    """Returns the index of a text in the constant pool; 0 if it is not there."""
    sizes = {3: 5, 4: 5, 5: 9, 6: 9, 7: 3, 8: 3, 9: 5, 10: 5, 11: 5, 12: 5, 15: 4, 16: 3, 17: 5, 18: 5, 19: 3, 20: 3}
    at, index, count = 10, 1, int.from_bytes(data[8:10], "big")
    while index < count and at < len(data):
        tag = data[at]
        if tag == 1:
            length = int.from_bytes(data[at + 1 : at + 3], "big")
            if data[at + 3 : at + 3 + length] == text:
                return index
            at += 3 + length
        elif tag in sizes:
            at += sizes[tag]
        else:
            break
        index += 2 if tag in (5, 6) else 1
    return 0


# Errors of resolving supertypes. java resolves supertypes in the middle of its format checks, Keyhole after its format
# checks.
OF_RESOLUTION = ("NoClassDefFoundError", "IncompatibleClassChangeError", "IllegalAccessError", "ClassCircularityError")


def agree(expected, found):
    """Returns whether both errors have the same class, or both are absent. Errors in two different methods also count
    as equal, because a VM may check either method first."""
    methods = [re.search(r"method: \S+|Location:\\n\s+\S+", verdict or "") for verdict in (expected, found)]
    if all(methods) and methods[0].group() != methods[1].group():
        return True
    kinds = [re.sub(r"[: ].*", "", verdict or "nothing", flags=re.S) for verdict in (expected, found)]
    both_refuse = all(kind.startswith("java.lang.") for kind in kinds)
    # Where Keyhole reports a bad instruction, HotSpot may report another error. HotSpot knows the lengths of its
    # internal instructions, so it skips such an instruction and checks the code after it.
    if both_refuse and "VerifyError: Bad instruction" in found:
        return True
    return kinds[0] == kinds[1] or (both_refuse and any(kind.endswith(OF_RESOLUTION) for kind in kinds))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=4000)
    parser.add_argument("--vm-args", default="")
    parser.add_argument("words", nargs="*")
    arguments = parser.parse_args()
    dice = random.Random(arguments.seed)
    release = run.chosen_home.release(run.JDK)
    run.compile_kit()
    chosen = [
        (name, case, version)
        for name, case in run.all_cases()
        if all(word in name for word in arguments.words)
        for version in case.versions
        if int(version.partition(".")[0]) <= run.NEWEST[release]
    ]
    files = {}
    for number in range(arguments.count):
        name, case, version = dice.choice(chosen)
        files[f"{number} {name} [{version}]"] = damaged(case.bytes(version), dice)
    return run.compare(f"damaged-{release}", {label: (data, False) for label, data in files.items()}, arguments.vm_args, agree)


if __name__ == "__main__":
    sys.exit(main())
