// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The lock snippets of the bitcode, compiled to machine code, with the interface of runtime/sync/fast_paths.h.
#pragma once

#include "jit/snippets/declarations.h"
#include "runtime/sync/fast_paths.h"

namespace keyhole::test::bitcode {

#define FAST_PATH(name, snippet, header)                                            \
  struct name {                                                                     \
    static bool try_enter(JavaThread* thread, Object* object, LockRecord* record) { \
      return snippet_enter_##name(thread, object, record);                          \
    }                                                                               \
    static bool try_exit(JavaThread* thread, Object* object, LockRecord* record) {  \
      return snippet_exit_##name(thread, object, record);                           \
    }                                                                               \
  };
#include "runtime/sync/fast_paths.def"

}  // namespace keyhole::test::bitcode
