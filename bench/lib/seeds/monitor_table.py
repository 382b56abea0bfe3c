# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""Measures Xalan with and without -XX:+UseObjectMonitorTable, and the variants of the successor hint."""

import statistics

from lib.jvms import java25
from lib.kernels import run_kernel
from lib.paper_figures import simulate, spin_flags
from lib.places import OUTPUT
from lib.programs import xalan
from lib.seeds import pictures
from lib.seeds.published import Published
from lib.summary import geometric_mean, ratios, spread

# For each version of the document, the value of -XX:SuccessorVariant that behaves alike, but leaves no thread asleep
# beside a free lock.
VARIANTS = {"base": "base", "v3": "v3", "v4": "v4-checked", "v5": "v5-fenced", "v6": "v6-checked", "v7": "v7-checked"}
TABLES = {"off": [], "on": ["-XX:+UseObjectMonitorTable"]}
HOTSPOT = {"off": ["-XX:-UseObjectMonitorTable"], "on": TABLES["on"]}
HOTSPOT_NAME = "HotSpot 25"
LOADS = {"0/0": [0, 0], "1/200": [1, 200]}
SIMULATED_THREADS = [8, 72]
STEADY = 40  # repetitions: half of the time until then is for the compilers


class MonitorTable:
    name = "monitor-table"
    document = "monitor-table"
    two_cores = (
        "the cost of the look-ups in the table and the two caches is visible. The experiments with the successor hint "
        "concern many threads that spin for one monitor. Two CPUs cannot show this: two threads run, and a third "
        "waits for a CPU."
    )

    def __init__(self, options):
        self.options, self.path = options, xalan()
        self.variants = ["base"] if options.quick else list(VARIANTS)
        self.threads = [2]
        self.vms = [("Keyhole", table, version) for table in TABLES for version in self.variants]
        self.vms.append(("Keyhole", "on, chained", "base"))
        if java25():
            self.vms += [(HOTSPOT_NAME, table, "base") for table in HOTSPOT]

    def command(self, vm, table, version):
        if vm == HOTSPOT_NAME:
            return [java25(), "-XX:+UnlockDiagnosticVMOptions", *HOTSPOT[table]]
        chained = ["-XX:ObjectMonitorTableGeneration=A"] if "chained" in table else []
        variant = [] if version == "base" else [f"-XX:SuccessorVariant={VARIANTS[version]}"]
        return [self.options.vm, *TABLES[table.split(",")[0]], *chained, *variant]

    def cases(self):
        measured = [("xalan", *vm, threads) for threads in self.threads for vm in self.vms] if self.path else []
        simulated = [
            ("simulated", version, load, threads)
            for version in self.variants
            for load in LOADS
            for threads in SIMULATED_THREADS
        ]
        return measured + simulated

    def measure(self, case):
        if case[0] == "xalan":
            repetitions = 5 if self.options.quick else STEADY
            return [run_kernel(self.command(*case[1:4]), "XalanRun", repetitions, case[4], class_path=self.path)[0]]
        _, version, load, threads = case
        csl, ncsl = LOADS[load]
        flags = ["--algorithm", "lightweight,lightweight+table", "--threads", threads, "--csl", csl, "--ncsl", ncsl,
                 "--seconds", 0.01, "--runs", 3, "--flag", f"SuccessorVariant={VARIANTS[version]}",
                 *spin_flags("paper")]  # fmt: skip
        found = simulate(self.options.mutexbench, flags, OUTPUT / "seeds" / "run.json")
        return [{one["algorithm"]: one["median_per_second"] for one in found}]

    def report(self, report, samples):
        averages, large = Published("xalan-averages"), Published("xalan-large")
        report.say(averages.place_in_words())
        report.table(
            [*averages.columns, "change"], [[name, off, on, f"{off / on:.2f}"] for name, off, on in averages.rows]
        )
        report.say(
            large.place_in_words()
            + " Each row compares a test with the mainline without the table, which is the base. "
            "Change: base by test, so less than 1 is slower."
        )
        report.table(
            ["machine", "benchmark", "table", "version", "runs", "base, ms", "test, ms", "change"],
            [
                [
                    *row[:4],
                    row[4],
                    f"{row[5]:.0f} ± {row[6]:.0f}",
                    f"{row[7]:.0f} ± {row[8]:.0f}",
                    f"{row[5] / row[7]:.2f}",
                ]
                for row in large.rows
            ],
            left=4,
        )
        changes = self.say_own(report, samples) if self.path else {}
        simulated = self.say_simulated(report, samples)
        self.draw(report, large, changes, simulated)

    def say_own(self, report, samples):
        report.say(
            "Our times for Xalan, which transforms 200 documents with one style sheet, in milliseconds. The change is "
            "the time of the same VM's base version without the table, divided by the row's time in the same round. "
            "Above 1, the row is faster."
        )
        rows, changes = [], {}
        for vm, table, version in self.vms:
            row = [vm, table, version]
            for threads in self.threads:
                own = samples["xalan", vm, table, version, threads]
                change = ratios(samples["xalan", vm, "off", "base", threads], own)
                changes[vm, table, version, threads] = statistics.median(change)
                row += [f"{statistics.median(own):.1f}", spread(change)]
            rows.append(row)
        heads = [text for threads in self.threads for text in (f"T={threads}", "change")]
        report.table(["VM", "table", "version", *heads], rows, left=3)
        return changes

    def say_simulated(self, report, samples):
        report.say(
            "The rate of one contended monitor on 72 simulated CPUs, divided by the rate of the base without the table. The "
            "loads csl/ncsl are those of the paper's figures."
        )
        changes, columns = {}, [(load, threads) for load in LOADS for threads in SIMULATED_THREADS]
        for column in columns:
            base = samples["simulated", "base", *column][0]["lightweight"]
            for version in self.variants:
                rates = samples["simulated", version, *column][0]
                changes["off", version, column] = rates["lightweight"] / base
                changes["on", version, column] = rates["lightweight+table"] / base
        report.table(
            ["table", "version"] + [f"{load} T={threads}" for load, threads in columns],
            [
                [table, version] + [f"{changes[table, version, column]:.2f}" for column in columns]
                for table in TABLES
                for version in self.variants
            ],
            left=2,
        )
        return {
            (table, version): geometric_mean([changes[table, version, column] for column in columns])
            for table in TABLES
            for version in self.variants
        }

    def draw(self, report, large, changes, simulated):
        parts = {}
        for table in ("on", "off"):
            series = {}
            for machine, benchmark in dict.fromkeys((row[0], row[1]) for row in large.rows):
                found = {row[3]: row[5] / row[7] for row in large.rows if tuple(row[:3]) == (machine, benchmark, table)}
                if found:
                    series[f"{benchmark}, {machine}"] = [found.get(version) for version in VARIANTS]
            for threads in self.threads if changes else ():
                series[f"Keyhole, T={threads}"] = [changes.get(("Keyhole", table, one, threads)) for one in VARIANTS]
            series["simulated, mean"] = [simulated.get((table, version)) for version in VARIANTS]
            parts[f"with the table {table}"] = (list(VARIANTS), series)
        pictures.bars(
            report, self.name, "The monitor table and the successor hint", parts, "base by test; above 1 is faster"
        )
