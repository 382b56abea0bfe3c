# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""Fetches libraries and their dependencies from Maven Central. Maven keeps the jars in its repository. The class paths
are kept in build/library-tests/current/paths, so that Maven runs only once for each set of libraries."""

import hashlib
import os
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
PATHS = ROOT / "build" / "library-tests" / "current" / "paths"
RESOLVE = "org.apache.maven.plugins:maven-dependency-plugin:3.6.1:build-classpath"


def class_path(words):
    """Returns the jars of the libraries and of their dependencies. Each library is given as group:artifact:version."""
    parts = [
        "<dependency><groupId>{}</groupId><artifactId>{}</artifactId><version>{}</version></dependency>".format(
            *word.split(":")
        )
        for word in words
    ]
    text = (
        '<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion><groupId>keyhole</groupId>'
        "<artifactId>tests</artifactId><version>1</version><dependencies>" + "".join(parts) + "</dependencies></project>"
    )
    folder = PATHS / hashlib.sha256(text.encode()).hexdigest()[:16]
    result = folder / "path"
    if not result.exists() or not all(map(os.path.exists, result.read_text().split(":"))):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "pom.xml").write_text(text)
        subprocess.run(
            ["mvn", "-q", "-B", "-f", folder / "pom.xml", RESOLVE, f"-Dmdep.outputFile={result}"],
            stdout=subprocess.DEVNULL,
            check=True,
        )
    return result.read_text()
