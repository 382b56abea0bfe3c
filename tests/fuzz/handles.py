#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""Tests combinations of method handles and variable handles with adapters, types and values. java and Keyhole make the
same calls; each must return the same, throw the same exception with the same message, and leave the same traces.

    tests/fuzz/handles.py [--all] [--seed N] [--library N] [--config NAME ...] [--kind KIND ...] [--first N] [--count N]
                          [--vm PATH] [--jobs N]

The sources are in tests/fuzz/handles; typed methods, fields and call sites are generated here. Combination n of a kind
and seed never changes. So if a failure names the combination pipelines 40, `--kind pipelines --first 40 --count 1` runs
it again. A run without --all takes each 16th combination of each kind, in one configuration. --all takes every
combination, in every configuration of the release build.
"""
import argparse
import concurrent.futures
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path[:0] = [str(ROOT / "tests" / "java")]
from homes import compiler_for, homes

WORK = ROOT / "build" / "fuzz-tests" / "handles"
TIMEOUT_SECONDS = 900
PART = 2000                # combinations per run of a VM
SHOWN = 12                 # differences that are printed

KINDS = {"pipelines": 9000, "matrix": 35 * 35 * 13, "variables": 6000}
SHARE = 16                 # a run without --all takes each 16th combination

CONFIGURATIONS = {
    "release": ("release", []),
    "interpreter": ("release", ["-Xint"]),
    "xcomp": ("release", ["-Xcomp"]),
    "optimised": ("release", ["-Xcomp", "-XX:TieredStopAtLevel=4"]),
    "debug": ("debug", []),
}

PRIMITIVES = ["int", "long", "byte", "short", "char", "boolean", "float", "double"]
BOXES = ["Integer", "Long", "Short", "Byte", "Character", "Boolean", "Float", "Double"]
REFERENCES = ["Object", "String", *BOXES, "Number", "Comparable", "java.io.Serializable", "CharSequence",
              "Values.Named", "Values.Base", "Values.Derived", "int[]", "long[]", "byte[]", "String[]", "Object[]",
              "Values.Base[]", "Number[]", "java.util.List", "Throwable", "RuntimeException"]
TYPES = PRIMITIVES + REFERENCES

METHODS = 220
SITES = 420
VARIABLE_SITES = 700

HEADER = '@SuppressWarnings({"rawtypes", "unchecked", "cast"})\n'


def default_of(kind):
    return {"boolean": "false", "char": "'c'", "byte": "(byte) 3", "short": "(short) -4", "int": "5", "long": "6L",
            "float": "7.5f", "double": "-8.25"}.get(kind, "null")


def value_of(dice, kind):
    """Returns an expression of Java whose static type is `kind`."""
    objects = {
        "Object": ['"an object"', "77", "new Values.Base(3)", "new int[] {1}", "null"],
        "String": ['"a string"', "null"], "CharSequence": ['"chars"', "null"],
        "Integer": ["300", "null"], "Long": ["-3L", "null"], "Short": ["(short) 9", "null"],
        "Byte": ["(byte) -9", "null"], "Character": ["'C'", "null"], "Boolean": ["true", "null"],
        "Float": ["2.5f", "null"], "Double": ["1e30", "null"], "Number": ["12", "13L", "1.5", "null"],
        "Comparable": ['"compared"', "4", "'k'"], "java.io.Serializable": ['"serial"', "5"],
        "Values.Named": ['new Values.Derived(1, "n")', "null"],
        "Values.Base": ["new Values.Base(4)", 'new Values.Derived(5, "b")', "null"],
        "Values.Derived": ['new Values.Derived(6, "d")', "null"],
        "int[]": ["new int[] {1, 2}", "null"], "long[]": ["new long[] {3}", "new long[0]"],
        "byte[]": ["new byte[] {4, 5, 6, 7, 8}"], "String[]": ['new String[] {"x", null}', "null"],
        "Object[]": ["new Object[] {1, null}", 'new String[] {"s"}', "new Object[0]"],
        "Values.Base[]": ["new Values.Base[] {new Values.Base(1)}", "new Values.Derived[1]"],
        "Number[]": ["new Integer[] {1}", "new Number[] {2.5}"],
        "java.util.List": ['java.util.List.of(1, "two")', "null"],
        "Throwable": ['new Exception("returned")', "null"], "RuntimeException": ['new RuntimeException("returned")'],
        "int": ["1", "-1", "65600"], "long": ["1L << 40", "-2L"], "byte": ["(byte) 100"], "short": ["(short) 1000"],
        "char": ["'z'"], "boolean": ["true", "false"], "float": ["0.5f", "Float.NaN"], "double": ["-0.0", "3e9"],
    }
    return dice.choice(objects[kind])


def targets(dice):
    """Returns the source of Targets: static methods that trace their arguments."""
    lines = []
    for number, kind in enumerate(TYPES):
        lines.append(f"static {kind} pass{number}({kind} value) {{ Sources.trace({number}, Values.show(value)); return value; }}")
    for number in range(METHODS):
        taken = [dice.choice(TYPES) for _ in range(dice.choice([0, 1, 1, 2, 2, 3, 4]))]
        result = dice.choice(["void"] + TYPES)
        if dice.random() < 0.1 and taken and taken[-1].endswith("[]"):
            taken[-1] = taken[-1][:-2] + "..."
        parameters = ", ".join(f"{kind} p{i}" for i, kind in enumerate(taken))
        shown = ", ".join([str(number)] + [f"Values.show(p{i})" for i in range(len(taken))])
        end = ""
        if dice.random() < 0.08:
            thrown = dice.choice(["IllegalStateException", "ClassCastException", "NullPointerException"])
            end = f'if (true) throw new {thrown}("by {number}"); '
        if result != "void":
            end += f"return {value_of(dice, result)}; "
        lines.append(f"static {result} take{number:03}({parameters}) {{ Sources.trace({shown}); {end}}}")
    body = "\n    ".join(lines)
    return f"{HEADER}final class Targets {{\n    {body}\n}}\n"


def fields():
    """Returns the source of Fields: an instance field and a static field of each type, and some final and volatile
    fields."""
    lines, resets, shared, own = [], [], [], []
    for number, kind in enumerate(TYPES):
        lines += [f"{kind} own{number} = {default_of(kind)};", f"static {kind} shared{number};"]
        resets.append(f"shared{number} = {default_of(kind)};")
        shared.append(f"Values.show(shared{number})")
        own.append(f"Values.show(own{number})")
        if number % 3 == 0:
            lines += [f"final {kind} fixed{number} = {default_of(kind)};",
                      f"static final {kind} fixedShared{number} = {default_of(kind)};"]
        if number % 4 == 0:
            lines.append(f"volatile {kind} seen{number};")
            own.append(f"Values.show(seen{number})")
    body = "\n    ".join(lines)
    return f"""{HEADER}final class Fields {{
    {body}
    static void reset() {{
        {" ".join(resets)}
    }}
    static String shared() {{
        return String.join(" ", {", ".join(shared)});
    }}
    String own() {{
        return String.join(" ", {", ".join(own)});
    }}
}}
"""


def class_of(kind):
    return f"{kind}.class"


def method_type(result, taken):
    return f"java.lang.invoke.MethodType.methodType({', '.join(class_of(kind) for kind in [result, *taken])})"


def cast(kind, index):
    return f"({kind}) a[{index}]"


def switch(name, parameters, passed, count):
    """Returns the source of a method that calls the site with the given number."""
    cases = "\n            ".join(f"case {n}: return {name}{n}({passed});" for n in range(count))
    return f"""static Object {name}(int site, {parameters}) throws Throwable {{
        switch (site) {{
            {cases}
            default: throw new AssertionError(site);
        }}
    }}"""


def sites(dice):
    """Returns the source of Sites: call sites of invokeExact and invoke, each with a type of its own."""
    methods, types = [], []
    for number in range(SITES):
        taken = [dice.choice(TYPES + ["Object", "int", "Object"]) for _ in range(dice.choice([0, 1, 1, 1, 2, 2, 2, 3, 3, 4]))]
        result = dice.choice(["void", "Object", "Object"] + TYPES)
        types.append(method_type(result, taken))
        given = ", ".join(cast(kind, i) for i, kind in enumerate(taken))
        for name in ("exact", "generic"):
            called = f"h.{'invokeExact' if name == 'exact' else 'invoke'}({given})"
            does = f'{called}; return "void";' if result == "void" else f"return Values.show(({result}) {called});"
            methods.append(f"static Object {name}{number}(MethodHandle h, Object[] a) throws Throwable {{ {does} }}")
    table = ",\n        ".join(types)
    body = "\n    ".join(methods)
    return f"""import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodType;

{HEADER}final class Sites {{
    static final MethodType[] TYPES = {{{table}}};
    {body}
    {switch("exact", "MethodHandle h, Object[] a", "h, a", SITES)}
    {switch("generic", "MethodHandle h, Object[] a", "h, a", SITES)}
}}
"""


MODES = {
    "get": 0, "set": 1, "getVolatile": 0, "setVolatile": 1, "getAcquire": 0, "setRelease": 1, "getOpaque": 0,
    "setOpaque": 1, "compareAndSet": 2, "compareAndExchange": 2, "compareAndExchangeAcquire": 2,
    "compareAndExchangeRelease": 2, "weakCompareAndSetPlain": 2, "weakCompareAndSet": 2, "weakCompareAndSetAcquire": 2,
    "weakCompareAndSetRelease": 2, "getAndSet": 1, "getAndSetAcquire": 1, "getAndSetRelease": 1, "getAndAdd": 1,
    "getAndAddAcquire": 1, "getAndAddRelease": 1, "getAndBitwiseOr": 1, "getAndBitwiseOrRelease": 1,
    "getAndBitwiseOrAcquire": 1, "getAndBitwiseAnd": 1, "getAndBitwiseAndRelease": 1, "getAndBitwiseAndAcquire": 1,
    "getAndBitwiseXor": 1, "getAndBitwiseXorRelease": 1, "getAndBitwiseXorAcquire": 1,
}


def variable_sites(dice):
    """Returns the source of VariableSites: call sites of all access modes, each with a type of its own. A weak
    compare-and-set may fail spuriously, but does not do so on these VMs."""
    methods, types, names = [], [], []
    arrays = ["int[]", "long[]", "byte[]", "byte[]", "byte[]", "short[]", "char[]", "boolean[]", "double[]", "Object[]",
              "String[]", "Values.Base[]", "Integer[]", "Object"]
    for number in range(VARIABLE_SITES):
        mode = dice.choice(list(MODES)) if number >= len(MODES) * 4 else list(MODES)[number % len(MODES)]
        kind = dice.choice(TYPES)
        form = dice.choice(["static", "field", "field", "array", "array", "buffer", "view"])
        if form == "array":
            array = dice.choice(arrays)
            taken = [array, "int"]
            if array.endswith("[]") and dice.random() < 0.8:
                kind = array[:-2]
        elif form in ("buffer", "view"):
            taken = ["java.nio.ByteBuffer" if form == "buffer" else "byte[]", "int"]
            kind = dice.choice(["int", "long", "short", "char", "float", "double", kind])
        else:
            taken = [] if form == "static" else [dice.choice(["Fields", "Fields", "Fields", "Object"])]
        other = dice.choice(TYPES) if dice.random() < 0.15 else kind
        values = [kind, other][-MODES[mode]:] if MODES[mode] else []
        taken = taken + values
        result = kind if dice.random() < 0.75 else dice.choice(["Object", "void"] + TYPES)
        if mode.startswith("set"):
            result = "void"
        elif "CompareAndSet" in mode or mode == "compareAndSet":
            result = "boolean"
        given = ", ".join(cast(each, i) for i, each in enumerate(taken))
        called = f"h.{mode}({given})"
        if result == "void":
            does = f'{called}; return "void";'
        elif result == "boolean" and "ompareAndSet" in mode:
            does = f"return Values.show({called});"
        else:
            does = f"return Values.show(({result}) {called});"
        methods.append(f"static Object access{number}(VarHandle h, Object[] a) throws Throwable {{ {does} }}")
        types.append(method_type(result, taken))
        names.append(f'"{mode}"')
    body, listed, table = "\n    ".join(methods), ", ".join(names), ",\n        ".join(types)
    return f"""import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;

{HEADER}final class VariableSites {{
    static final String[] NAMES = {{{listed}}};
    static final MethodType[] TYPES = {{{table}}};
    {body}
    {switch("access", "VarHandle h, Object[] a", "h, a", VARIABLE_SITES)}
}}
"""


def compile_all(seed):
    """Generates and compiles all sources. Returns the folder of the class files."""
    folder = WORK / f"seed-{seed}"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    dice = random.Random(seed)
    for name, text in {"Targets": targets(dice), "Fields": fields(), "Sites": sites(dice),
                       "VariableSites": variable_sites(dice)}.items():
        (folder / f"{name}.java").write_text(text)
    sources = [*sorted((HERE / "handles").glob("*.java")), *sorted(folder.glob("*.java"))]
    subprocess.run([str(compiler_for(17) / "bin/javac"), "-nowarn", "-d", str(folder), *map(str, sources)], check=True)
    return folder


def run(command, folder, kind, *numbers):
    done = subprocess.run(
        [*command, "-cp", str(folder), "HandleCombinations", kind, str(OPTIONS.seed), *map(str, numbers)],
        capture_output=True, timeout=TIMEOUT_SECONDS
    )
    errors = done.stderr.decode("utf-8", "replace")
    return done.returncode, done.stdout.decode("utf-8", "replace").splitlines(), errors


def by_number(lines):
    """Returns {number of a combination: its lines}."""
    groups = {}
    for line in lines:
        groups.setdefault(line.split(" ", 1)[0], []).append(line)
    return groups


def differences(expected, got):
    """Returns the first differing line of each combination that differs."""
    found = []
    for number, lines in expected.items():
        others = got.get(number, [])
        if lines == others:
            continue
        for one, other in zip(lines + ["(end)"], others + ["(end)"] * len(lines)):
            if one != other:
                found.append(f"  {lines[0]}\n  java    {one}\n  keyhole {other}")
                break
    return found


class Comparison:
    """Compares a range of one kind's combinations, on one library, in each configuration."""
    def __init__(self, folder, release, kind, *numbers):
        self.folder, self.release, self.kind, self.numbers = folder, release, kind, numbers

    def run(self):
        """Yields (configuration, number of equal lines, differences) for each configuration."""
        home = homes()[self.release]
        status, expected, errors = run([str(home / "bin/java"), "-Xshare:auto", "-XX:TieredStopAtLevel=1"], self.folder,
                                       self.kind, *self.numbers)
        if status != 0:
            yield "java", 0, [f"java ended with {status}: {errors[-1500:]}"]
            return
        for name in OPTIONS.config:
            build, flags = CONFIGURATIONS[name]
            vm = OPTIONS.vm or str(ROOT / "build" / build / "keyhole")
            command = ["env", f"KEYHOLE_JAVA_HOME={home}", vm, *flags]
            status, got, errors = run(command, self.folder, self.kind, *self.numbers)
            different = differences(by_number(expected), by_number(got))
            if status != 0:
                different.append(f"ended with {status} after {len(got)} of {len(expected)} lines: {errors[-1500:]}")
            yield name, len(expected) - len(different), different


def main():
    global OPTIONS
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--library", type=int, action="append")
    parser.add_argument("--config", action="append", choices=list(CONFIGURATIONS))
    parser.add_argument("--kind", action="append", choices=list(KINDS))
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int)
    parser.add_argument("--vm", default=os.environ.get("KEYHOLE_VM"))
    parser.add_argument("--jobs", type=int, default=2)
    OPTIONS = parser.parse_args()
    releases = OPTIONS.library or [each for each in (17, 25) if each in homes()]
    if not OPTIONS.config:
        OPTIONS.config = ["release", "interpreter", "xcomp", "optimised"] if OPTIONS.all else ["release"]
    folder = compile_all(OPTIONS.seed)
    parts = []
    for release in releases:
        for kind in OPTIONS.kind or KINDS:
            stride = 1 if OPTIONS.all or OPTIONS.count else SHARE
            count = OPTIONS.count or KINDS[kind] // stride
            parts += [Comparison(folder, release, kind, OPTIONS.first + done * stride, min(PART, count - done), stride)
                      for done in range(0, count, PART)]
    alike, failed, shown = 0, 0, 0
    with concurrent.futures.ThreadPoolExecutor(OPTIONS.jobs) as pool:
        for part, results in zip(parts, pool.map(lambda part: list(part.run()), parts)):
            for name, same, different in results:
                alike += same
                failed += len(different)
                for each in different:
                    shown += 1
                    if shown <= SHOWN or OPTIONS.count:
                        print(f"FAILED {part.kind}, seed {OPTIONS.seed}, library {part.release}, {name}:\n{each}",
                              flush=True)
    print(f"{alike} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
