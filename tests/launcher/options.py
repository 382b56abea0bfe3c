#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""Compares -XX options, -Xlog, option files and environment variables with `java` of every installed release that
Keyhole knows.

    options.py            compares
    options.py --bless    asks java again what it prints for the command lines of option_cases.cases.py

For these command lines, the output of `java` is kept in option_cases/java-<release>.json, because starting `java` some
hundred times takes a minute. For the -XX flags, `java` itself runs each time, but only with one settings file, which
has each flag in many forms, right and wrong. The table of flags (vm/launcher/flags) is compared, too. Lines about
options that have no effect, or less effect, in Keyhole are not compared.
"""
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile

from chosen_home import homes as java_homes, release
from option_cases.cases import CASES, FILES

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tests"))
from tree_files import tree_files

FLAGS = ROOT / "vm/launcher/flags"
KEPT = pathlib.Path(__file__).resolve().parent / "option_cases"
VM = os.environ.get("KEYHOLE_VM", str(ROOT / "build/release/keyhole"))
# Options that have an effect in Keyhole: (words, exit code, pattern for standard output and standard error together).
EFFECTS = [
    (["-XX:+UseHeavyMonitors", "-XX:+PrintFlagsFinal", "-version"], 0, r"LockingMode +=\s+monitor "),
    (["-XX:MaxRAMFraction=8", "-XX:+PrintFlagsFinal", "-version"], 0, r"MaxRAMPercentage +=\s+12\.500000 "),
    (["-XX:MaxRAMFraction=8", "-XX:MaxRAMPercentage=9", "-XX:+PrintFlagsFinal", "-version"], 0, r"MaxRAMPercentage +=\s+9\.0"),
    (["-XX:CompileThresholdScaling=0.5", "-XX:+PrintFlagsFinal", "-version"], 0, r"Tier3InvocationThreshold +=\s+100 "),
    (["-XX:CompileThresholdScaling=0", "-version"], 0, r"interpreted mode"),
    (["-XX:-UseCompiler", "-version"], 0, r"interpreted mode"),
    (["-Xmaxf0.6", "-Xminf0.25", "-XX:+PrintFlagsFinal", "-version"], 0, r"MaxHeapFreeRatio +=\s+60 .*MinHeapFreeRatio +=\s+25 "),
    (["-Xmaxjitcodesize32m", "-XX:+PrintFlagsFinal", "-version"], 0, r"ReservedCodeCacheSize +=\s+33554432 "),
    (["-Xmx40g", "-XX:+PrintFlagsFinal", "-version"], 0, r"MaxHeapSize +=\s+30064771072 .*-Xmx40g is beyond what Keyhole has"),
    (["-XX:MaxTenuringThreshold=16", "-XX:+PrintFlagsFinal", "-version"], 0, r"MaxTenuringThreshold +=\s+15 .*is beyond"),
    (["-XX:+PrintFlagsInitial", "-Xmx64m", "nothing"], 0, r"MaxHeapSize +=\s+0 +\{product\} \{default\}.*\n$"),
    (["-XX:+PrintFlagsRanges", "-Xmx64m"], 0, r"size_t MaxHeapSize +\[ 0 +\.\.\. +30064771072 \] \{product\} \{command line\}.*\n$"),
    (["-XX:+UseG1GC", "-cp", "classes", "Show"], 0, r"-XX:\+UseG1GC has no effect: the collector"),
    (["-XX:+UseG1GC", "-Xlog:disable", "-cp", "classes", "Show"], 0, r"^\[\]null\n$"),
    (["-Xshare:dump"], 0, r"^Keyhole VM warning: -Xshare:dump has no effect: [^\n]*\n$"),
    (["-Xlog:async", "-cp", "classes", "Show"], 0, r"-Xlog:async has no effect: lines are written at once"),
    (["-Xdiag", "-cp", "classes", "Nope"], 1, r"Caused by: (java\.lang\.ClassNotFoundException: Nope)\n\1\n\tat java\.base/"),
    (
        ["-Xlog:gc:stdout:t,utc,u,tm,um,tn,un,hn,p,ti,l,tg", "-cp", "classes", "Show"],
        0,
        r"^(\[\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}[-+]\d{4}\]){2}\[\d\.\d{3}s\]\[1\d{12}ms\]\[\d+ms\]\[\d+ns\]\[\d+ns\]"
        r"\[[^]]+\]\[\d+\]\[\d+\]\[info   \]\[gc\] Using ",
    ),
]
SHOW = (
    "public class Show { public static void main(String[] a) {"
    ' System.out.println(java.util.Arrays.toString(a) + System.getProperty("x")); } }'
)
STAY = (
    "public class Stay { public static void main(String[] a) throws Exception {"
    ' Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("hook")));'
    ' System.out.println("up"); Thread.sleep(60_000); } }'
)
OURS = re.compile(r"Keyhole VM warning: .* (has no effect|is beyond what Keyhole has)")
# Flags whose values HotSpot checks by special rules, and flags that need a special machine.
SPECIAL = re.compile(r"AOTMode|AOTCache\w*|AOTConfiguration|LargePageSizeInBytes|NUMAInterleaveGranularity|\w*AlignmentInBytes")
# Flags that change the place or form of java's messages about flags, or suppress these messages.
NOT_ASKED = re.compile(
    r"(DisplayVMOutput|Unlock|PrintFlags).*|PrintVMOptions|IgnoreUnrecognizedVMOptions|LogVMOutput|PrintWarnings|Flags"
)
# Updates of a release may add and remove flags. So the test compares the flags only with the update that the table of
# flags describes: {release: update}.
UPDATES_OF_TABLE = {25: "25.0.3"}
FORMS = (
    "+{0} -{0} {0} {0}= {0}=abc {0}=-1 {0}=99999999999999999999 {0}=1k {0}=18446744073709551615 +{0}=1 {0}=0x7fffffff"
    " {0}=4.5 {0}=-9223372036854775809 {0}=99999999"
).split()
VARIABLES = ("JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "JDK_JAVA_OPTIONS", "KEYHOLE_OPTIONS", "CLASSPATH")


def installed():
    """Returns {release: home}, for the releases that can be compared."""
    return {number: home for number, home in sorted(java_homes.homes().items()) if number in (17, 21, 25)}


def has_flags_of_table(number, home):
    found = re.search(r'^JAVA_VERSION="(.*)"', (home / "release").read_text(), re.MULTILINE)
    return number not in UPDATES_OF_TABLE or found is not None and found[1] == UPDATES_OF_TABLE[number]


def prepare(folder, javac):
    for name, text in FILES.items():
        (folder / name).write_text(text)
    (folder / "Show.java").write_text(SHOW)
    (folder / "Stay.java").write_text(STAY)
    subprocess.run([javac, "--release", "17", "-d", "classes", "Show.java", "Stay.java"], cwd=folder, check=True)


def run(vm, words, folder, variables=None, home=None):
    environment = {name: value for name, value in os.environ.items() if name not in VARIABLES} | (variables or {})
    if home:
        environment["KEYHOLE_JAVA_HOME"] = str(home)
    done = subprocess.run(
        [vm, *words], cwd=folder, capture_output=True, text=True, errors="replace", env=environment, timeout=120
    )
    return done.stdout, done.stderr, done.returncode


def comparable(result):
    """Returns the texts without parts that may differ (the VM's name, times, columns, the texts of help and version, the
    versions of modules, lines that only Keyhole prints), and the exit code."""
    out, err, code = result
    texts = []
    for text in (out, err):
        text = text.replace("OpenJDK 64-Bit Server VM warning", "Keyhole VM warning")
        text = re.sub(r"(?m)^\[\d+\.\d{3}s\]\[(\w+) *\]\[([\w,]+) *\]", r"[0.000s][\1][\2]", text)
        text = re.sub(r"(Did you mean '[^']*'\?) ", r"\1\n", text)   # 17 forgets to end the line
        text = re.sub(r"(?ms)^Usage: (java|keyhole) .*", "Usage\n", text)
        text = re.sub(r"(?m)^(openjdk version|Keyhole \d).*\n.*\n.*\n", "version\n", text)
        text = re.sub(r"(?m)^([a-z]+(\.[a-z0-9]+)+)@[\d.]+$", r"\1@version", text)   # modules
        text = re.sub(r" Did you mean any of the following\?.*", "", text)
        texts.append("".join(line for line in text.splitlines(True) if not OURS.match(line)))
    return [*texts, code]


def names_of(release_name):
    rows = (line.split(" ") for line in (FLAGS / "hotspot_flags.txt").read_text().splitlines() if line[0] != "#")
    return {row[0]: row[2:] for row in rows if str(release_name) in row[1].split(",")}


def own_flags():
    """Returns the names of Keyhole's own flags, which take other values than HotSpot's flags of the same name, and need
    no unlocking."""
    text = "".join((ROOT / name).read_text() for name in tree_files() if name.endswith("_flags.def"))
    return set(re.findall(r"^FLAG_\w+\s*\((\w+)", text, re.MULTILINE))


class Checks:
    def __init__(self):
        self.passed, self.failed = 0, 0

    def expect(self, holds, name, text=""):
        self.passed += bool(holds)
        self.failed += not holds
        if not holds:
            print(f"FAILED {name}\n{text}", flush=True)


def check_table(checks, homes):
    done = subprocess.run(
        [sys.executable, FLAGS / "read_hotspot_flags.py", "--check", *homes.values()], capture_output=True, text=True
    )
    checks.expect(done.returncode == 0, "(table of flags)", done.stdout + done.stderr)


def check_forms(checks, home, folder):
    """Gives every flag in many forms, most of them wrong. Both VMs must print the same complaints and warnings, in the
    same order."""
    own = own_flags()
    names = [name for name in sorted(names_of(release(home)))
             if name not in own and not NOT_ASKED.fullmatch(name) and not SPECIAL.fullmatch(name)]
    (folder / "forms.settings").write_text("\n".join(form.format(name) for name in names for form in FORMS) + "\n")
    for unlock in ([], ["-XX:+UnlockDiagnosticVMOptions", "-XX:+UnlockExperimentalVMOptions"]):
        texts = []
        # The settings file begins with the flags that unlock other flags, because flags of the command line do not
        # unlock flags of the settings file.
        file = folder / "forms.settings"
        if unlock:
            file.write_text("".join(word[len("-XX:"):] + "\n" for word in unlock) + file.read_text())
        for vm in (home / "bin/java", VM):
            text = comparable(run(vm, ["-XX:Flags=forms.settings", "-version"], folder, home=home))[1]
            lines = text.splitlines()
            texts.append([[line for line in lines if ("VM warning" in line) == warns] for warns in (False, True)])
        differences = [pair for kind in (0, 1) for pair in zip(texts[0][kind], texts[1][kind]) if pair[0] != pair[1]]
        same_length = [len(kind) for kind in texts[0]] == [len(kind) for kind in texts[1]]
        checks.expect(not differences and same_length, f"(forms of flags, {home.name}, {unlock})", f"  {differences[:3]}")
    return len(names) * len(FORMS)


def check_defaults(checks, home, folder):
    """Gives all flags at once, with their defaults: the program must run."""
    out = run(home / "bin/java", ["-XX:+UnlockDiagnosticVMOptions", "-XX:+UnlockExperimentalVMOptions",
                                  "-XX:+UseSerialGC", "-XX:+PrintFlagsFinal", "-version"], folder)[0]   # fmt: skip
    words = ["-XX:+UnlockDiagnosticVMOptions -XX:+UnlockExperimentalVMOptions"]
    for kind, name, value in re.findall(r"^ *(\w+) (\w+) +:?= (.*?) *\{", out, re.MULTILINE):
        if not re.match("PrintFlags|Unlock|UseCompactObjectHeaders|LockingMode|Flags$|VMOptionsFile$", name):
            sign = "+" if value == "true" else "-"
            words.append(f"-XX:{sign}{name}" if kind == "bool" else f"'-XX:{name}={value}'")
    (folder / "defaults.options").write_text("\n".join(words) + "\n")
    found = run(VM, ["-XX:VMOptionsFile=defaults.options", "-cp", "classes", "Show"], folder, home=home)
    unexpected = [line for line in found[1].splitlines() if not OURS.match(line) and "was deprecated" not in line]
    checks.expect(
        found[0] == "[]null\n" and found[2] == 0 and not unexpected and len(words) > 700,
        f"(all flags with their defaults, {home.name}, {len(words)})",
        f"  {found[0]}{unexpected[:5]} {found[2]}",
    )
    silent = run(VM, ["-Xlog:disable", "-XX:VMOptionsFile=defaults.options", "-cp", "classes", "Show"], folder, home=home)
    checks.expect("has no effect" not in silent[1] and silent[2] == 0, "(-Xlog:disable)", silent[1][:300])


def check_tags(checks, home, folder):
    text = run(home / "bin/java", ["-Xlog:help"], folder)[0]
    tags = re.search(r"Available log tags:\n (.*)\n", text)[1].split(", ")
    selection = ",".join(f"{tag}=off" for tag in tags)
    found = run(VM, [f"-Xlog:{selection}", "-cp", "classes", "Show"], folder, home=home)
    checks.expect(found == ("[]null\n", "", 0), f"(tags of {home.name})", f"  {found}")


def check_effects(checks, home, folder):
    for words, code, pattern in EFFECTS:
        out, err, found = run(VM, words, folder, home=home)
        checks.expect(found == code and re.search(pattern, out + err, re.DOTALL), " ".join(words), f"  {found} {out[-800:]}{err}")


def check_rotation(checks, home, folder):
    """Full log files are renamed. In the end, the newest three of them and the current file exist."""
    (folder / "x.log").write_text("old\n")
    run(VM, ["-Xlog:class+load:file=x.log:none:filecount=3,filesize=2k", "-cp", "classes", "Show"], folder, home=home)
    sizes = {file.name: file.stat().st_size for file in folder.glob("x.log*")}
    full = all(2048 <= size < 2300 for name, size in sizes.items() if name != "x.log")
    checks.expect(sorted(sizes) == ["x.log", "x.log.0", "x.log.1", "x.log.2"] and full and sizes["x.log"] < 2048,
                  "(rotation)", f"  {sizes}")   # fmt: skip
    if release(home) != 17:
        return   # later releases replace %hn by the host's name
    run(VM, ["-Xlog:class+load:file=y-%p-%hn.log:none:filecount=0", "-cp", "classes", "Show"], folder, home=home)
    checks.expect(len(list(folder.glob("y-[0-9]*-%hn.log"))) == 1, "(names of log files)")


def check_signals(checks, home, folder):
    """-XX:OnError= runs commands after a crash; with -Xrs a signal ends the process without hooks."""
    commands = ["-XX:OnError=echo first %p; echo 100%%", "-XX:OnError=echo second"]
    for words, number, pattern in (
        ([], signal.SIGTERM, "^up\nhook\n$"),
        (["-Xrs"], signal.SIGTERM, "^up\n$"),
        (["-Xrs"], signal.SIGQUIT, "^up\n$"),
        ([*commands, "-XX:ErrorFile=crash.txt"], signal.SIGSEGV, r"-XX:OnError=\"echo first %p; echo 100%%\necho second\"\n.*"
                                                                 r"\nfirst PID\n.*\n100%\nsecond\n$"),
    ):   # fmt: skip
        process = subprocess.Popen(
            [VM, *words, "-cp", "classes", "Stay"], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            env=os.environ | {"KEYHOLE_JAVA_HOME": str(home)})   # fmt: skip
        first = process.stdout.readline()
        process.send_signal(number)
        text = first + process.communicate(timeout=60)[0]
        checks.expect(re.search(pattern.replace("PID", str(process.pid)), text, re.DOTALL), f"{words} {number.name}", text[-600:])


def main():
    homes = installed()
    checks = Checks()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        prepare(folder, java_homes.compiler_for(17) / "bin/javac")
        forms = 0
        for release_name, home in homes.items():
            file = KEPT / f"java-{release_name}.json"
            cases = [case if isinstance(case, tuple) else ({}, case) for case in CASES]
            if sys.argv[1:] == ["--bless"] and java_homes.has_compiler(home):
                answers = {json.dumps(case): comparable(run(home / "bin/java", case[1], folder, case[0])) for case in cases}
                file.write_text(json.dumps(answers, indent=0, sort_keys=True) + "\n")
                continue
            kept = json.loads(file.read_text()) if file.exists() else {}
            for variables, words in cases if kept else []:
                found = comparable(run(VM, words, folder, variables, home))
                expected = kept.get(json.dumps((variables, words)))
                checks.expect(found == expected, f"{release_name} {variables or ''} {' '.join(words)}",
                              f"  java:    {expected}\n  keyhole: {found}")   # fmt: skip
            if has_flags_of_table(release_name, home):
                forms += check_forms(checks, home, folder)
                check_defaults(checks, home, folder)
            else:
                print(f"left out: the flags of {home}, which is not {UPDATES_OF_TABLE[release_name]} as the table")
            check_tags(checks, home, folder)
        if sys.argv[1:] != ["--bless"]:
            same_update = {number: home for number, home in homes.items() if has_flags_of_table(number, home)}
            if same_update:
                check_table(checks, same_update)
            first = next(iter(homes.values()))
            if 17 in homes:   # whose flags some of them use
                check_effects(checks, first, folder)
            check_rotation(checks, first, folder)
            check_signals(checks, first, folder)
            print(f"{forms} forms of flags; {checks.passed} passed, {checks.failed} failed")
    sys.exit(1 if checks.failed else 0)


if __name__ == "__main__":
    main()
