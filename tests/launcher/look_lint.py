#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""The TypeScript and CSS of the page of `keyhole --look` pass Biome's recommended rules, warnings included.

    tests/launcher/look_lint.py [--fix]

`--fix` applies Biome's safe fixes to the tree. tests/launcher/look/lint has Biome's version and the rules that are off:
`!` after an index that was checked, the order of CSS selectors, const enums (esbuild inlines them), `!important`.
"""
import argparse
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SETTINGS = ROOT / "tests" / "launcher" / "look" / "lint"
SOURCES = ROOT / "vm" / "tools" / "look" / "page" / "source"
PLACE = ROOT / "build" / "look-lint"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fix", action="store_true", help="apply safe fixes")
    options = parser.parse_args()
    PLACE.mkdir(parents=True, exist_ok=True)
    changed = False
    for name in ("package.json", "package-lock.json", ".npmrc", "biome.json"):
        text = (SETTINGS / name).read_bytes()
        if not (PLACE / name).exists() or (PLACE / name).read_bytes() != text:
            (PLACE / name).write_bytes(text)
            changed = changed or name.startswith("package")
    if changed or not (PLACE / "node_modules").exists():
        subprocess.run(["npm", "ci", "--ignore-scripts", "--no-progress", "--loglevel=error"], cwd=PLACE, check=True)
    shutil.rmtree(PLACE / "source", ignore_errors=True)
    shutil.copytree(SOURCES, PLACE / "source")
    command = ["node_modules/.bin/biome", "lint", "--error-on-warnings", "--max-diagnostics=100", "source"]
    done = subprocess.run(command + (["--write"] if options.fix else []), cwd=PLACE)
    if options.fix:
        for path in (PLACE / "source").iterdir():
            if path.read_bytes() != (SOURCES / path.name).read_bytes():
                (SOURCES / path.name).write_bytes(path.read_bytes())
    sys.exit(done.returncode)


if __name__ == "__main__":
    main()
