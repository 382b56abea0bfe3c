// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// java.net.PlainSocketImpl and its streams: TCP sockets without channels, for programs started with
// -Djdk.net.usePlainSocketImpl.
//
// Every call that can wait is poll(2) followed by a call that does not block (waited_calls.h).
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "classlib/natives/java.base/io/channel_support.h"
#include "classlib/natives/java.base/io/declarations.h"
#include "classlib/natives/java.base/io/waited_calls.h"
#include "classlib/natives/late_bound.h"
#include "gc/barrier.h"

namespace keyhole::natives {

using namespace io;

namespace {

constinit const JavaField socket_descriptor("fd", "Ljava/io/FileDescriptor;"),
    socket_address("address", "Ljava/net/InetAddress;"), socket_port("port", "I"), socket_local_port("localport", "I"),
    socket_timeout("timeout", "I"), container_address("addr", "Ljava/net/InetAddress;");

void set_blocking(i32 number, bool is_blocking) {
  int flags = fcntl(number, F_GETFL);
  fcntl(number, F_SETFL, is_blocking ? flags & ~O_NONBLOCK : flags | O_NONBLOCK);
}

void throw_connect_failure(JavaThread* thread, int error) MAY_SAFEPOINT {
  switch (error) {
    case EPROTO: throw_failed(thread, "java/net/ProtocolException", error, "Protocol error"); break;
    case ECONNREFUSED: throw_failed(thread, "java/net/ConnectException", error, "Connection refused"); break;
    case ETIMEDOUT: throw_failed(thread, "java/net/ConnectException", error, "Connection timed out"); break;
    case EHOSTUNREACH: throw_failed(thread, "java/net/NoRouteToHostException", error, "Host unreachable"); break;
    case EADDRNOTAVAIL: throw_failed(thread, "java/net/NoRouteToHostException", error, "Address not available"); break;
    case EISCONN:
    case EBADF: throw_closed(thread); break;
    default: throw_failed(thread, socket_exception, error, "connect failed"); break;
  }
}

// --- options: what java.net.SocketOptions calls them, and the kernel -------------------------------------------------

enum class Kind { Flag, Number, Linger };
struct Option {
  i32 name;
  int level, kernel_name;
  Kind kind;
};
constexpr Option options[] = {
    {0x0001, IPPROTO_TCP, TCP_NODELAY, Kind::Flag}, {0x0003, IPPROTO_IP, IP_TOS, Kind::Number},
    {0x0004, SOL_SOCKET, SO_REUSEADDR, Kind::Flag}, {0x0008, SOL_SOCKET, SO_KEEPALIVE, Kind::Flag},
    {0x000E, SOL_SOCKET, SO_REUSEPORT, Kind::Flag}, {0x0080, SOL_SOCKET, SO_LINGER, Kind::Linger},
    {0x1001, SOL_SOCKET, SO_SNDBUF, Kind::Number},  {0x1002, SOL_SOCKET, SO_RCVBUF, Kind::Number},
    {0x1003, SOL_SOCKET, SO_OOBINLINE, Kind::Flag},
};
constexpr i32 bound_address_option = 0x000F, timeout_option = 0x1006;

const Option* find_option(JavaThread* thread, i32 name) MAY_SAFEPOINT {
  for (const Option& each : options)
    if (each.name == name) return &each;
  throw_named(thread, socket_exception, "Invalid option");
  return nullptr;
}

}  // namespace

void PlainSocketImpl_socketCreate(JavaThread* thread, Handle self, bool is_stream, bool is_server) {
  bool is_ipv6 = ipv6_available();
  int type = (is_stream ? SOCK_STREAM : SOCK_DGRAM) | SOCK_CLOEXEC | (is_server ? SOCK_NONBLOCK : 0);
  int number = socket(is_ipv6 ? AF_INET6 : AF_INET, type, 0);
  if (number < 0) {
    throw_failed(thread, socket_exception, errno, "Can't create socket");
    return;
  }
  int on = 1, off = 0;
  if (is_ipv6) setsockopt(number, IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof off);  // serves IPv4, too
  if (is_server) setsockopt(number, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  set_descriptor_number(socket_descriptor.get_reference(self.get()), number);
}

void PlainSocketImpl_socketConnect(JavaThread* thread, Handle self, Handle address, i32 port, i32 timeout_millis) {
  i32 number = open_number(thread, self);
  SocketAddress to;
  if (number < 0 || !to_socket_address(thread, address, port, ipv6_available(), to)) return;
  set_blocking(number, false);
  auto [begun, error] = native_call(thread, [&] { return connect(number, &to.any, to.length); });
  if (begun != 0 && error == EINPROGRESS) {
    Waited waited = wait_and_call(thread, number, POLLOUT, timeout_millis, [&]() -> i64 {
      int failure = 0;
      socklen_t length = sizeof failure;
      if (getsockopt(number, SOL_SOCKET, SO_ERROR, &failure, &length) < 0) return -1;
      errno = failure;
      return failure == 0 ? 0 : -1;
    });
    if (waited.is_closed) {
      throw_closed(thread);
      return;
    }
    if (waited.is_late) {
      shutdown(number, SHUT_RDWR);
      set_blocking(number, true);
      throw_named(thread, timeout_exception, "connect timed out");
      return;
    }
    begun = static_cast<int>(waited.value);
    error = waited.error;
  }
  set_blocking(number, true);
  if (begun != 0) {
    throw_connect_failure(thread, error);
    return;
  }
  socket_address.set_reference(self.get(), address.get());
  socket_port.set<i32>(self.get(), port);
  if (socket_local_port.get<i32>(self.get()) == 0) socket_local_port.set<i32>(self.get(), local_port(number));
}

void PlainSocketImpl_socketBind(JavaThread* thread, Handle self, Handle address, i32 port) {
  i32 number = open_number(thread, self);
  SocketAddress to;
  if (number < 0 || !to_socket_address(thread, address, port, ipv6_available(), to)) return;
  if (bind(number, &to.any, to.length) < 0) {
    bool is_taken = errno == EADDRINUSE || errno == EADDRNOTAVAIL || errno == EPERM || errno == EACCES;
    throw_failed(thread, is_taken ? "java/net/BindException" : socket_exception, errno, "Bind failed");
    return;
  }
  socket_address.set_reference(self.get(), address.get());
  socket_local_port.set<i32>(self.get(), port != 0 ? port : local_port(number));
}

void PlainSocketImpl_socketListen(JavaThread* thread, Handle self, i32 backlog) {
  i32 number = open_number(thread, self);
  if (number < 0) return;
  // Linux adds one to the backlog; a larger value would overflow.
  if (listen(number, std::min(backlog, 0x7FFFFFFE)) < 0) throw_failed(thread, socket_exception, errno, "Listen failed");
}

void PlainSocketImpl_socketAccept(JavaThread* thread, Handle self, Handle accepted) {
  i32 number = open_number(thread, self);
  if (number < 0) return;
  sockaddr_storage from{};
  Waited waited = wait_and_call(thread, number, POLLIN, socket_timeout.get<i32>(self.get()), [&]() -> i64 {
    socklen_t length = sizeof from;
    int made = accept4(number, reinterpret_cast<sockaddr*>(&from), &length, SOCK_CLOEXEC);
    if (made < 0 && errno == ECONNABORTED) errno = EAGAIN;  // that client gave up: wait for the next
    return made;
  });
  if (waited.is_closed) {
    throw_closed(thread);
    return;
  }
  if (waited.is_late) {
    throw_named(thread, timeout_exception, "Accept timed out");
    return;
  }
  if (waited.value < 0) {
    throw_failed(thread, socket_exception, waited.error, "Accept failed");
    return;
  }
  set_descriptor_number(socket_descriptor.get_reference(accepted.get()), static_cast<i32>(waited.value));
  i32 port = 0;
  Object* address = make_inet_address(thread, reinterpret_cast<sockaddr*>(&from), &port);
  if (address == nullptr) return;
  socket_address.set_reference(accepted.get(), address);
  socket_port.set<i32>(accepted.get(), port);
  socket_local_port.set<i32>(accepted.get(), socket_local_port.get<i32>(self.get()));
}

i32 PlainSocketImpl_socketAvailable(JavaThread* thread, Handle self) {
  i32 number = open_number(thread, self);
  int count = 0;
  if (number < 0 || ioctl(number, FIONREAD, &count) >= 0) return count;
  if (errno == ECONNRESET) throw_named(thread, reset_exception, "");
  else throw_failed(thread, socket_exception, errno, "ioctl FIONREAD failed");
  return -1;
}

void PlainSocketImpl_socketClose0(JavaThread* thread, Handle self, bool is_deferred) {
  i32 number = number_of(self);
  if (number < 0) {
    throw_named(thread, socket_exception, "socket already closed");
    return;
  }
  if (!is_deferred) set_descriptor_number(socket_descriptor.get_reference(self.get()), -1);
  NativeScope native(thread);  // close may linger
  close_and_wake(number, is_deferred);
}

void PlainSocketImpl_socketShutdown(JavaThread* thread, Handle self, i32 how) {
  static_assert(SHUT_RD == 0 && SHUT_WR == 1);  // AbstractPlainSocketImpl.SHUT_*
  i32 number = number_of(self);
  if (number < 0) throw_named(thread, socket_exception, "socket already closed");
  else shutdown(number, how);
}

void PlainSocketImpl_socketSendUrgentData(JavaThread* thread, Handle self, i32 data) {
  i32 number = open_number(thread, self);
  if (number < 0) return;
  u8 byte = static_cast<u8>(data);
  auto send_it = [&] { return send(number, &byte, 1, MSG_OOB | MSG_NOSIGNAL); };
  auto [sent, error] = native_call(thread, [&] { return restarting(send_it); });
  if (sent < 0) throw_failed(thread, "java/io/IOException", error, "Write failed");
}

void PlainSocketImpl_socketSetOption0(JavaThread* thread, Handle self, i32 name, bool on, Handle value) {
  i32 number = open_number(thread, self);
  if (number < 0 || name == timeout_option) return;  // each wait looks at the timeout itself
  const Option* option = find_option(thread, name);
  const auto* integer = late::get<late::Integer>(thread);
  if (option == nullptr || integer == nullptr) return;
  int number_value = option->kind != Kind::Flag && on ? value->get<i32>(integer->value) : on;
  if (option->kernel_name == SO_RCVBUF && option->level == SOL_SOCKET) number_value = std::max(number_value, 1024);
  if (option->kernel_name == IP_TOS && option->level == IPPROTO_IP) {
    number_value &= 0xFE;
    if (ipv6_available()) setsockopt(number, IPPROTO_IPV6, IPV6_TCLASS, &number_value, sizeof number_value);
  }
  linger lingering{on, on ? number_value : 0};
  bool lingers = option->kind == Kind::Linger;
  const void* setting = lingers ? static_cast<const void*>(&lingering) : &number_value;
  int done =
      setsockopt(number, option->level, option->kernel_name, setting, lingers ? sizeof lingering : sizeof number_value);
  if (done < 0) throw_failed(thread, socket_exception, errno, "Error setting socket option");
}

// Returns 1 or -1 for a flag. The address to which the socket is bound is stored in `container`.
i32 PlainSocketImpl_socketGetOption(JavaThread* thread, Handle self, i32 name, Handle container) {
  i32 number = open_number(thread, self);
  if (number < 0) return -1;
  if (name == bound_address_option) {
    sockaddr_storage own{};
    socklen_t length = sizeof own;
    if (getsockname(number, reinterpret_cast<sockaddr*>(&own), &length) < 0) {
      throw_failed(thread, socket_exception, errno, "Error getting socket name");
      return -1;
    }
    Object* address = make_inet_address(thread, reinterpret_cast<sockaddr*>(&own), nullptr);
    if (address != nullptr) container_address.set_reference(container.get(), address);
    return 0;
  }
  const Option* option = find_option(thread, name);
  if (option == nullptr) return -1;
  union {
    int number;
    linger lingering;
  } value{};
  socklen_t length = option->kind == Kind::Linger ? sizeof value.lingering : sizeof value.number;
  if (getsockopt(number, option->level, option->kernel_name, &value, &length) < 0) {
    throw_failed(thread, socket_exception, errno, "Error getting socket option");
    return -1;
  }
  if (option->kind == Kind::Linger) return value.lingering.l_onoff != 0 ? value.lingering.l_linger : -1;
  if (option->kind == Kind::Flag) return value.number != 0 ? 1 : -1;
  // Linux reports twice the requested buffer, including its overhead.
  return option->kernel_name == IP_TOS && option->level == IPPROTO_IP ? value.number : value.number / 2;
}

// --- streams ---------------------------------------------------------------------------------------------------

// Reads bytes. 0: the other end has finished.
i32 SocketInputStream_socketRead0(JavaThread* thread, Handle, Handle descriptor, Handle bytes, i32 offset, i32 length,
                                  i32 timeout_millis) {
  i32 number = descriptor.is_null() ? -1 : descriptor_number(descriptor);
  if (number < 0) {
    throw_closed(thread);
    return -1;
  }
  length = std::min(length, 0x10000);
  TransferBuffer buffer(static_cast<usize>(length));
  auto receive = [&]() -> i64 { return recv(number, buffer.data(), static_cast<usize>(length), MSG_DONTWAIT); };
  Waited waited = wait_and_call(thread, number, POLLIN, timeout_millis, receive);
  if (waited.value >= 0) {
    copy_in(bytes, offset, buffer.data(), static_cast<usize>(waited.value));
    return static_cast<i32>(waited.value);
  }
  if (waited.is_closed || waited.error == EBADF) throw_closed(thread);
  else if (waited.is_late) throw_named(thread, timeout_exception, "Read timed out");
  else if (waited.error == ECONNRESET || waited.error == EPIPE)
    throw_named(thread, reset_exception, "Connection reset");
  else throw_failed(thread, socket_exception, waited.error, "Read failed");
  return -1;
}

void SocketOutputStream_socketWrite0(JavaThread* thread, Handle, Handle descriptor, Handle bytes, i32 offset,
                                     i32 length) {
  i32 number = descriptor.is_null() ? -1 : descriptor_number(descriptor);
  if (number < 0) {
    throw_closed(thread);
    return;
  }
  TransferBuffer buffer(static_cast<usize>(std::min(length, 0x20000)));
  while (length > 0) {
    usize part = static_cast<usize>(std::min(length, 0x20000));
    copy_out(bytes, offset, buffer.data(), part);
    auto send_part = [&]() -> i64 { return send(number, buffer.data(), part, MSG_DONTWAIT | MSG_NOSIGNAL); };
    Waited waited = wait_and_call(thread, number, POLLOUT, 0, send_part);
    if (waited.value < 0) {
      if (waited.is_closed || waited.error == EBADF) throw_closed(thread);
      else if (waited.error == ECONNRESET) throw_named(thread, reset_exception, "Connection reset");
      else throw_failed(thread, socket_exception, waited.error, "Write failed");
      return;
    }
    offset += static_cast<i32>(waited.value);
    length -= static_cast<i32>(waited.value);
  }
}

// Closes the descriptor of a socket object that died without being closed.
void SocketCleanable_cleanupClose0(JavaThread* thread, i32 number) {
  NativeScope native(thread);
  close_and_wake(number, false);
}

}  // namespace keyhole::natives
