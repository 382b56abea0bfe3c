// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Converts between java.net.InetAddress objects and the kernel's socket addresses.
#pragma once

#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>

#include "classlib/natives/java.base/io/io_support.h"

namespace keyhole::natives::io {

struct SocketAddress {
  union {
    sockaddr any;
    sockaddr_in v4;
    sockaddr_in6 v6;
  };
  socklen_t length;
};

// The port of a socket address of either family.
inline i32 port_of(const sockaddr_storage& address) {
  return ntohs(address.ss_family == AF_INET ? reinterpret_cast<const sockaddr_in&>(address).sin_port
                                            : reinterpret_cast<const sockaddr_in6&>(address).sin6_port);
}

bool ipv6_available();
// Converts to a socket address. With as_ipv6, an IPv4 address becomes an IPv4-mapped one, for a dual-stack socket.
// False: an exception is pending.
[[nodiscard]] bool to_socket_address(JavaThread* thread, Handle address, i32 port, bool as_ipv6, SocketAddress& result)
    MAY_SAFEPOINT;
// Makes an InetAddress. IPv4-mapped addresses become IPv4 ones. `host` may be a null Handle.
[[nodiscard]] Object* make_inet_address(JavaThread* thread, const sockaddr* address, i32* port, Handle host = Handle())
    MAY_SAFEPOINT;
[[nodiscard]] Object* make_inet_address(JavaThread* thread, const u8* bytes, usize length, u32 scope, Handle host)
    MAY_SAFEPOINT;
// Calls poll(2) for one descriptor, again for the rest of the time when a signal ends it. Called in a NativeScope.
int wait_for(i32 number, i16 events, i64 timeout_millis);

}  // namespace keyhole::natives::io
