// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// sun.nio.ch.InheritedChannel: finds out whether standard input is a socket that a super-server (inetd) left open for
// this program, and its kind.
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "classlib/natives/java.base/io/declarations.h"
#include "classlib/natives/java.base/io/inet_address.h"

namespace keyhole::natives {

using namespace io;

namespace {

// The constants of the Java class. They differ from the kernel's.
enum SocketType : i32 { type_unknown = -1, type_stream = 1, type_datagram = 2 };
enum Family : i32 { family_unknown = -1, family_ipv4 = 1, family_ipv6 = 2, family_unix = 3 };
enum OpenMode : i32 { open_read = 0, open_write = 1, open_both = 2 };

// Finds the address of the other end. False: there is none.
bool peer_of(i32 number, sockaddr_storage& address, socklen_t& length) {
  length = sizeof address;
  return getpeername(number, reinterpret_cast<sockaddr*>(&address), &length) == 0;
}
bool is_internet(const sockaddr_storage& address) {
  return address.ss_family == AF_INET || address.ss_family == AF_INET6;
}

}  // namespace

i32 InheritedChannel_dup(JavaThread* thread, i32 number) {
  i32 copy = fcntl(number, F_DUPFD_CLOEXEC, 0);
  if (copy < 0) throw_io(thread, errno, "dup failed");
  return copy;
}
void InheritedChannel_dup2(JavaThread* thread, i32 from, i32 to) {
  if (restarting([&] { return dup2(from, to); }) < 0) throw_io(thread, errno, "dup2 failed");
}
i32 InheritedChannel_open0(JavaThread* thread, Handle path, i32 mode) {
  int flags = mode == open_read ? O_RDONLY : mode == open_write ? O_WRONLY : O_RDWR;
  std::string name = path_of(path);
  i32 number = restarting([&] { return open(name.c_str(), flags | O_CLOEXEC); });
  if (number < 0) throw_io(thread, errno, "Open failed");
  return number;
}
void InheritedChannel_close0(JavaThread* thread, i32 number) {
  if (close(number) < 0) throw_io(thread, errno, "close failed");
}
i32 InheritedChannel_soType0(JavaThread*, i32 number) {
  int type = 0;
  socklen_t length = sizeof type;
  if (getsockopt(number, SOL_SOCKET, SO_TYPE, &type, &length) != 0) return type_unknown;
  return type == SOCK_STREAM ? type_stream : type == SOCK_DGRAM ? type_datagram : type_unknown;
}
i32 InheritedChannel_addressFamily(JavaThread*, i32 number) {
  sockaddr_storage own;
  socklen_t length = sizeof own;
  if (getsockname(number, reinterpret_cast<sockaddr*>(&own), &length) != 0) return family_unknown;
  switch (own.ss_family) {
    case AF_INET: return family_ipv4;
    case AF_INET6: return family_ipv6;
    case AF_UNIX: return family_unix;
    default: return family_unknown;
  }
}
Object* InheritedChannel_inetPeerAddress0(JavaThread* thread, i32 number) {
  sockaddr_storage peer;
  socklen_t length;
  if (!peer_of(number, peer, length) || !is_internet(peer)) return nullptr;
  return make_inet_address(thread, reinterpret_cast<sockaddr*>(&peer), nullptr);
}
// The path of the peer, without the zero at its end; empty when the peer is not bound.
Object* InheritedChannel_unixPeerAddress0(JavaThread* thread, i32 number) {
  sockaddr_storage peer;
  socklen_t length;
  if (!peer_of(number, peer, length) || peer.ss_family != AF_UNIX) return nullptr;
  const char* path = reinterpret_cast<const sockaddr_un&>(peer).sun_path;
  return make_byte_array(thread, path, strnlen(path, length - offsetof(sockaddr_un, sun_path)));
}
i32 InheritedChannel_peerPort0(JavaThread*, i32 number) {
  sockaddr_storage peer;
  socklen_t length;
  return peer_of(number, peer, length) && is_internet(peer) ? port_of(peer) : -1;
}
bool InheritedChannel_isConnected(JavaThread*, i32 number) {
  sockaddr_storage peer;
  socklen_t length;
  return peer_of(number, peer, length);
}

}  // namespace keyhole::natives
