# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""Returns the names of the tree's files, for the checks that read all of them.

With git, the tree's files are those that git tracks or would track. A tree may also come from a tarball, on a machine
without git. Then its files are all files except those that builds and tools leave.
"""
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent
LEFT_AT_THE_TOP = {"build", ".git", ".cache"}
LEFT_ANYWHERE = {"node_modules", "__pycache__"}


def tree_files(root=ROOT):
    command = ["git", "-C", str(root), "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    try:
        listed = subprocess.run(command, capture_output=True, text=True)
    except FileNotFoundError:
        listed = None
    if listed is not None and listed.returncode == 0:
        names = listed.stdout.split("\0")
    else:
        names = [path.relative_to(root).as_posix() for path in root.rglob("*")
                 if path.relative_to(root).parts[0] not in LEFT_AT_THE_TOP and LEFT_ANYWHERE.isdisjoint(path.parts)]
    return sorted(name for name in names if name and (root / name).is_file())
