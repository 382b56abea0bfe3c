# SPDX-FileCopyrightText: The Keyhole authors
# SPDX-License-Identifier: Apache-2.0
"""`bench/compare seeds`: the figures of five public documents, and ours beside them; README.md lists the modules."""
