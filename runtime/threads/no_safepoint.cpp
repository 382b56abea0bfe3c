// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The open scopes of each OS thread, innermost first. They belong to the OS thread: a Java thread does not leave its
// carrier inside of one.
#include "runtime/threads/no_safepoint.h"

#if KEYHOLE_DEBUG

#include "runtime/base/check.h"
#include "runtime/base/held_locks.h"

namespace keyhole {

namespace {
thread_local const NoSafepoint* innermost = nullptr;
}  // namespace

NoSafepoint::NoSafepoint(const std::source_location& where) : where_(where), outer_(innermost) {
  opened_at_.take();
  innermost = this;
}
NoSafepoint::~NoSafepoint() { innermost = outer_; }

void check_may_safepoint(const std::source_location& where) {
  held_locks::check_none("a safepoint may be reached");
  const NoSafepoint* scope = innermost;
  if (scope == nullptr) return;
  innermost = nullptr;  // the report may poll
  NativeStack here;
  here.take();
  KEYHOLE_FATAL("a safepoint may be reached at {}:{} in {}{}\n#  inside of the NoSafepoint scope at {}:{} in {}{}",
                where.file_name(), where.line(), where.function_name(), here.text(), scope->where_.file_name(),
                scope->where_.line(), scope->where_.function_name(), scope->opened_at_.text());
}

}  // namespace keyhole

#endif
