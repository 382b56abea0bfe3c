# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""Compares virtual threads on continuations on Keyhole, which locks in three ways, with those of HotSpot 25. Also
measures every locking mode under contention, with platform threads and with virtual threads."""

import pathlib
import statistics
import subprocess
import sys

from lib import processes
from lib.gc_log import young_pauses
from lib.jvms import java25, locking_modes
from lib.places import OUTPUT, ROOT
from lib.rounds import interleaved
from lib.summary import figure, millions, ratios, spread

CLASSES = OUTPUT / "virtual-classes"
EXPORTS = ["--add-exports", "java.base/jdk.internal.vm=ALL-UNNAMED"]
CARRIERS = [f"-Djdk.virtualThreadScheduler.{limit}=2" for limit in ("parallelism", "maxPoolSize")]
CONTINUATIONS = ["-XX:+UnlockExperimentalVMOptions", "-XX:+VMContinuations"]
LOCKS = {"Keyhole": [], "MonitorTurns": ["-XX:+MonitorTurns"], "cjm-by": ["-XX:LockingMode=cjm-by"]}
# Key: the arguments of a load. Value: the ways to lock (names in LOCKS) in which Keyhole is measured under this load.
LOADS = {
    ("yield",): ["Keyhole"],
    ("contended", "10000"): list(LOCKS),
    ("ping-pong",): ["Keyhole"],
    ("fan-out", "10000"): ["Keyhole"],
    ("memory", "20000"): ["Keyhole"],
    ("pauses", "100000"): ["Keyhole"],
    ("pauses", "0"): ["Keyhole"],
    ("http",): ["Keyhole"],
    ("connections", "10000"): ["Keyhole"],
}
REQUESTS = 10   # over each connection
CONTENDERS = 8


def named_figures(text):
    return {name: float(value) for name, value in (line.rsplit(" ", 1) for line in text.splitlines())}


def figures_of_connections(command, connections, client):
    """Starts a server on the measured VM, and runs its clients on the VM of `client`. That VM is the same in all cases.
    Returns the figures that the clients print."""
    server = subprocess.Popen([*command, "HttpConnections", "serve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                              text=True)
    port = server.stdout.readline().strip()
    text = processes.output_of([*client, "HttpConnections", "load", port, connections, str(REQUESTS)])
    server.communicate()
    return named_figures(text)


def figures_of(command, load, client):
    """Runs the load once on a VM. Returns {name of a figure: value}. `client` is the VM for the clients of a server."""
    if load[0] == "connections":
        return figures_of_connections(command, load[1], client)
    if load[0] != "pauses":
        return named_figures(processes.output_of(command + ["VirtualLoads", *load]))
    text = processes.output_of(command + ["-Xmx4g", "-Xmn64m", "-Xlog:gc", "VirtualLoads", *load])
    pauses = young_pauses(text[text.index("garbage\n"):])
    if not pauses:
        sys.exit(f"{' '.join(command)}: no young collections in\n{text[-2000:]}")
    return {f"young pause, {int(load[1]):,} parked": statistics.median(pauses) * 1e6}


def hotspot_and_home(*programs):
    """Compiles the programs. Returns the path of JDK 25's java, and its home."""
    hotspot = java25()
    if hotspot is None:
        sys.exit("bench/compare needs a JDK 25 for virtual threads")
    home = pathlib.Path(hotspot).parents[1]
    sources = [str(ROOT / "bench" / "virtual" / f"{program}.java") for program in programs]
    subprocess.run([str(home / "bin" / "javac"), *EXPORTS, "-d", str(CLASSES), *sources], check=True)
    return hotspot, home


def report_virtual(report, vm, rounds, only):
    hotspot, home = hotspot_and_home("VirtualLoads", "HttpConnections")
    common = [*EXPORTS, *CARRIERS, "-cp", str(CLASSES)]
    own = ["env", f"KEYHOLE_JAVA_HOME={home}", vm, *CONTINUATIONS]
    vms = {name: [*own, *flags, *common] for name, flags in LOCKS.items()}
    vms["HotSpot 25"] = [hotspot, *common]
    cases = [(load, name) for load, ways in LOADS.items() for name in [*ways, "HotSpot 25"] if only in load[0]]
    samples = {}
    for _, (load, name) in interleaved(rounds, cases):
        for what, value in figures_of(vms[name], load, vms["HotSpot 25"]).items():
            samples.setdefault(what, {}).setdefault(name, []).append(value)
    report.say("Nanoseconds of an operation, or bytes of a parked thread; two carriers:\n")
    rows = []
    for what, by_vm in samples.items():
        theirs = by_vm["HotSpot 25"]
        for name, own in by_vm.items():
            if name == "HotSpot 25":
                continue
            label = what if name == "Keyhole" else f"{what}, {name}"
            rows.append([label, figure(statistics.median(own)), figure(statistics.median(theirs)),
                         spread(ratios(own, theirs))])
    report.table(["", "Keyhole", "HotSpot 25", "ratio"], rows)
    return {f"{name} {what}": values for what, by_vm in samples.items() for name, values in by_vm.items()}


def report_virtual_locks(report, vm, rounds, only, seconds):
    hotspot, home = hotspot_and_home("VirtualLocks")
    common = [*CARRIERS, "-cp", str(CLASSES), "VirtualLocks"]
    own = ["env", f"KEYHOLE_JAVA_HOME={home}", vm, *CONTINUATIONS]
    vms = {mode: [*own, f"-XX:LockingMode={mode}"] for mode in locking_modes(vm) if mode != "none"}
    vms["lightweight, MonitorTurns"] = [*own, "-XX:+MonitorTurns"]
    vms["HotSpot 25"] = [hotspot]
    cases = [(name, kind) for name in vms if only in name for kind in ("platform", "virtual")]
    samples = {}
    for _, (name, kind) in interleaved(rounds, cases):
        text = processes.output_of([*vms[name], *common, kind, str(CONTENDERS), str(seconds)])
        for what, value in (line.split() for line in text.splitlines()):
            samples.setdefault(f"{name} {kind} {what}", []).append(float(value))
    report.say(f"{CONTENDERS} threads, two processors, two carriers. Millions of operations in a second; Jain's index "
               "of the threads'\nshares; microseconds from an exit to another thread's enter, median; how much of the "
               "two processors is idle:\n")
    def cells(name, kind):
        throughput, jain, hand_over, idle = (
            statistics.median(samples[f"{name} {kind} {what}"]) for what in ("throughput", "jain", "hand-over", "idle"))
        return [millions(throughput), f"{jain:.2f}", figure(hand_over / 1000), f"{idle:.0%}"]
    head = [""] + [f"{kind}: {what}" for kind in ("platform", "virtual") for what in ("M/s", "Jain", "µs", "idle")]
    report.table(head, [[name, *cells(name, "platform"), *cells(name, "virtual")] for name in vms if only in name])
    return samples
