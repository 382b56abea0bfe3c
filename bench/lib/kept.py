# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""Keeps samples by case in a file, which is written after each sample. So an interrupted command can continue."""

import json
import pathlib

from lib.machine import OtherProcesses, cpus_of


class Kept:
    """Samples in a file. `key` describes the build and the options that were measured: if the file has another key,
    its samples are dropped. `samples` has a list for each case, a tuple of texts and numbers. `others` has the wall
    seconds of all measurements, and the processor ticks that other processes used in that time."""

    def __init__(self, file, key, fresh=False):
        self.file, self.key = pathlib.Path(file), key
        self.samples, self.others = {}, [0.0, 0.0]
        if fresh:
            self.file.unlink(missing_ok=True)
        if self.file.exists():
            kept = json.loads(self.file.read_text())
            if isinstance(kept, dict) and kept.get("key") == key and "others" in kept:
                self.others = kept["others"]
                self.samples = {tuple(one["of"]): one["runs"] for one in kept["runs"]}

    def has(self, case, rounds=1):
        return len(self.samples.get(case, [])) >= rounds

    def missing(self, cases, rounds):
        """Returns the number of samples that these cases still need."""
        return sum(max(0, rounds - len(self.samples.get(case, []))) for case in cases)

    def measure(self, case, measure_once, disturbed=True):
        """Adds the list of samples that `measure_once` returns, and records the processor time that other processes
        used meanwhile."""
        others = OtherProcesses()
        found = measure_once()
        if disturbed:
            self.others = [total + more for total, more in zip(self.others, others.seconds_and_ticks())]
        self.samples.setdefault(case, []).extend(found)
        self.save()

    def save(self):
        self.file.parent.mkdir(parents=True, exist_ok=True)
        whole = self.file.with_suffix(".new")
        runs = [{"of": case, "runs": samples} for case, samples in self.samples.items()]
        whole.write_text(json.dumps({"key": self.key, "others": self.others, "runs": runs}))
        whole.replace(self.file)

    def cpus_of_others(self):
        return cpus_of(*self.others)
