// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// System calls of channels: made outside managed code, once, with IOStatus results (file_channel.cpp lists them).
#pragma once

#include <pthread.h>

#include "classlib/natives/java.base/io/io_support.h"

namespace keyhole::natives::io {

inline constexpr i32 status_eof = -1, status_unavailable = -2, status_interrupted = -3, status_unsupported = -4,
                     status_thrown = -5, status_unsupported_case = -6;

// Installs the handler of the signal that ends a thread's system call with EINTR and does nothing else. Must be called
// before any thread is woken.
void install_wake_handler();
// Sends that signal. Returns 0 or an error number.
int wake(pthread_t thread);

template <typename Result> struct CallResult {
  Result value;
  int error;
};
template <typename Call> auto native_call(JavaThread* thread, Call&& call) MAY_SAFEPOINT {
  NativeScope native(thread);
  auto value = call();
  return CallResult<decltype(value)>{value, errno};
}

// Returns the count, or an IOStatus. With `status_thrown` an IOException is pending.
i64 channel_result(JavaThread* thread, i64 count, int error, bool reading) MAY_SAFEPOINT;
template <typename Call> i64 channel_call(JavaThread* thread, bool reading, Call&& call) MAY_SAFEPOINT {
  auto [count, error] = native_call(thread, call);
  return channel_result(thread, count, error, reading);
}

}  // namespace keyhole::natives::io
