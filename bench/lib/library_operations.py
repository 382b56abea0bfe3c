# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""The suite of `bench/compare operations`: operations of the class library that VMs compile in a special way."""

import statistics

from lib import processes
from lib.places import CLASSES
from lib.rounds import interleaved
from lib.summary import geometric_mean, ratios, spread


def report_operations(report, vms, rounds, only):
    times = {}
    for _, vm in interleaved(rounds, list(vms)):
        output = processes.output_of([*vms[vm], "-cp", CLASSES, "LibraryOperations", only])
        for line in output.splitlines():
            nanoseconds, name = line.split(" ", 1)
            times.setdefault(name, {}).setdefault(vm, []).append(max(float(nanoseconds), 0.1))
    first, *others = vms
    rows, medians = [], {other: [] for other in others}
    for name, by_vm in times.items():
        row = [name] + [f"{statistics.median(by_vm[vm]):.1f}" for vm in vms]
        for other in others:
            compared = ratios(by_vm[first], by_vm[other])
            medians[other].append(statistics.median(compared))
            row.append(spread(compared))
        rows.append(row)
    means = [f"**{geometric_mean(medians[other]):.2f}**" for other in others]
    rows.append(["**geometric mean**"] + [""] * len(vms) + means)
    report.say("Nanoseconds of one operation, and Keyhole's time divided by the other VM's:\n")
    report.table(["operation", *vms, *(f"/ {other}" for other in others)], rows)
    return {f"{vm} {name}": values for name, by_vm in times.items() for vm, values in by_vm.items()}
