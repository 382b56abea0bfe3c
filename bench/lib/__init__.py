# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""What the commands of bench/ share; bench/README.md lists the modules. Nothing here knows what is measured."""
