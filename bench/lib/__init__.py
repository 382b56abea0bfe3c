# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""Modules that the commands of bench/ share; README.md lists them. They are independent of the measured programs."""
