// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// sun.nio.ch for selectors (EPoll, EventFD, PollSelectorImpl) and for Unix domain sockets.
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/un.h>
#include <unistd.h>

#include "classlib/natives/java.base/io/channel_support.h"
#include "classlib/natives/java.base/io/declarations.h"
#include "classlib/natives/java.base/io/inet_address.h"
#include "gc/barrier.h"

namespace keyhole::natives {

using namespace io;

i32 EPoll_eventSize(JavaThread*) { return sizeof(epoll_event); }
i32 EPoll_eventsOffset(JavaThread*) { return offsetof(epoll_event, events); }
i32 EPoll_dataOffset(JavaThread*) { return offsetof(epoll_event, data); }
i32 EPoll_create(JavaThread* thread) {
  int number = epoll_create1(EPOLL_CLOEXEC);
  if (number < 0) throw_io(thread, errno, "epoll_create1 failed");
  return number;
}
// Returns 0 or an errno.
i32 EPoll_ctl(JavaThread*, i32 epoll, i32 operation, i32 number, i32 events) {
  epoll_event event{};
  event.events = static_cast<u32>(events);
  event.data.fd = number;
  return epoll_ctl(epoll, operation, number, &event) == 0 ? 0 : errno;
}
i32 EPoll_wait(JavaThread* thread, i32 epoll, i64 address, i32 count, i32 timeout) {
  auto [ready, error] =
      native_call(thread, [&] { return epoll_wait(epoll, native_address<epoll_event>(address), count, timeout); });
  if (ready >= 0) return ready;
  if (error == EINTR) return status_interrupted;
  throw_io(thread, error, "epoll_wait failed");
  return status_thrown;
}

i32 EventFD_eventfd0(JavaThread* thread) {
  int number = eventfd(0, EFD_CLOEXEC);
  if (number < 0) throw_io(thread, errno, "eventfd failed");
  return number;
}
i32 EventFD_set0(JavaThread* thread, i32 number) {
  u64 one = 1;
  return static_cast<i32>(channel_call(thread, false, [&] { return write(number, &one, sizeof one); }));
}

i32 PollSelectorImpl_poll(JavaThread* thread, i64 address, i32 count, i32 timeout) {
  auto [ready, error] =
      native_call(thread, [&] { return poll(native_address<pollfd>(address), static_cast<nfds_t>(count), timeout); });
  if (ready >= 0) return ready;
  if (error == EINTR) return status_interrupted;
  throw_io(thread, error, "poll failed");
  return status_thrown;
}

// Checks the result of a connection that was started without blocking.
void UnixAsynchronousSocketChannelImpl_checkConnect(JavaThread* thread, i32 number) {
  int error = 0;
  socklen_t length = sizeof error;
  if (getsockopt(number, SOL_SOCKET, SO_ERROR, &error, &length) < 0) throw_io(thread, errno, "getsockopt");
  else if (error != 0)
    throw_named(thread, error == ECONNREFUSED ? "java/net/ConnectException" : "java/net/SocketException",
                error_text(error));
}

// --- UnixDomainSockets: addresses are paths, as bytes ----------------------------------------------------------------

namespace {

bool to_unix_address(JavaThread* thread, Handle path, sockaddr_un& address, socklen_t& length) MAY_SAFEPOINT {
  address = {};
  address.sun_family = AF_UNIX;
  usize count = path.is_null() ? 0 : static_cast<usize>(path->length());
  if (count > sizeof address.sun_path - 1)
    return throw_named(thread, "java/net/SocketException", "Unix domain path too long");
  if (count > 0) copy_out(path, 0, address.sun_path, count);
  length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + count + (count > 0 ? 1 : 0));
  return true;
}
Object* path_of_address(JavaThread* thread, const sockaddr_un& address, socklen_t length) MAY_SAFEPOINT {
  usize count = length <= offsetof(sockaddr_un, sun_path)
                    ? 0
                    : strnlen(address.sun_path, length - offsetof(sockaddr_un, sun_path));
  return make_byte_array(thread, address.sun_path, count);
}
i32 throw_unix_socket(JavaThread* thread, int error) MAY_SAFEPOINT {
  const char* name = error == EADDRINUSE || error == EACCES ? "java/net/BindException"
                     : error == ECONNREFUSED                ? "java/net/ConnectException"
                                                            : "java/net/SocketException";
  throw_named(thread, name, error_text(error));
  return status_thrown;
}

}  // namespace

bool UnixDomainSockets_init(JavaThread*) { return true; }
i32 UnixDomainSockets_socket0(JavaThread* thread) {
  int number = socket(PF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  return number < 0 ? throw_unix_socket(thread, errno) : number;
}
void UnixDomainSockets_bind0(JavaThread* thread, Handle descriptor, Handle path) {
  sockaddr_un address;
  socklen_t length;
  if (!to_unix_address(thread, path, address, length)) return;
  if (bind(descriptor_number(descriptor), reinterpret_cast<sockaddr*>(&address), length) != 0)
    throw_unix_socket(thread, errno);
}
i32 UnixDomainSockets_connect0(JavaThread* thread, Handle descriptor, Handle path) {
  sockaddr_un address;
  socklen_t length;
  if (!to_unix_address(thread, path, address, length)) return status_thrown;
  i32 number = descriptor_number(descriptor);
  auto [result, error] =
      native_call(thread, [&] { return connect(number, reinterpret_cast<sockaddr*>(&address), length); });
  if (result == 0) return 1;
  if (error == EINPROGRESS || error == EAGAIN) return status_unavailable;
  if (error == EINTR) return status_interrupted;
  return throw_unix_socket(thread, error);
}
i32 UnixDomainSockets_accept0(JavaThread* thread, Handle descriptor, Handle accepted, Handle addresses) {
  i32 number = descriptor_number(descriptor);
  sockaddr_un from{};
  socklen_t length = sizeof from;
  auto [made, error] =
      native_call(thread, [&] { return accept4(number, reinterpret_cast<sockaddr*>(&from), &length, SOCK_CLOEXEC); });
  if (made < 0) {
    if (error == EAGAIN || error == EWOULDBLOCK) return status_unavailable;
    if (error == EINTR) return status_interrupted;
    return throw_unix_socket(thread, error);
  }
  set_descriptor_number(accepted.get(), made);
  Object* path = path_of_address(thread, from, length);
  if (path == nullptr) return status_thrown;
  barrier::store_element(addresses.get(), 0, path);
  return 1;
}
Object* UnixDomainSockets_localAddress0(JavaThread* thread, Handle descriptor) {
  sockaddr_un address{};
  socklen_t length = sizeof address;
  if (getsockname(descriptor_number(descriptor), reinterpret_cast<sockaddr*>(&address), &length) < 0) {
    throw_unix_socket(thread, errno);
    return nullptr;
  }
  return path_of_address(thread, address, length);
}

}  // namespace keyhole::natives
