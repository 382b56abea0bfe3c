# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""Writes all samples of a command as JSON, for questions that the tables do not answer."""

import json
import pathlib
import sys

from lib.places import OUTPUT


def save(samples, name, file=None, quiet=False):
    """Writes the samples to `file`, by default build/bench/NAME.json. Unless `quiet`, says where they are."""
    path = pathlib.Path(file) if file else OUTPUT / f"{name}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(samples, indent=1))
    if not quiet:
        print(f"samples: {path}", file=sys.stderr)
