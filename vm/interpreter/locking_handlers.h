// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The handlers that lock, once per snippet of runtime/sync/fast_paths.def. initialize() takes those of the algorithm in
// force; no handler asks which one that is.
#pragma once

#include "runtime/sync/algorithm.h"
#include "vm/interpreter/handlers.h"

namespace keyhole::interpreter {

struct LockingHandlers {
#define OPERATION(...)
#define LOCKING_OPERATION(name, ...) Handler name;
#include "vm/interpreter/operations.def"
#undef OPERATION
  Handler entry_synchronized;          // what Method::entry is for synchronized bytecode
  Handler entry_synchronized_static;
  Handler entry_synchronized_compiled;         // the same when the method has been compiled
  Handler entry_synchronized_static_compiled;
};

// handlers_sync.cpp. `none`: each request goes to runtime/sync.
const LockingHandlers& locking_handlers(sync::FastPathKind snippet);

}  // namespace keyhole::interpreter
