# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
#
# Keyhole in a container: builds the Debian package, and installs it into a small image without compilers.
#
#   docker build --platform linux/amd64 -t keyhole .
#   docker run --rm -v "$PWD:/work" keyhole --look Main.java      writes Main.look.html beside Main.java
#
# tests/launcher/containers.py checks the steps of this file without Docker, tests/packages.py runs the second stage's.
FROM debian:13 AS build
WORKDIR /keyhole
COPY . .
RUN .ci/install-packages build page package locks
RUN .ci/build release -DKEYHOLE_BUILD_TESTS=OFF -- --target packages

FROM debian:13-slim
COPY --from=build /keyhole/build/release/packages/keyhole_*.deb /tmp/
RUN export DEBIAN_FRONTEND=noninteractive && apt-get update -qq && \
    apt-get install -qq -y --no-install-recommends /tmp/keyhole_*.deb && \
    rm -rf /tmp/keyhole_*.deb /var/lib/apt/lists/*
WORKDIR /work
ENTRYPOINT ["keyhole"]
CMD ["--help"]
