// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// NoSafepoint: a scope in which no safepoint is reached, so that raw Object* stay good.
//
//   NoSafepoint no_safepoint;
//   Object* value = array.get()->reference_at(0);     good until the end of the scope
//   intern(thread, value);                            does not compile: it is MAY_SAFEPOINT
//
// The compiler checks the scope's own function only. Debug builds check the functions that it calls:
// check_may_safepoint ends the VM if a scope is open. It is in every transition and poll, and at the entrances of
// allocation, locking and calls of Java. The message shows two stacks: where the thread stopped, and where the scope
// was opened.
//
// A MutexLock is such a scope, too.
#pragma once

#include <source_location>

#include "runtime/base/capabilities.h"
#include "runtime/base/process/native_stack.h"

namespace keyhole {

#if KEYHOLE_DEBUG

class SCOPED_CAPABILITY NoSafepoint {
 public:
  explicit NoSafepoint(const std::source_location& where = std::source_location::current()) ACQUIRE(NO_SAFEPOINT);
  ~NoSafepoint() RELEASE();
  NoSafepoint(const NoSafepoint&) = delete;
  NoSafepoint& operator=(const NoSafepoint&) = delete;

 private:
  friend void check_may_safepoint(const std::source_location& where);
  const std::source_location where_;
  const NoSafepoint* const outer_;
  NativeStack opened_at_;
};

// Called where the calling thread may stop. Checks that no NoSafepoint scope is open, and that the thread holds no lock
// of the VM.
void check_may_safepoint(const std::source_location& where = std::source_location::current()) MAY_SAFEPOINT;

#else

class SCOPED_CAPABILITY NoSafepoint {
 public:
  NoSafepoint() ACQUIRE(NO_SAFEPOINT) {}
  ~NoSafepoint() RELEASE() {}
  NoSafepoint(const NoSafepoint&) = delete;
  NoSafepoint& operator=(const NoSafepoint&) = delete;
};
inline void check_may_safepoint() MAY_SAFEPOINT {}

#endif

}  // namespace keyhole
