// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The handlers that lock, one set for each snippet of runtime/sync/fast_paths.def. initialize() installs the set of the
// active algorithm, so no handler checks the algorithm at run time.
#pragma once

#include "runtime/sync/algorithm.h"
#include "vm/interpreter/handlers/handlers.h"

namespace keyhole::interpreter {

struct LockingHandlers {
#define OPERATION(...)
#define LOCKING_OPERATION(name, ...) Handler name;
#include "vm/code/operations.def"
#undef OPERATION
  Handler entry_synchronized;  // Method::entry of synchronized bytecode
  Handler entry_synchronized_static;
  Handler entry_synchronized_compiled;  // of a synchronized method whose compiled code leaves the locking to its entry
  Handler entry_synchronized_static_compiled;
};

// Returns the handlers with the snippet of `row` (handlers_sync.cpp). The handlers for fast_path_rows::none have no
// snippet: each lock operation calls runtime/sync.
const LockingHandlers& locking_handlers(const sync::FastPathRow& row);

}  // namespace keyhole::interpreter
