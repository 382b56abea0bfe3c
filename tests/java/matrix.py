# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""The collector's ways to run, and a few rows in which each level of each factor meets each level of every other one.

Most faults of combined features need two of them. All combinations would be hundreds; the rows that cover all pairs are about ten. They are computed, so
that a new level is covered by adding it here. The computation is greedy and always takes the same choice.
"""
import itertools
import subprocess

# factor: {level: flags}
FACTORS = {
    "plan": {"generational": [], "evacuating": ["-XX:GCPlan=evacuating"]},
    "header": {"compact": [], "classic": ["-XX:-UseCompactObjectHeaders"], "tiny": ["-XX:+UseTinyObjectHeaders"]},
    "wake-up": {name: [f"-XX:GCWorkerWakeup={name}"] for name in ("semaphore", "monitor", "broadcast")},
    "workers": {str(n): [f"-XX:ParallelGCThreads={n}", "-XX:-UseDynamicNumberOfGCThreads"] for n in (1, 2, 4)},
    "buffers": {"tlab": [], "no tlab": ["-XX:-UseTLAB"]},
    "allocation": {"cas": [], "lock": ["-XX:-UseCASAllocation"]},
    # Collections forced at every nth allocation, or those that a small heap needs, with mixed ones from early on.
    "collections": {"stress": ["-XX:GCStressInterval=400", "-XX:GCStressFullInterval=3"],
                    "small heap": ["-Xmx20m", "-XX:InitiatingHeapOccupancyPercent=15", "-XX:G1HeapWastePercent=0"]},
}
ALWAYS = ["-XX:+VerifyBeforeGC", "-XX:+VerifyAfterGC", "-XX:+GCPoisonFromSpace"]


def pairwise(factors):
    """Rows {factor: level} that hold every pair of levels of two factors. `factors`: {name: [levels]}."""
    names = list(factors)
    missing = {((a, x), (b, y)) for a, b in itertools.combinations(names, 2) for x in factors[a] for y in factors[b]}
    rows = []
    while missing:
        row = dict(min(missing))   # a pair that no row has had yet, then level by level whatever covers most
        for name in names:
            if name in row:
                continue
            def gain(level):
                return sum(tuple(sorted([(name, level), other], key=lambda item: names.index(item[0]))) in missing for other in row.items())
            row[name] = max(factors[name], key=gain)
        rows.append({name: row[name] for name in names})
        missing -= set(itertools.combinations(rows[-1].items(), 2))
    return rows


def is_accepted(vm, flags):
    return subprocess.run([vm] + flags + ["-version"], capture_output=True, timeout=60).returncode == 0


def rows(vm):
    """(label, flags) for each row, of the levels that this VM has."""
    levels = {name: [level for level, flags in each.items() if not flags or is_accepted(vm, flags)] for name, each in FACTORS.items()}
    return [(", ".join(row.values()), ALWAYS + [flag for name, level in row.items() for flag in FACTORS[name][level]]) for row in pairwise(levels)]
