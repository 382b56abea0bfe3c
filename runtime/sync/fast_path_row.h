// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// FastPathRow: a snippet as data, for the readers that cannot be templates over it: the active algorithm's row points
// at one, and the interpreter, both compilers and the recorder find by it what they made of the snippet. The rows of
// fast_paths.def are here; a lock that is loaded at run time brings a row of its own.
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
  std::string_view name;  // its functions in the bitcode are snippet_enter_`name` and snippet_exit_`name`
  u32 number;             // 0: none; otherwise its line in fast_paths.def, counted from 1
  bool (*try_enter)(JavaThread* thread, Object* object, LockRecord* record);
  bool (*try_exit)(JavaThread* thread, Object* object, LockRecord* record);
  // The row that is used instead of this one if locks are recorded from the start. Null: this row is one for recorded
  // locks.
  const FastPathRow* recorded;

  bool is_none() const { return number == 0; }
};

namespace fast_path_rows {

// Nothing to inline: all operations go to the algorithm.
extern const FastPathRow none;
#define FAST_PATH(name, snippet, header) extern const FastPathRow name;
#define RECORDED_FAST_PATH(name, plain) extern const FastPathRow name;
#include "runtime/sync/fast_paths.def"

}  // namespace fast_path_rows
}  // namespace keyhole::sync
