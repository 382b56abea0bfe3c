// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Code that sockets without channels share: calls that wait until they succeed or the socket is closed
// (blocked_calls.h), and the texts of their exceptions. A text is the system's error and, in brackets, the call that
// failed: "Broken pipe (Write failed)".
#pragma once

#include "classlib/natives/java.base/io/blocked_calls.h"
#include "classlib/natives/java.base/io/inet_address.h"

namespace keyhole::natives::io {

inline constexpr const char *socket_exception = "java/net/SocketException",
                            *timeout_exception = "java/net/SocketTimeoutException",
                            *reset_exception = "sun/net/ConnectionResetException";

inline Thrown throw_failed(JavaThread* thread, const char* class_name, int error, const char* attempt) MAY_SAFEPOINT {
  return throw_named(thread, class_name, fmt::format("{} ({})", error_text(error), attempt));
}
inline Thrown throw_closed(JavaThread* thread) MAY_SAFEPOINT {
  return throw_named(thread, socket_exception, "Socket closed");
}

// The descriptor of a java.net.SocketImpl or DatagramSocketImpl. -1: it has none any more.
inline i32 number_of(Handle socket) TOUCHES_OBJECTS {
  return descriptor_of(socket) == nullptr ? -1 : stream_number(socket);
}
// The same, but throws an exception when there is none.
inline i32 open_number(JavaThread* thread, Handle socket) MAY_SAFEPOINT {
  i32 number = number_of(socket);
  if (number < 0) throw_closed(thread);
  return number;
}

// The local port; -1: the socket is not bound.
inline i32 local_port(i32 number) {
  sockaddr_storage own{};
  socklen_t length = sizeof own;
  return getsockname(number, reinterpret_cast<sockaddr*>(&own), &length) == 0 ? port_of(own) : -1;
}

// Waits for `events`, then makes the call; repeats while the call would block. `timeout_millis` 0: waits for ever.
struct Waited {
  i64 value;
  int error;  // of the call, or of poll
  bool is_closed = false, is_late = false;
};
template <typename Call>
Waited wait_and_call(JavaThread* thread, i32 number, i16 events, i32 timeout_millis, Call&& call) MAY_SAFEPOINT {
  NativeScope native(thread);
  BlockedCall blocked(number);
  i64 deadline = hardware::now_nanoseconds() + timeout_millis * i64{1'000'000};
  for (;;) {
    i64 left_nanoseconds = std::max<i64>(0, deadline - hardware::now_nanoseconds());
    i64 left_millis = timeout_millis <= 0 ? -1 : (left_nanoseconds + 999'999) / 1'000'000;
    int ready = wait_for(number, events, left_millis);
    int error = errno;
    if (blocked.was_closed()) return {-1, EBADF, true};
    if (ready < 0) return {-1, error};
    if (ready == 0) {
      if (timeout_millis > 0) return {-1, ETIMEDOUT, false, true};
      continue;  // a signal that was not for us
    }
    i64 value = call();
    error = errno;
    if (blocked.was_closed()) return {-1, EBADF, true};
    if (value >= 0 || (error != EAGAIN && error != EINTR)) return {value, error};
  }
}

}  // namespace keyhole::natives::io
