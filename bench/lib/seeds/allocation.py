# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""Compares allocation by CAS with allocation under the heap lock: how long requests wait, and how many are served."""

import statistics

from lib.jvms import java25
from lib.kernels import compile_kernels
from lib.places import CLASSES
from lib.processes import json_lines
from lib.seeds import pictures
from lib.seeds.published import Published, gain_in_words
from lib.summary import figure

LATENCIES = ["p50", "p90", "p99", "p99.9", "p99.99", "max"]
HEAP = ["-Xms256m", "-Xmx256m"]
MODES = {"lock": ["-XX:-UseCASAllocation"], "cas": ["-XX:+UseCASAllocation"]}
BUFFERS = {"TLAB": [], "no TLAB": ["-XX:-UseTLAB"]}
# Pieces of memory that threads take from the heap: buffers, as in the document's runs, and objects without buffers.
PIECES = {"32 KiB each 8 us": ["--piece", 32768, "--work", 8000], "64 B each 100 ns": ["--piece", 64, "--work", 100]}
SIMULATED_THREADS = [2, 16, 96]
SHENANDOAH = "HotSpot 25 Shenandoah"


class Allocation:
    name = "allocation"
    document = "allocation"
    two_cores = (
        "at most one other thread runs while a thread holds the heap lock, and with buffers threads seldom need the "
        "lock. The contention of 96 threads is not visible here; the simulated rows show it."
    )

    def __init__(self, options):
        self.options = options
        compile_kernels("AllocationLoad")
        self.threads = [2] if options.quick else [2, 8]
        self.vms = {f"Keyhole {mode}": [options.vm, *flags] for mode, flags in MODES.items()}
        if java25():
            self.vms[SHENANDOAH] = [java25(), "-XX:+UseShenandoahGC"]

    def cases(self):
        measured = [(vm, buffers, threads) for buffers in BUFFERS for threads in self.threads for vm in self.vms]
        return measured + [("simulated", pieces) for pieces in PIECES]

    def measure(self, case):
        if case[0] == "simulated":
            seconds = 0.005 if self.options.quick or "64" in case[1] else 0.02
            command = [
                self.options.allocbench,
                "--world",
                "simulated",
                "--json",
                "--seed",
                1,
                "--virtual-seconds",
                seconds,
            ]
            threads = ",".join(map(str, SIMULATED_THREADS))
            lines = json_lines(command + ["--threads", threads, *PIECES[case[1]]])
            return [
                [{key: line[key] for key in ("mode", "threads", "million_pieces_per_s", "metered")} for line in lines]
            ]
        vm, buffers, threads = case
        count = 5_000 if self.options.quick else 200_000  # takes seconds; compiling is a small part of them
        return json_lines(
            self.vms[vm] + HEAP + BUFFERS[buffers] + ["-cp", CLASSES, "AllocationLoad", "requests", threads, count]
        )

    def report(self, report, samples):
        lusearch = Published("lusearch")
        report.say("Metered latency of requests. " + lusearch.place_in_words())
        report.table(lusearch.columns, lusearch.rows)
        theirs = {
            mode: [statistics.median(row[2 + place] for row in lusearch.rows if row[0] == mode) for place in range(6)]
            for mode in MODES
        }
        rows = [["theirs", mode, *map(figure, theirs[mode])] for mode in MODES]
        curves = {"theirs": {f"theirs, {mode}": theirs[mode] for mode in MODES}}
        for buffers in BUFFERS:
            for threads in self.threads:
                for vm in self.vms:
                    values = self.metered(samples[vm, buffers, threads])
                    where, mode = ("Shenandoah", "lock") if vm == SHENANDOAH else ("Keyhole", vm.split()[1])
                    rows.append([f"{where}, {buffers}, T={threads}", mode, *map(figure, values)])
                    curves.setdefault(f"here, {buffers}", {})[
                        f"{'Shenandoah' if vm == SHENANDOAH else mode}, T={threads}"
                    ] = values
        simulated = {
            (pieces, line["threads"], line["mode"]): line
            for pieces in PIECES
            for line in samples["simulated", pieces][0]
        }
        for pieces in PIECES:
            for mode in MODES:
                line = simulated[pieces, SIMULATED_THREADS[-1], mode]
                values = [line["metered"][one] for one in LATENCIES]
                rows.append([f"simulated, {pieces}", mode, *map(figure, values)])
                curves.setdefault("simulated, 96 CPUs", {})[f"{mode}, {pieces.split(' each')[0]}"] = values
        report.say(
            "Metered latency in microseconds: the median of the document's ten iterations (`theirs`), and our figures. A "
            "request allocates 200 small objects on this machine's two CPUs, or four pieces of memory on 96 simulated CPUs. "
            "Shenandoah of HotSpot 25 has the heap lock, like the document's baseline."
        )
        report.table(["where", "", *LATENCIES], rows, left=2)
        self.say_throughput(report, samples, simulated)
        pictures.lines(
            report, self.name, "Metered latency by percentile",
            {title: {one: (LATENCIES, values) for one, values in series.items()} for title, series in curves.items()},
            "", "us", log_across=False,
        )  # fmt: skip

    @staticmethod
    def metered(runs):
        return [statistics.median(run["metered"][one] for run in runs) for one in LATENCIES]

    def say_throughput(self, report, samples, simulated):
        rows = []
        for name in ("specjbb-2", "specjbb-16"):
            table = Published(name)
            report.say(table.place_in_words())
            report.table(
                [*table.columns, "gain"], [[*row, gain_in_words((row[2] / row[1] - 1) * 100)] for row in table.rows]
            )
            most, critical = table.rows[:2]
            for metric, lock, cas in (most, critical):
                rows.append([f"theirs, {table.machine}: {metric}", lock, cas, gain_in_words((cas / lock - 1) * 100)])
        for buffers in BUFFERS:
            for threads in self.threads:
                lock, cas = (
                    statistics.median(run["requests_per_s"] for run in samples[f"Keyhole {mode}", buffers, threads])
                    / 1e3
                    for mode in MODES
                )
                rows.append([f"here, {buffers}, T={threads}: 1000 requests/s", figure(lock), figure(cas),
                             gain_in_words((cas / lock - 1) * 100)])  # fmt: skip
        for pieces in PIECES:
            for threads in SIMULATED_THREADS:
                lock, cas = (simulated[pieces, threads, mode]["million_pieces_per_s"] for mode in MODES)
                rows.append([f"simulated, {pieces}, T={threads}: M pieces/s", figure(lock), figure(cas),
                             gain_in_words((cas / lock - 1) * 100)])  # fmt: skip
        report.say("Throughput in the document (`theirs`) and here:")
        report.table(["what", "lock", "cas", "gain"], rows)
