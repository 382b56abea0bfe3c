// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The only source that is compiled to bitcode. All snippets of a header layout are in one module, so that the headers
// are read once and the optimising tier opens one module.
#include "jit/snippets/locks.h"
#include "jit/snippets/objects.h"
#include "jit/snippets/strings.h"
