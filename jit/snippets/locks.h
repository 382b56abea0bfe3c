// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Lock snippets: the fast paths of the locking algorithms (runtime/sync/fast_paths.h), unchanged. An algorithm's header
// says what its results true and false mean. The lock record argument is the thread's next record; the caller writes
// the object into it.
#pragma once

#include "jit/snippets/declarations.h"
#include "runtime/sync/fast_paths.h"

namespace keyhole {

#define FAST_PATH(name, snippet, header)                                                              \
  KEYHOLE_SNIPPET bool snippet_enter_##name(JavaThread* thread, Object* object, LockRecord* record) { \
    return sync::fast_paths::name::try_enter(thread, object, record);                                 \
  }                                                                                                   \
  KEYHOLE_SNIPPET bool snippet_exit_##name(JavaThread* thread, Object* object, LockRecord* record) {  \
    return sync::fast_paths::name::try_exit(thread, object, record);                                  \
  }
#define RECORDED_FAST_PATH(name, plain) FAST_PATH(name, , )
#include "runtime/sync/fast_paths.def"

}  // namespace keyhole
