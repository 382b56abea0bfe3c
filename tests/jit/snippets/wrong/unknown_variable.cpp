// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A variable of the VM that the table does not name.
// error: R4: _ZN7keyhole20soft_reference_klassE is not in the table of symbols
#include "jit/snippets/declarations.h"

KEYHOLE_SNIPPET bool snippet_is_soft(keyhole::Klass* klass) { return klass == keyhole::soft_reference_klass; }
