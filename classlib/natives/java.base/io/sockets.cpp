// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// sun.nio.ch for sockets: Net, SocketDispatcher, DatagramDispatcher, DatagramChannelImpl, NativeSocketAddress.
// java.net.Socket, ServerSocket and DatagramSocket of JDK 17 use these, too.
//
// IPv6 sockets are dual-stack: IPv4 addresses travel as IPv4-mapped ones.
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>

#include "classlib/natives/java.base/io/channel_support.h"
#include "classlib/natives/java.base/io/declarations.h"
#include "classlib/natives/java.base/io/inet_address.h"
#include "gc/barrier.h"
#include "gc/heap/heap.h"
#include "vm/link/java_call.h"

namespace keyhole::natives {

using namespace io;

namespace io {

int wait_for(i32 number, i16 events, i64 timeout_millis) {
  using clock = std::chrono::steady_clock;
  clock::time_point deadline = clock::now() + std::chrono::milliseconds(std::max<i64>(timeout_millis, 0));
  for (;;) {
    pollfd watched{number, events, 0};
    int timeout = timeout_millis < 0 ? -1 : static_cast<int>(std::min<i64>(timeout_millis, 0x7FFFFFFF));
    int count = poll(&watched, 1, timeout);
    if (count >= 0) return count == 0 ? 0 : watched.revents;
    if (errno != EINTR) return -1;
    if (timeout_millis < 0) return 0;  // the caller checks whether its channel was closed
    timeout_millis =
        std::max<i64>(0, std::chrono::duration_cast<std::chrono::milliseconds>(deadline - clock::now()).count());
  }
}

}  // namespace io

namespace {

// Throws java.net's exception for an errno. Returns the status that the caller returns.
i32 throw_socket(JavaThread* thread, int error) MAY_SAFEPOINT {
  const char* name = "java/net/SocketException";
  switch (error) {
    case EINPROGRESS: return 0;
    case EPROTO: name = "java/net/ProtocolException"; break;
    case ECONNREFUSED:
    case ETIMEDOUT:
    case ENOTCONN: name = "java/net/ConnectException"; break;
    case EHOSTUNREACH: name = "java/net/NoRouteToHostException"; break;
    case EADDRINUSE:
    case EADDRNOTAVAIL:
    case EPERM:
    case EACCES: name = "java/net/BindException"; break;
    default: break;
  }
  throw_named(thread, name, error_text(error));
  return status_thrown;
}

template <typename T> bool set_option(i32 number, int level, int option, const T& value) {
  return setsockopt(number, level, option, &value, sizeof value) >= 0;
}

// Calls getsockname or getpeername for a descriptor. False: an exception is pending.
template <typename Ask>
bool ask_name(JavaThread* thread, Handle descriptor, Ask&& ask, sockaddr_storage& result) MAY_SAFEPOINT {
  socklen_t length = sizeof result;
  if (ask(descriptor_number(descriptor), reinterpret_cast<sockaddr*>(&result), &length) >= 0) return true;
  throw_socket(thread, errno);
  return false;
}

bool is_ipv6_socket(i32 number) {
  int domain = 0;
  socklen_t length = sizeof domain;
  return getsockopt(number, SOL_SOCKET, SO_DOMAIN, &domain, &length) == 0 && domain == AF_INET6;
}

}  // namespace

// --- Net -------------------------------------------------------------------------------------------------------------

bool Net_isIPv6Available0(JavaThread*) { return ipv6_available(); }
bool Net_isReusePortAvailable0(JavaThread*) { return true; }
i32 Net_isExclusiveBindAvailable(JavaThread*) { return -1; }
bool Net_shouldShutdownWriteBeforeClose0(JavaThread*) { return false; }
bool Net_shouldSetBothIPv4AndIPv6Options0(JavaThread*) { return true; }
bool Net_canIPv6SocketJoinIPv4Group0(JavaThread*) { return true; }
bool Net_canJoin6WithIPv4Group0(JavaThread*) { return false; }
bool Net_canUseIPv6OptionsWithIPv4LocalAddress0(JavaThread*) { return true; }
i16 Net_pollinValue(JavaThread*) { return POLLIN; }
i16 Net_polloutValue(JavaThread*) { return POLLOUT; }
i16 Net_pollerrValue(JavaThread*) { return POLLERR; }
i16 Net_pollhupValue(JavaThread*) { return POLLHUP; }
i16 Net_pollnvalValue(JavaThread*) { return POLLNVAL; }
i16 Net_pollconnValue(JavaThread*) { return POLLOUT; }

i32 Net_socket0(JavaThread* thread, bool prefer_ipv6, bool stream, bool reuse, bool) {
  bool ipv6 = prefer_ipv6 && ipv6_available();
  int number = socket(ipv6 ? AF_INET6 : AF_INET, (stream ? SOCK_STREAM : SOCK_DGRAM) | SOCK_CLOEXEC, 0);
  if (number < 0) return throw_socket(thread, errno);
  bool fine = true;
  if (ipv6) fine = set_option(number, IPPROTO_IPV6, IPV6_V6ONLY, 0);
  if (fine && reuse) fine = set_option(number, SOL_SOCKET, SO_REUSEADDR, 1);
  if (fine && !stream) {
    // Datagrams come only from groups that this socket has joined. Kernels without the option do not need it.
    int error = set_option(number, IPPROTO_IP, IP_MULTICAST_ALL, 0) ? 0 : errno;
    if (error != 0 && error != ENOPROTOOPT) fine = false;
    if (fine && ipv6) fine = set_option(number, IPPROTO_IPV6, IPV6_MULTICAST_HOPS, 1);
  }
  if (!fine) {
    int error = errno;
    close(number);
    return throw_socket(thread, error);
  }
  return number;
}

void Net_bind0(JavaThread* thread, Handle descriptor, bool prefer_ipv6, bool, Handle address, i32 port) {
  SocketAddress to;
  if (!to_socket_address(thread, address, port, prefer_ipv6 && ipv6_available(), to)) return;
  if (bind(descriptor_number(descriptor), &to.any, to.length) != 0) throw_socket(thread, errno);
}
void Net_listen(JavaThread* thread, Handle descriptor, i32 backlog) {
  if (listen(descriptor_number(descriptor), backlog) < 0) throw_socket(thread, errno);
}
i32 Net_connect0(JavaThread* thread, bool prefer_ipv6, Handle descriptor, Handle address, i32 port) {
  SocketAddress to;
  if (!to_socket_address(thread, address, port, prefer_ipv6 && ipv6_available(), to)) return status_thrown;
  i32 number = descriptor_number(descriptor);
  auto [result, error] = native_call(thread, [&] { return connect(number, &to.any, to.length); });
  if (result == 0) return 1;
  if (error == EINPROGRESS) return status_unavailable;
  if (error == EINTR) return status_interrupted;
  return throw_socket(thread, error);
}
i32 Net_accept(JavaThread* thread, Handle descriptor, Handle accepted, Handle addresses) {
  i32 number = descriptor_number(descriptor);
  sockaddr_storage from;
  auto [made, error] = native_call(thread, [&] {
    for (;;) {
      socklen_t length = sizeof from;
      int result = accept4(number, reinterpret_cast<sockaddr*>(&from), &length, SOCK_CLOEXEC);
      if (result >= 0 || errno != ECONNABORTED) return result;  // that client gave up: accept the next
    }
  });
  if (made < 0) {
    if (error == EAGAIN || error == EWOULDBLOCK) return status_unavailable;
    if (error == EINTR) return status_interrupted;
    return throw_socket(thread, error);
  }
  set_descriptor_number(accepted.get(), made);
  HandleScope scope(thread);
  i32 port = 0;
  Handle address = scope.make(make_inet_address(thread, reinterpret_cast<sockaddr*>(&from), &port));
  if (address.is_null()) return status_thrown;
  Klass* klass = resolve_class(thread, Symbol::intern("java/net/InetSocketAddress"), boot_loader());
  if (klass == nullptr || !initialize_class(thread, klass->as_instance())) return status_thrown;
  Handle result = scope.make(heap::allocate_instance(thread, klass));
  if (result.is_null()) {
    throw_out_of_memory(thread, "Java heap space");
    return status_thrown;
  }
  Slot arguments[] = {slot_of(result), slot_of(address), slot_of(port)};
  call_java(thread, find_method(klass, names::object_initializer, Symbol::intern("(Ljava/net/InetAddress;I)V")),
            arguments);
  if (has_exception(thread)) return status_thrown;
  barrier::store_element(addresses.get(), 0, result.get());
  return 1;
}
void Net_shutdown(JavaThread* thread, Handle descriptor, i32 how) {
  static_assert(SHUT_RD == 0 && SHUT_WR == 1 && SHUT_RDWR == 2);  // Net.SHUT_*
  if (shutdown(descriptor_number(descriptor), how) < 0 && errno != ENOTCONN) throw_socket(thread, errno);
}
i32 Net_localPort(JavaThread* thread, Handle descriptor) {
  sockaddr_storage address;
  return ask_name(thread, descriptor, getsockname, address) ? port_of(address) : status_thrown;
}
Object* Net_localInetAddress(JavaThread* thread, Handle descriptor) {
  sockaddr_storage address;
  return ask_name(thread, descriptor, getsockname, address)
             ? make_inet_address(thread, reinterpret_cast<sockaddr*>(&address), nullptr)
             : nullptr;
}
i32 Net_remotePort(JavaThread* thread, Handle descriptor) {
  sockaddr_storage address;
  return ask_name(thread, descriptor, getpeername, address) ? port_of(address) : status_thrown;
}
Object* Net_remoteInetAddress(JavaThread* thread, Handle descriptor) {
  sockaddr_storage address;
  return ask_name(thread, descriptor, getpeername, address)
             ? make_inet_address(thread, reinterpret_cast<sockaddr*>(&address), nullptr)
             : nullptr;
}

i32 Net_getIntOption0(JavaThread* thread, Handle descriptor, bool convert, i32 level, i32 option) {
  i32 number = descriptor_number(descriptor);
  union {
    int number;
    linger lingering;
    u8 byte;
  } value{};
  socklen_t length = sizeof(int);
  if (level == IPPROTO_IP && (option == IP_MULTICAST_TTL || option == IP_MULTICAST_LOOP)) length = 1;
  if (level == SOL_SOCKET && option == SO_LINGER) length = sizeof(linger);
  if (getsockopt(number, level, option, &value, &length) < 0) {
    throw_named(thread, "java/net/SocketException", error_text(errno));
    return -1;
  }
  if (level == IPPROTO_IP && (option == IP_MULTICAST_TTL || option == IP_MULTICAST_LOOP)) return value.byte;
  if (level == SOL_SOCKET && option == SO_LINGER) return value.lingering.l_onoff != 0 ? value.lingering.l_linger : -1;
  // Linux reports twice the requested size, including its overhead.
  if (convert && level == SOL_SOCKET && (option == SO_SNDBUF || option == SO_RCVBUF)) return value.number / 2;
  return value.number;
}
void Net_setIntOption0(JavaThread* thread, Handle descriptor, bool convert, i32 level, i32 option, i32 argument, bool) {
  i32 number = descriptor_number(descriptor);
  bool done;
  if (level == IPPROTO_IP && (option == IP_MULTICAST_TTL || option == IP_MULTICAST_LOOP)) {
    done = set_option(number, level, option, static_cast<u8>(argument));
  } else if (level == SOL_SOCKET && option == SO_LINGER) {
    done = set_option(number, level, option, linger{argument >= 0, std::max(argument, 0)});
  } else {
    if (convert && level == SOL_SOCKET && option == SO_RCVBUF) argument = std::max(argument, 1024);
    if (convert && level == IPPROTO_IP && option == IP_TOS) argument &= 0x1E;  // precedence and must-be-zero bits
    done = set_option(number, level, option, static_cast<int>(argument));
  }
  if (!done) throw_named(thread, "java/net/SocketException", error_text(errno));
}

i32 Net_poll(JavaThread* thread, Handle descriptor, i32 events, i64 timeout) {
  i32 number = descriptor_number(descriptor);
  auto [ready, error] = native_call(thread, [&] { return wait_for(number, static_cast<i16>(events), timeout); });
  if (ready >= 0) return ready;
  return throw_socket(thread, error);
}
bool Net_pollConnect(JavaThread* thread, Handle descriptor, i64 timeout) {
  i32 number = descriptor_number(descriptor);
  auto [ready, error] = native_call(thread, [&] { return wait_for(number, POLLOUT, timeout); });
  if (ready < 0) {
    throw_io(thread, error, "poll failed");
    return false;
  }
  if (ready == 0) return false;
  int failure = 0;
  socklen_t length = sizeof failure;
  if (getsockopt(number, SOL_SOCKET, SO_ERROR, &failure, &length) < 0) failure = errno;
  if (failure != 0) {
    throw_socket(thread, failure);
    return false;
  }
  return true;
}
i32 Net_available(JavaThread* thread, Handle descriptor) {
  int count = 0;
  if (ioctl(descriptor_number(descriptor), FIONREAD, &count) == 0) return count;
  return throw_socket(thread, errno);
}
i32 Net_sendOOB(JavaThread* thread, Handle descriptor, i8 byte) {
  i32 number = descriptor_number(descriptor);
  return static_cast<i32>(channel_call(thread, false, [&] { return send(number, &byte, 1, MSG_OOB); }));
}
bool Net_discardOOB(JavaThread*, Handle) { return false; }

// Joins or leaves a group. Groups and interfaces of IPv4 are ints in host order. `source` 0 means any sender.
i32 Net_joinOrDrop4(JavaThread* thread, bool join, Handle descriptor, i32 group, i32 interface, i32 source) {
  i32 number = descriptor_number(descriptor);
  bool done;
  if (source == 0) {
    ip_mreq request{};
    request.imr_multiaddr.s_addr = htonl(static_cast<u32>(group));
    request.imr_interface.s_addr = htonl(static_cast<u32>(interface));
    done = set_option(number, IPPROTO_IP, join ? IP_ADD_MEMBERSHIP : IP_DROP_MEMBERSHIP, request);
  } else {
    ip_mreq_source request{};
    request.imr_multiaddr.s_addr = htonl(static_cast<u32>(group));
    request.imr_interface.s_addr = htonl(static_cast<u32>(interface));
    request.imr_sourceaddr.s_addr = htonl(static_cast<u32>(source));
    done = set_option(number, IPPROTO_IP, join ? IP_ADD_SOURCE_MEMBERSHIP : IP_DROP_SOURCE_MEMBERSHIP, request);
  }
  if (done) return 0;
  if (join && errno == ENOPROTOOPT) return status_unavailable;
  return throw_socket(thread, errno);
}
i32 Net_blockOrUnblock4(JavaThread* thread, bool block, Handle descriptor, i32 group, i32 interface, i32 source) {
  ip_mreq_source request{};
  request.imr_multiaddr.s_addr = htonl(static_cast<u32>(group));
  request.imr_interface.s_addr = htonl(static_cast<u32>(interface));
  request.imr_sourceaddr.s_addr = htonl(static_cast<u32>(source));
  if (set_option(descriptor_number(descriptor), IPPROTO_IP, block ? IP_BLOCK_SOURCE : IP_UNBLOCK_SOURCE, request))
    return 0;
  if (block && errno == ENOPROTOOPT) return status_unavailable;
  return throw_socket(thread, errno);
}
namespace {
sockaddr_storage storage_of_ipv6(Handle bytes) TOUCHES_OBJECTS {
  sockaddr_storage result{};
  auto& v6 = reinterpret_cast<sockaddr_in6&>(result);
  v6.sin6_family = AF_INET6;
  memcpy(&v6.sin6_addr, bytes->elements<u8>(), 16);
  return result;
}
}  // namespace
i32 Net_joinOrDrop6(JavaThread* thread, bool join, Handle descriptor, Handle group, i32 index, Handle source) {
  i32 number = descriptor_number(descriptor);
  bool done;
  if (source.is_null()) {
    ipv6_mreq request{};
    memcpy(&request.ipv6mr_multiaddr, group->elements<u8>(), 16);
    request.ipv6mr_interface = static_cast<u32>(index);
    done = set_option(number, IPPROTO_IPV6, join ? IPV6_ADD_MEMBERSHIP : IPV6_DROP_MEMBERSHIP, request);
  } else {
    group_source_req request{};
    request.gsr_interface = static_cast<u32>(index);
    request.gsr_group = storage_of_ipv6(group);
    request.gsr_source = storage_of_ipv6(source);
    done = set_option(number, IPPROTO_IPV6, join ? MCAST_JOIN_SOURCE_GROUP : MCAST_LEAVE_SOURCE_GROUP, request);
  }
  if (done) return 0;
  if (join && errno == ENOPROTOOPT) return status_unavailable;
  return throw_socket(thread, errno);
}
i32 Net_blockOrUnblock6(JavaThread* thread, bool block, Handle descriptor, Handle group, i32 index, Handle source) {
  group_source_req request{};
  request.gsr_interface = static_cast<u32>(index);
  request.gsr_group = storage_of_ipv6(group);
  request.gsr_source = storage_of_ipv6(source);
  if (set_option(descriptor_number(descriptor), IPPROTO_IPV6, block ? MCAST_BLOCK_SOURCE : MCAST_UNBLOCK_SOURCE,
                 request))
    return 0;
  if (block && errno == ENOPROTOOPT) return status_unavailable;
  return throw_socket(thread, errno);
}
void Net_setInterface4(JavaThread* thread, Handle descriptor, i32 interface) {
  in_addr address{htonl(static_cast<u32>(interface))};
  if (!set_option(descriptor_number(descriptor), IPPROTO_IP, IP_MULTICAST_IF, address)) throw_socket(thread, errno);
}
i32 Net_getInterface4(JavaThread* thread, Handle descriptor) {
  in_addr address{};
  socklen_t length = sizeof address;
  if (getsockopt(descriptor_number(descriptor), IPPROTO_IP, IP_MULTICAST_IF, &address, &length) < 0)
    return throw_socket(thread, errno);
  return static_cast<i32>(ntohl(address.s_addr));
}
void Net_setInterface6(JavaThread* thread, Handle descriptor, i32 index) {
  if (!set_option(descriptor_number(descriptor), IPPROTO_IPV6, IPV6_MULTICAST_IF, static_cast<int>(index)))
    throw_socket(thread, errno);
}
i32 Net_getInterface6(JavaThread* thread, Handle descriptor) {
  int index = 0;
  socklen_t length = sizeof index;
  if (getsockopt(descriptor_number(descriptor), IPPROTO_IPV6, IPV6_MULTICAST_IF, &index, &length) < 0)
    return throw_socket(thread, errno);
  return index;
}

// --- reading and writing ---------------------------------------------------------------------------------------------

namespace {
// The result of a read. If the peer has reset the connection, a special exception is thrown.
i64 socket_read_result(JavaThread* thread, i64 count, int error) MAY_SAFEPOINT {
  if (count == -1 && error == ECONNRESET) {
    throw_named(thread, "sun/net/ConnectionResetException", "Connection reset");
    return status_thrown;
  }
  return channel_result(thread, count, error, true);
}
i64 datagram_result(JavaThread* thread, i64 count, int error, bool reading) MAY_SAFEPOINT {
  if (count == -1 && error == ECONNREFUSED) {
    throw_message(thread, Symbol::intern("java/net/PortUnreachableException"), static_cast<const char*>(nullptr));
    return status_thrown;
  }
  return count == 0 ? 0 : channel_result(thread, count, error, reading);  // an empty datagram is not the end
}
}  // namespace

i32 SocketDispatcher_read0(JavaThread* thread, Handle descriptor, i64 address, i32 length) {
  i32 number = descriptor_number(descriptor);
  auto [count, error] =
      native_call(thread, [&] { return read(number, native_address<void>(address), static_cast<usize>(length)); });
  return static_cast<i32>(socket_read_result(thread, count, error));
}
i64 SocketDispatcher_readv0(JavaThread* thread, Handle descriptor, i64 address, i32 count) {
  i32 number = descriptor_number(descriptor);
  auto [read_count, error] = native_call(thread, [&] { return readv(number, native_address<iovec>(address), count); });
  return socket_read_result(thread, read_count, error);
}
i32 DatagramDispatcher_read0(JavaThread* thread, Handle descriptor, i64 address, i32 length) {
  i32 number = descriptor_number(descriptor);
  auto [count, error] =
      native_call(thread, [&] { return recv(number, native_address<void>(address), static_cast<usize>(length), 0); });
  return static_cast<i32>(datagram_result(thread, count, error, true));
}
i64 DatagramDispatcher_readv0(JavaThread* thread, Handle descriptor, i64 address, i32 count) {
  i32 number = descriptor_number(descriptor);
  msghdr message{};
  message.msg_iov = native_address<iovec>(address);
  message.msg_iovlen = static_cast<usize>(count);
  auto [received, error] = native_call(thread, [&] { return recvmsg(number, &message, 0); });
  return datagram_result(thread, received, error, true);
}
i32 DatagramDispatcher_write0(JavaThread* thread, Handle descriptor, i64 address, i32 length) {
  i32 number = descriptor_number(descriptor);
  auto [count, error] =
      native_call(thread, [&] { return send(number, native_address<void>(address), static_cast<usize>(length), 0); });
  return static_cast<i32>(datagram_result(thread, count, error, false));
}
i64 DatagramDispatcher_writev0(JavaThread* thread, Handle descriptor, i64 address, i32 count) {
  i32 number = descriptor_number(descriptor);
  msghdr message{};
  message.msg_iov = native_address<iovec>(address);
  message.msg_iovlen = static_cast<usize>(count);
  auto [sent, error] = native_call(thread, [&] { return sendmsg(number, &message, 0); });
  return datagram_result(thread, sent, error, false);
}

// --- DatagramChannelImpl: socket addresses are in native memory ------------------------------------------------------

void DatagramChannelImpl_disconnect0(JavaThread* thread, Handle descriptor, bool) {
  sockaddr nobody{};
  nobody.sa_family = AF_UNSPEC;
  i32 number = descriptor_number(descriptor);
  // An IPv6 socket needs the longer address.
  socklen_t length = is_ipv6_socket(number) ? sizeof(sockaddr_in6) : sizeof(sockaddr_in);
  sockaddr_in6 wide{};
  memcpy(&wide, &nobody, sizeof nobody);
  if (connect(number, reinterpret_cast<sockaddr*>(&wide), length) < 0 && errno != EAFNOSUPPORT)
    throw_socket(thread, errno);
}
i32 DatagramChannelImpl_receive0(JavaThread* thread, Handle descriptor, i64 address, i32 length, i64 sender,
                                 bool connected) {
  i32 number = descriptor_number(descriptor);
  usize room = static_cast<usize>(std::min(length, 65536));
  for (;;) {
    socklen_t sender_length = sizeof(sockaddr_in6);
    auto [count, error] = native_call(thread, [&] {
      return recvfrom(number, native_address<void>(address), room, 0, native_address<sockaddr>(sender), &sender_length);
    });
    if (count >= 0) return static_cast<i32>(count);
    if (error == EAGAIN || error == EWOULDBLOCK) return status_unavailable;
    if (error == EINTR) return status_interrupted;
    if (error == ECONNREFUSED) {
      if (!connected) continue;  // an answer to something that this socket sent earlier
      throw_message(thread, Symbol::intern("java/net/PortUnreachableException"), static_cast<const char*>(nullptr));
      return status_thrown;
    }
    return throw_socket(thread, error);
  }
}
i32 DatagramChannelImpl_send0(JavaThread* thread, Handle descriptor, i64 address, i32 length, i64 target,
                              i32 target_length) {
  i32 number = descriptor_number(descriptor);
  auto [count, error] = native_call(thread, [&] {
    return sendto(number, native_address<void>(address), static_cast<usize>(std::min(length, 65535)), 0,
                  native_address<sockaddr>(target), static_cast<socklen_t>(target_length));
  });
  if (count >= 0) return static_cast<i32>(count);
  if (error == EAGAIN || error == EWOULDBLOCK) return status_unavailable;
  if (error == EINTR) return status_interrupted;
  if (error == ECONNREFUSED) {
    throw_message(thread, Symbol::intern("java/net/PortUnreachableException"), static_cast<const char*>(nullptr));
    return status_thrown;
  }
  return throw_socket(thread, error);
}

// --- NativeSocketAddress: the layout of sockaddr for Java code -------------------------------------------------------

i32 NativeSocketAddress_AFINET(JavaThread*) { return AF_INET; }
i32 NativeSocketAddress_AFINET6(JavaThread*) { return AF_INET6; }
i32 NativeSocketAddress_sizeofSockAddr4(JavaThread*) { return sizeof(sockaddr_in); }
i32 NativeSocketAddress_sizeofSockAddr6(JavaThread*) { return sizeof(sockaddr_in6); }
i32 NativeSocketAddress_sizeofFamily(JavaThread*) { return sizeof(sockaddr::sa_family); }
i32 NativeSocketAddress_offsetFamily(JavaThread*) { return offsetof(sockaddr, sa_family); }
i32 NativeSocketAddress_offsetSin4Port(JavaThread*) { return offsetof(sockaddr_in, sin_port); }
i32 NativeSocketAddress_offsetSin4Addr(JavaThread*) { return offsetof(sockaddr_in, sin_addr); }
i32 NativeSocketAddress_offsetSin6Port(JavaThread*) { return offsetof(sockaddr_in6, sin6_port); }
i32 NativeSocketAddress_offsetSin6Addr(JavaThread*) { return offsetof(sockaddr_in6, sin6_addr); }
i32 NativeSocketAddress_offsetSin6ScopeId(JavaThread*) { return offsetof(sockaddr_in6, sin6_scope_id); }
i32 NativeSocketAddress_offsetSin6FlowInfo(JavaThread*) { return offsetof(sockaddr_in6, sin6_flowinfo); }

}  // namespace keyhole::natives
