// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Closes a socket while a thread waits in a call on it. For java.net.PlainSocketImpl; channels do this in Java.
//
//   waiting thread                  closing thread
//   { BlockedCall call(number);     close_and_wake(number, ...)
//     poll(...), recv(...)            1. the number now means `marker`, a socket at its end: a call that
//     call.was_closed() }                begins now returns at once
//                                     2. each BlockedCall of the number is marked, its thread gets a signal:
//                                        a call that waits returns with EINTR
//
// So the thread leaves the call whether the signal comes before it or during it. It must check was_closed() before
// it uses errno.
#pragma once

#include <pthread.h>

#include <atomic>

#include "runtime/base/types.h"

namespace keyhole::natives::io {

// A call that may block. The object lives on the thread's stack, in its NativeScope.
class BlockedCall {
 public:
  explicit BlockedCall(i32 number);
  ~BlockedCall();
  BlockedCall(const BlockedCall&) = delete;
  BlockedCall& operator=(const BlockedCall&) = delete;
  bool was_closed() const { return was_closed_.load(std::memory_order_acquire); }

 private:
  friend void close_and_wake(i32 number, bool keep_number);
  i32 number_;
  pthread_t thread_ = pthread_self();
  std::atomic<bool> was_closed_ = false;
  BlockedCall* next_;
};

// Closes a descriptor and wakes its waiters. With keep_number the number stays taken until it is closed again, so that
// no other file gets it while threads are about to use it.
void close_and_wake(i32 number, bool keep_number);

}  // namespace keyhole::natives::io
