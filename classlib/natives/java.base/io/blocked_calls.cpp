// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Keeps a list of blocked calls. Waits are long and closing is rare, so one mutex suffices.
#include "classlib/natives/java.base/io/blocked_calls.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "classlib/natives/java.base/io/channel_support.h"
#include "runtime/base/mutex.h"

namespace keyhole::natives::io {

namespace {

Mutex mutex{LockRank::blocked_calls};
BlockedCall* first GUARDED_BY(mutex);

// A socket at its end: reads return the end of the stream, writes fail, and poll reports that at once.
i32 marker() {
  static const i32 number = [] {
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) return -1;
    shutdown(pair[0], SHUT_RDWR);
    close(pair[1]);
    return pair[0];
  }();
  return number;
}

}  // namespace

BlockedCall::BlockedCall(i32 number) : number_(number) {
  install_wake_handler();
  MutexLock lock(mutex);
  next_ = first;
  first = this;
}

BlockedCall::~BlockedCall() {
  MutexLock lock(mutex);
  BlockedCall** link = &first;
  while (*link != this) link = &(*link)->next_;
  *link = next_;
}

void close_and_wake(i32 number, bool keep_number) {
  // The last close of a socket may linger, so it happens outside the mutex; until then the file has another number.
  i32 last = keep_number ? fcntl(number, F_DUPFD_CLOEXEC, 0) : number;
  {
    MutexLock lock(mutex);
    if (keep_number) restarting([&] { return dup2(marker(), number); });
    for (BlockedCall* each = first; each != nullptr; each = each->next_) {
      if (each->number_ != number) continue;
      each->was_closed_.store(true, std::memory_order_release);
      wake(each->thread_);
    }
  }
  close(last);
}

}  // namespace keyhole::natives::io
