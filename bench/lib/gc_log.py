# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""Parses -Xlog:gc of Keyhole and of HotSpot."""

import re

YOUNG_PAUSE = re.compile(r"Pause Young.* ([\d.]+)ms$", re.MULTILINE)


def young_pauses(text):
    """Returns the milliseconds of each young collection."""
    return [float(milliseconds) for milliseconds in YOUNG_PAUSE.findall(text)]
