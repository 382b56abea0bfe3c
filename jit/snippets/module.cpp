// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Includes all snippets of a header layout in one module, the only source that is compiled to bitcode. So the headers
// are read once, and the optimising tier opens one module.
#include "jit/snippets/locks.h"
#include "jit/snippets/objects.h"
#include "jit/snippets/strings.h"
