# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""Combines options of the VM: makes a few rows in which each level of each factor occurs together with each level of
every other factor.

Most faults of combined options occur when two options are combined. All combinations would be hundreds of rows. Rows
that cover all pairs of levels are about as many as the combinations of the two largest factors. The rows are computed,
so that a new level is covered when it is added here. The computation is greedy and always makes the same choice.

The factors of each matrix:
    collector:  collectors (plans), header layouts, GC worker threads, allocation, and ways to cause collections
    tiers:      execution tiers, locking algorithms, header layouts, and stress at allocations and polls
    optimising: the factors of `tiers` with the optimising tier (forced or with profiles), and where it deoptimizes
"""
import itertools
import pathlib
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent

HEADERS = {"compact": [], "classic": ["-XX:-UseCompactObjectHeaders"], "tiny": ["-XX:+UseTinyObjectHeaders"]}

COLLECTING_PLANS = re.findall(r"^GC_PLAN\((\w+), true,", (ROOT / "gc" / "plans.def").read_text(), re.M)

# factor: {level: flags}
COLLECTOR = {
    "plan": {name: [f"-XX:GCPlan={name}"] for name in COLLECTING_PLANS},
    "header": HEADERS,
    "wake-up": {name: [f"-XX:GCWorkerWakeup={name}"] for name in ("semaphore", "monitor", "broadcast")},
    "workers": {str(n): [f"-XX:ParallelGCThreads={n}", "-XX:-UseDynamicNumberOfGCThreads"] for n in (1, 2, 4)},
    "buffers": {"tlab": [], "no tlab": ["-XX:-UseTLAB"]},
    "allocation": {"cas": [], "lock": ["-XX:-UseCASAllocation"]},
    # `stress` forces a collection at every nth allocation. With `small heap`, collections occur because the heap is
    # small, and mixed collections (of young and old regions) begin early.
    "collections": {"stress": ["-XX:GCStressInterval=400", "-XX:GCStressFullInterval=3"],
                    "small heap": ["-Xmx20m", "-XX:InitiatingHeapOccupancyPercent=15", "-XX:G1HeapWastePercent=0"]},
}
ALWAYS = {
    "collector": ["-XX:+VerifyBeforeGC", "-XX:+VerifyAfterGC", "-XX:+GCPoisonFromSpace"],
    "tiers": [],
    "optimising": ["-XX:TieredStopAtLevel=4", "-XX:+VerifyReferences"],
}

# With `thresholds 1`, methods are compiled at the second call, loops at the first backward branch, and nothing is
# recompiled. With `xcomp`, methods are compiled at the first call, and soon again.
TIERS = {
    "interpreter": ["-Xint"],
    "default": [],
    "thresholds 1": ["-XX:Tier3InvocationThreshold=1", "-XX:Tier3BackEdgeThreshold=1"],
    "xcomp": ["-Xcomp"],
}
HOT = [
    "-XX:Tier3InvocationThreshold=5",
    "-XX:Tier3BackEdgeThreshold=50",
    "-XX:Tier4InvocationThreshold=20",
    "-XX:Tier4BackEdgeThreshold=100",
]
OPTIMISING = {"forced": ["-Xcomp"], "hot": HOT, "hot here": HOT + ["-XX:-BackgroundCompilation"]}
WAYS_OUT = {
    "as needed": [],
    "exits": ["-XX:ExitStressInterval=7"],
    "returns": ["-XX:ReturnStressInterval=3"],
    "exits and returns": ["-XX:ExitStressInterval=101", "-XX:ReturnStressInterval=13"],
}


def tiers(locking_modes, ways_to_run):
    return {
        "locking": {mode: [f"-XX:LockingMode={mode}"] for mode in locking_modes},
        "header": HEADERS,
        "tier": ways_to_run,
        "stress": {
            "no stress": [],
            "gc": ["-XX:GCStressInterval=300", "-XX:+VerifyAfterGC", "-XX:+GCPoisonFromSpace"],
            "safepoints": ["-XX:GCStressSafepointInterval=2000", "-XX:+GCPoisonFromSpace"],
        },
    }


def factors_of(which, locking_modes):
    if which == "collector":
        return COLLECTOR
    if which == "tiers":
        return tiers(locking_modes, TIERS)
    return tiers(locking_modes, OPTIMISING) | {"ways out": WAYS_OUT}


def pairwise(factors, is_possible=lambda one, other: True):
    """Returns rows {factor: level}. Together they contain every possible pair of levels of two factors. `factors` is
    {name: [levels]}. A pair ((factor, level), (factor, level)) for which `is_possible` is false is in no row."""
    names = list(factors)
    def ordered(one, other):
        return (one, other) if names.index(one[0]) < names.index(other[0]) else (other, one)
    pairs = {((a, x), (b, y)) for a, b in itertools.combinations(names, 2) for x in factors[a] for y in factors[b]}
    possible = {pair for pair in pairs if is_possible(*pair)}
    missing = set(possible)
    rows = []
    while missing:
        row = dict(min(missing))   # a pair not yet covered; each other level is chosen to cover most missing pairs
        for name in names:
            if name in row:
                continue
            def gain(level):
                return sum(ordered((name, level), other) in missing for other in row.items())
            row[name] = max(
                (
                    level
                    for level in factors[name]
                    if all(ordered((name, level), other) in possible for other in row.items())
                ),
                key=gain,
            )
        rows.append({name: row[name] for name in names})
        missing -= set(itertools.combinations(rows[-1].items(), 2))
    return rows


def is_accepted(vm, flags):
    """Returns whether the VM accepts these flags and complains only about the missing class NoSuchClass."""
    done = subprocess.run(
        [vm] + flags + ["-cp", "/nonexistent", "NoSuchClass"], capture_output=True, text=True, timeout=60
    )
    return "NoSuchClass" in done.stderr


def rows(vm, which, locking_modes=()):
    """Returns (label, flags) for each row of the matrix `which`: collector, tiers or optimising. The rows have only
    levels that this VM accepts."""
    factors = factors_of(which, locking_modes)
    levels = {
        name: [level for level, flags in each.items() if not flags or is_accepted(vm, flags)]
        for name, each in factors.items()
    }
    flags_of = lambda item: factors[item[0]][item[1]]
    # Some locking algorithms need a property that some header layouts lack. Every other pair of levels is possible.
    refused = {
        (mode, header)
        for mode in levels.get("locking", [])
        for header in levels["header"]
        if flags_of(("header", header))
        and not is_accepted(vm, flags_of(("locking", mode)) + flags_of(("header", header)))
    }
    found = pairwise(levels, lambda one, other: (one[1], other[1]) not in refused)
    return [
        (", ".join(row.values()), ALWAYS[which] + [flag for item in row.items() for flag in flags_of(item)])
        for row in found
    ]
