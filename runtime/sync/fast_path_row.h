// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// FastPathRow: describes a snippet as data, for code that cannot be a template over it. The active algorithm's row
// points at a FastPathRow. With it the interpreter, both compilers and the recorder find their own forms of the
// snippet. This file declares the rows of fast_paths.def; a lock that is loaded at run time brings its own row.
#pragma once

#include <string_view>

#include "runtime/base/types.h"

namespace keyhole {
struct JavaThread;
struct LockRecord;
class Object;
}  // namespace keyhole

namespace keyhole::sync {

struct FastPathRow {
  std::string_view name;  // the snippet's functions in the bitcode are snippet_enter_`name` and snippet_exit_`name`
  u32 number;             // the row's line in fast_paths.def, counted from 1; 0 for the row `none`
  bool (*try_enter)(JavaThread* thread, Object* object, LockRecord* record);
  bool (*try_exit)(JavaThread* thread, Object* object, LockRecord* record);
  // The fast path that replaces this one if locks are recorded from the start; null if this one is for recorded locks
  // itself.
  const FastPathRow* recorded;

  bool is_none() const { return number == 0; }
};

namespace fast_path_rows {

// The fast path of algorithms that have no snippet: every operation calls the algorithm.
extern const FastPathRow none;
#define FAST_PATH(name, snippet, header) extern const FastPathRow name;
#define RECORDED_FAST_PATH(name, plain) extern const FastPathRow name;
#include "runtime/sync/fast_paths.def"

}  // namespace fast_path_rows
}  // namespace keyhole::sync
