// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The fast paths of the locking algorithms (runtime/sync/fast_paths.h), as they stand. What an algorithm's true and
// false mean is in its header; the lock record is the next one of the thread, its object is the caller's to write.
#pragma once

#include "jit/snippets/declarations.h"
#include "runtime/sync/fast_paths.h"

namespace keyhole {

#define FAST_PATH(name, snippet, header)                                                                       \
  KEYHOLE_SNIPPET bool snippet_enter_##name(JavaThread* thread, Object* object, LockRecord* record) {          \
    return sync::fast_paths::name::try_enter(thread, object, record);                                          \
  }                                                                                                            \
  KEYHOLE_SNIPPET bool snippet_exit_##name(JavaThread* thread, Object* object, LockRecord* record) {           \
    return sync::fast_paths::name::try_exit(thread, object, record);                                           \
  }
#define RECORDED_FAST_PATH(name, plain) FAST_PATH(name, , )
#include "runtime/sync/fast_paths.def"

}  // namespace keyhole
