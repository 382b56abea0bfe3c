# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""Has the paths of the tree, of the build, and of the files that the commands write."""

import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[2]
RELEASE = ROOT / "build" / "release"
KEYHOLE = RELEASE / "keyhole"
OUTPUT = ROOT / "build" / "bench"  # samples
CLASSES = OUTPUT / "classes"  # compiled kernels
KERNEL_SOURCES = ROOT / "bench" / "kernels"
RESULTS = ROOT / "bench" / "results"  # the pages
