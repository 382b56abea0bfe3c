#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""Makes hotspot_flags.txt: asks HotSpots which flags they know.

    read_hotspot_flags.py JDK...     replaces the rows of these JDKs' releases, keeps those of other releases
    read_hotspot_flags.py --check JDK...
                                     exits with 1, and says where, when the rows differ from what the JDKs say

A HotSpot prints names, types, kinds and ranges itself (-XX:+PrintFlagsFinal, -XX:+PrintFlagsRanges). Flags of debug
builds, renamed flags and removed ones are in no such list; a settings file (-XX:Flags=) answers for thousands of names
at once. The candidates are the identifiers in libjvm.so, with their endings: the linker stores a string that ends
another one only once. --check asks about the names in the table alone.
"""
import collections
import pathlib
import re
import subprocess
import sys
import tempfile

TABLE = pathlib.Path(__file__).resolve().parent / "hotspot_flags.txt"
UNLOCK = ["-XX:+UnlockDiagnosticVMOptions", "-XX:+UnlockExperimentalVMOptions"]
# Would change where or whether the answers are printed.
NOT_ASKED = re.compile(r"(DisplayVMOutput|Unlock|PrintFlags).*|PrintVMOptions|IgnoreUnrecognizedVMOptions|LogVMOutput|PrintWarnings")
HEADER = """\
# Flags of HotSpot. Made by read_hotspot_flags.py; read by hotspot_flags.h.
#   name releases kind [type] [default | minimum..maximum] [deprecated=since[:replacement]]
# Defaults are those of booleans. Flags that a product build refuses are of kind develop or notproduct;
#   their type, where it is known, is bool or number.
# `removed` is followed by the version that removed the flag; such a flag is ignored with a warning.
"""


def run(jdk, *arguments):
    done = subprocess.run([jdk / "bin/java", *arguments, "-version"], capture_output=True, text=True, errors="replace")
    return done.stdout, done.stderr


def kind_of(text):
    return next(kind for kind in ("manageable", "diagnostic", "experimental", "develop", "product") if kind in text)


def listed(jdk):
    """name -> [kind, type, default or range], as the HotSpot lists its flags."""
    rows = {}
    initial = run(jdk, "-XX:+PrintFlagsInitial")[0]   # of product flags alone, before the machine decides about some
    for line in (run(jdk, *UNLOCK, "-XX:+PrintFlagsFinal")[0] + initial).splitlines():
        if found := re.match(r"\s*(\w+)\s+(\w+)\s+:?=\s*(.*?)\s*\{(.*?)\}\s*\{", line):
            type_name, name, value, kind = found.groups()
            rows[name] = [kind_of(kind), type_name] + ([value] if type_name == "bool" else [])
    for line in run(jdk, *UNLOCK, "-XX:+PrintFlagsRanges")[0].splitlines():
        if found := re.match(r"\s*\w+\s+(\w+)\s+\[\s*(\S*)\s*\.\.\.\s*(\S*)\s*\]", line):
            name, minimum, maximum = found.groups()
            if len(maximum) > 40:   # the largest double
                maximum = repr(float(maximum))
            if minimum:
                rows[name].append(f"{minimum}..{maximum}")
    return rows


def answers(jdk, names):
    """What the HotSpot says about names in a settings file, each as a boolean and as a number."""
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "settings"
        texts = []
        for form in ("+{}\n", "{}=1\n"):
            file.write_text("".join(form.format(name) for name in names if not NOT_ASKED.fullmatch(name)))
            texts.append(run(jdk, f"-XX:Flags={file}")[1])
    return texts


def rows_of(jdk, names):
    rows = listed(jdk)
    signed, unsigned = answers(jdk, sorted(names | rows.keys()))
    text = signed + unsigned
    for name, kind in re.findall(r"VM option '(\w+)' is (develop|notproduct) and", text):
        rows.setdefault(name, [kind])
    # 25 goes on to say whether the name takes a sign.
    for name, form in re.findall(r"VM option '(\w+)' is develop and .*\n(Unexpected|Improperly)[^']*'\1'", signed):
        rows[name] = ["develop", "number" if form == "Unexpected" else "bool"]
    for name, version in re.findall(r"Ignoring option (\w+); support was removed in (\S+)", text):
        rows.setdefault(name, ["removed", version])
    deprecated = r"[Oo]ption (\w+) was deprecated in version (\S+) and will likely be removed in a future release\.(?: Use option (\w+) instead)?"
    for name, version, other in dict.fromkeys(re.findall(deprecated, text)):
        if other:
            rows[name] = rows[other][:]   # an alias
        rows[name].append(f"deprecated={version}" + (f":{other}" if other else ""))
    return {name: " ".join(fields) for name, fields in rows.items()}


def candidates(jdk):
    library = (jdk / "lib/server/libjvm.so").read_bytes()
    names = {text.decode() for text in re.findall(rb"(?<![\x20-\x7e])[A-Z][A-Za-z0-9_]{2,70}(?=\0)", library)}
    return names | {name[at.start() :] for name in names for at in re.finditer(r"(?<=[a-z0-9])[A-Z](?=\w{3})", name)}


def read_table():
    """release -> {name: rest of the row}"""
    table = collections.defaultdict(dict)
    for line in TABLE.read_text().splitlines() if TABLE.exists() else []:
        if not line.startswith("#"):
            name, releases, rest = line.split(" ", 2)
            for release in releases.split(","):
                table[int(release)][name] = rest
    return table


def write_table(table):
    merged = collections.defaultdict(list)
    for release, rows in table.items():
        for name, rest in rows.items():
            merged[name, rest].append(release)
    lines = [f"{name} {','.join(map(str, sorted(of)))} {rest}\n" for (name, rest), of in merged.items()]
    TABLE.write_text(HEADER + "".join(sorted(lines)))


def release_of(jdk):
    return int(re.search(r'JAVA_VERSION="(\d+)', (jdk / "release").read_text())[1])


def without_processor(name, row):
    """The row without what differs from processor to processor: which intrinsics there are by default."""
    return re.sub(r" (true|false)$", "", str(row)) if re.fullmatch(r"Use\w+Intrinsics", name) else str(row)


def main():
    check = sys.argv[1:2] == ["--check"]
    jdks = [pathlib.Path(jdk) for jdk in sys.argv[2 if check else 1 :]]
    if not jdks:
        sys.exit(__doc__)
    table = read_table()
    known = set().union(*table.values())
    if not check:
        known |= set().union(*map(candidates, jdks))
    differences = []
    for jdk in jdks:
        found, kept = rows_of(jdk, known), table[release_of(jdk)]
        for name in sorted(found.keys() | kept.keys()):
            if without_processor(name, found.get(name)) != without_processor(name, kept.get(name)):
                differences.append(f"{jdk}: {name}: {found.get(name)}, in the table: {kept.get(name)}")
        table[release_of(jdk)] = found
    if check:
        print("\n".join(differences or ["the table says the same"]))
        sys.exit(1 if differences else 0)
    write_table(table)


if __name__ == "__main__":
    main()
