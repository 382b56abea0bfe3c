// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// java.net.PlainDatagramSocketImpl: UDP sockets without channels, for programs started with
// -Djdk.net.usePlainDatagramSocketImpl.
//
// Receiving waits in the same way as in plain_sockets.cpp (waited_calls.h). If the machine has IPv6, all sockets are
// dual-stack.
#include <net/if.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "classlib/natives/java.base/io/channel_support.h"
#include "classlib/natives/java.base/io/declarations.h"
#include "classlib/natives/java.base/io/waited_calls.h"
#include "classlib/natives/late_bound.h"

namespace keyhole::natives {

using namespace io;

namespace {

constinit const JavaField datagram_local_port("localPort", "I"), datagram_timeout("timeout", "I"),
    datagram_connected("connected", "Z");
constinit const JavaField packet_bytes("buf", "[B"), packet_offset("offset", "I"), packet_length("length", "I"),
    packet_room("bufLength", "I"), packet_address("address", "Ljava/net/InetAddress;"), packet_port("port", "I");
constinit const JavaField number_of_interface("index", "I"), addresses_of_interface("addrs", "[Ljava/net/InetAddress;");

constexpr i32 largest_packet_bytes = 65536;

void throw_unreachable(JavaThread* thread) MAY_SAFEPOINT {
  throw_named(thread, "java/net/PortUnreachableException", "ICMP Port Unreachable");
}

struct Received {
  i64 count = -1;  // -1: an exception is pending
  sockaddr_storage from{};
};

// Receives a packet. `step` appears in the text of a failure.
Received receive(JavaThread* thread, Handle self, void* buffer, usize room, int flags, const char* step) MAY_SAFEPOINT {
  Received result;
  i32 number = open_number(thread, self);
  if (number < 0) return result;
  Waited waited = wait_and_call(thread, number, POLLIN, datagram_timeout.get<i32>(self.get()), [&]() -> i64 {
    socklen_t length = sizeof result.from;
    return recvfrom(number, buffer, room, flags | MSG_DONTWAIT, reinterpret_cast<sockaddr*>(&result.from), &length);
  });
  bool peeks = step[0] == 'P';
  if (waited.is_closed) throw_closed(thread);
  else if (waited.is_late) throw_named(thread, timeout_exception, peeks ? "Peek timed out" : "Receive timed out");
  else if (waited.value < 0 && waited.error == ECONNREFUSED) throw_unreachable(thread);
  else if (waited.value < 0) throw_failed(thread, socket_exception, waited.error, step);
  else result.count = waited.value;
  return result;
}

// Receives a packet into a DatagramPacket. Returns the sender's port; -1: an exception is pending.
i32 receive_packet(JavaThread* thread, Handle self, Handle packet, int flags) MAY_SAFEPOINT {
  HandleScope scope(thread);
  Handle bytes = scope.make(packet.is_null() ? nullptr : packet_bytes.get_reference(packet.get()));
  if (bytes.is_null()) {
    throw_null_pointer(thread);
    return -1;
  }
  i32 room = std::min(packet_room.get<i32>(packet.get()), largest_packet_bytes);
  TransferBuffer buffer(static_cast<usize>(room));
  Received received = receive(thread, self, buffer.data(), static_cast<usize>(room), flags, "Receive failed");
  if (received.count < 0) return -1;
  i32 port = 0;
  Object* address = make_inet_address(thread, reinterpret_cast<sockaddr*>(&received.from), &port);
  if (address == nullptr) return -1;
  packet_address.set_reference(packet.get(), address);
  packet_port.set<i32>(packet.get(), port);
  copy_in(bytes, packet_offset.get<i32>(packet.get()), buffer.data(), static_cast<usize>(received.count));
  packet_length.set<i32>(packet.get(), static_cast<i32>(received.count));
  return port;
}

bool set_option(JavaThread* thread, i32 number, int level, int name, const void* value, socklen_t length)
    MAY_SAFEPOINT {
  if (setsockopt(number, level, name, value, length) == 0) return true;
  throw_failed(thread, socket_exception, errno, "Error setting socket option");
  return false;
}
bool get_option(JavaThread* thread, i32 number, int level, int name, void* value, socklen_t length) MAY_SAFEPOINT {
  if (getsockopt(number, level, name, value, &length) == 0) return true;
  throw_failed(thread, socket_exception, errno, "Error getting socket option");
  return false;
}

// --- options: their numbers in java.net.SocketOptions and in the kernel ----------------------------------------------

struct DatagramOption {
  i32 name;
  int level, kernel_name;
  bool is_flag;
};
constexpr DatagramOption datagram_options[] = {
    {0x0003, IPPROTO_IP, IP_TOS, false},      {0x0004, SOL_SOCKET, SO_REUSEADDR, true},
    {0x000E, SOL_SOCKET, SO_REUSEPORT, true}, {0x0020, SOL_SOCKET, SO_BROADCAST, true},
    {0x1001, SOL_SOCKET, SO_SNDBUF, false},   {0x1002, SOL_SOCKET, SO_RCVBUF, false},
};
constexpr i32 datagram_address_option = 0x000F, datagram_timeout_option = 0x1006, multicast_address_option = 0x0010,
              multicast_interface_option = 0x001F, multicast_loop_option = 0x0012;

const DatagramOption* find_datagram_option(JavaThread* thread, i32 name) MAY_SAFEPOINT {
  for (const DatagramOption& each : datagram_options)
    if (each.name == name) return &each;
  throw_named(thread, socket_exception, "Invalid option");
  return nullptr;
}

bool bool_of(JavaThread* thread, Handle boxed) MAY_SAFEPOINT {
  const auto* row = late::get<late::Boolean>(thread);
  return row != nullptr && boxed->get<bool>(row->value);
}
i32 int_of(JavaThread* thread, Handle boxed) MAY_SAFEPOINT {
  const auto* row = late::get<late::Integer>(thread);
  return row == nullptr ? 0 : boxed->get<i32>(row->value);
}
template <typename Row, typename Value> Object* box(JavaThread* thread, Value value) MAY_SAFEPOINT {
  const Row* row = late::get<Row>(thread);
  Object* boxed = row == nullptr ? nullptr : new_instance(thread, row->klass);
  if (boxed != nullptr) boxed->set<Value>(row->value, value);
  return boxed;
}

// Sets the interface by which packets to groups leave.
void set_multicast_interface(JavaThread* thread, i32 number, i32 index) MAY_SAFEPOINT {
  ip_mreqn ipv4{};
  ipv4.imr_ifindex = index;
  if (!set_option(thread, number, IPPROTO_IP, IP_MULTICAST_IF, &ipv4, sizeof ipv4)) return;
  if (ipv6_available()) set_option(thread, number, IPPROTO_IPV6, IPV6_MULTICAST_IF, &index, sizeof index);
}

// The interface by which packets to groups leave. Null without an exception: the system chooses.
Object* multicast_interface(JavaThread* thread, i32 number) MAY_SAFEPOINT {
  int index = 0;
  if (ipv6_available()) {
    if (!get_option(thread, number, IPPROTO_IPV6, IPV6_MULTICAST_IF, &index, sizeof index)) return nullptr;
    return index > 0 ? NetworkInterface_getByIndex0(thread, index) : nullptr;
  }
  in_addr own{};
  if (!get_option(thread, number, IPPROTO_IP, IP_MULTICAST_IF, &own, sizeof own) || own.s_addr == 0) return nullptr;
  HandleScope scope(thread);
  Handle address = scope.make(make_inet_address(thread, reinterpret_cast<u8*>(&own), sizeof own, 0, Handle()));
  return address.is_null() ? nullptr : NetworkInterface_getByInetAddress0(thread, address);
}

Object* any_address(JavaThread* thread) MAY_SAFEPOINT {
  u8 zeros[16] = {};
  return make_inet_address(thread, zeros, ipv6_available() ? 16 : 4, 0, Handle());
}

// The first address of that interface; the wildcard if the system chooses.
Object* address_of_multicast_interface(JavaThread* thread, i32 number) MAY_SAFEPOINT {
  Object* chosen = multicast_interface(thread, number);
  if (has_exception(thread)) return nullptr;
  Object* addresses = chosen == nullptr ? nullptr : addresses_of_interface.get_reference(chosen);
  return addresses == nullptr || addresses->length() == 0 ? any_address(thread) : addresses->reference_at(0);
}

void change_membership(JavaThread* thread, Handle self, Handle group, Handle interface, bool joins) MAY_SAFEPOINT {
  i32 number = open_number(thread, self);
  SocketAddress address;
  if (number < 0 || !to_socket_address(thread, group, 0, false, address)) return;
  i32 index = interface.is_null() ? 0 : number_of_interface.get<i32>(interface.get());
  if (index == 0) {  // the interface by which packets leave
    HandleScope scope(thread);
    Handle chosen = scope.make(multicast_interface(thread, number));
    if (has_exception(thread)) return;
    if (!chosen.is_null()) index = number_of_interface.get<i32>(chosen.get());
  }
  bool is_ipv4 = address.any.sa_family == AF_INET;
  int done;
  if (is_ipv4) {
    ip_mreqn request{.imr_multiaddr = address.v4.sin_addr, .imr_address = {}, .imr_ifindex = index};
    done = setsockopt(number, IPPROTO_IP, joins ? IP_ADD_MEMBERSHIP : IP_DROP_MEMBERSHIP, &request, sizeof request);
  } else {
    ipv6_mreq request{.ipv6mr_multiaddr = address.v6.sin6_addr, .ipv6mr_interface = static_cast<u32>(index)};
    int change = joins ? IPV6_ADD_MEMBERSHIP : IPV6_DROP_MEMBERSHIP;
    done = setsockopt(number, IPPROTO_IPV6, change, &request, sizeof request);
  }
  if (done != 0) throw_named(thread, socket_exception, error_text(errno));
}

}  // namespace

void PlainDatagramSocketImpl_datagramSocketCreate(JavaThread* thread, Handle self) {
  if (descriptor_of(self) == nullptr) {
    throw_closed(thread);
    return;
  }
  bool is_ipv6 = ipv6_available();
  int number = socket(is_ipv6 ? AF_INET6 : AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (number < 0) {
    throw_failed(thread, socket_exception, errno, "Error creating socket");
    return;
  }
  int on = 1, off = 0;
  if (is_ipv6) {
    setsockopt(number, IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof off);  // serves IPv4, too
    setsockopt(number, IPPROTO_IPV6, IPV6_MULTICAST_HOPS, &on, sizeof on);
  }
  setsockopt(number, SOL_SOCKET, SO_BROADCAST, &on, sizeof on);
  setsockopt(number, IPPROTO_IP, IP_MULTICAST_ALL, &off, sizeof off);  // only the groups that it joins itself
  set_descriptor_number(descriptor_of(self), number);
}

void PlainDatagramSocketImpl_datagramSocketClose(JavaThread* thread, Handle self) {
  i32 number = number_of(self);
  if (number < 0) return;
  set_descriptor_number(descriptor_of(self), -1);
  NativeScope native(thread);
  close_and_wake(number, false);
}

void PlainDatagramSocketImpl_bind0(JavaThread* thread, Handle self, i32 port, Handle address) {
  i32 number = open_number(thread, self);
  SocketAddress to;
  if (number < 0 || !to_socket_address(thread, address, port, ipv6_available(), to)) return;
  if (bind(number, &to.any, to.length) < 0) {
    bool is_taken = errno == EADDRINUSE || errno == EADDRNOTAVAIL || errno == EPERM || errno == EACCES;
    throw_failed(thread, is_taken ? "java/net/BindException" : socket_exception, errno, "Bind failed");
    return;
  }
  datagram_local_port.set<i32>(self.get(), port != 0 ? port : local_port(number));
}

void PlainDatagramSocketImpl_connect0(JavaThread* thread, Handle self, Handle address, i32 port) {
  i32 number = open_number(thread, self);
  SocketAddress to;
  if (number < 0 || !to_socket_address(thread, address, port, ipv6_available(), to)) return;
  if (connect(number, &to.any, to.length) < 0)
    throw_failed(thread, "java/net/ConnectException", errno, "Connect failed");
}

void PlainDatagramSocketImpl_disconnect0(JavaThread*, Handle self, i32) {
  i32 number = number_of(self);
  if (number < 0) return;
  sockaddr nobody{};
  nobody.sa_family = AF_UNSPEC;
  connect(number, &nobody, sizeof nobody);
  i32 port = local_port(number);
  if (port != 0) {
    datagram_local_port.set<i32>(self.get(), port);
    return;
  }
  // Disconnecting has released the port to which the socket was bound, so it binds again.
  sockaddr_storage own{};
  socklen_t length = sizeof own;
  if (getsockname(number, reinterpret_cast<sockaddr*>(&own), &length) < 0) return;
  u16 wanted = htons(static_cast<u16>(datagram_local_port.get<i32>(self.get())));
  if (own.ss_family == AF_INET) reinterpret_cast<sockaddr_in&>(own).sin_port = wanted;
  else reinterpret_cast<sockaddr_in6&>(own).sin6_port = wanted;
  static_cast<void>(bind(number, reinterpret_cast<sockaddr*>(&own), length));
}

void PlainDatagramSocketImpl_send0(JavaThread* thread, Handle self, Handle packet) {
  i32 number = open_number(thread, self);
  if (number < 0) return;
  HandleScope scope(thread);
  Handle bytes = scope.make(packet.is_null() ? nullptr : packet_bytes.get_reference(packet.get()));
  Handle address = scope.make(packet.is_null() ? nullptr : packet_address.get_reference(packet.get()));
  if (bytes.is_null() || address.is_null()) {
    throw_null_pointer(thread);
    return;
  }
  SocketAddress to{};
  bool is_connected = datagram_connected.get<bool>(self.get());
  i32 port = packet_port.get<i32>(packet.get());
  if (!is_connected && !to_socket_address(thread, address, port, ipv6_available(), to)) return;
  i32 length = packet_length.get<i32>(packet.get());
  TransferBuffer buffer(static_cast<usize>(length));
  copy_out(bytes, packet_offset.get<i32>(packet.get()), buffer.data(), static_cast<usize>(length));
  auto [sent, error] = native_call(thread, [&] {
    return restarting([&] {
      return sendto(number, buffer.data(), static_cast<usize>(length), 0, is_connected ? nullptr : &to.any,
                    is_connected ? 0 : to.length);
    });
  });
  if (sent >= 0) return;
  if (error == ECONNREFUSED) throw_unreachable(thread);
  else throw_named(thread, "java/io/IOException", error_text(error));
}

void PlainDatagramSocketImpl_receive0(JavaThread* thread, Handle self, Handle packet) {
  receive_packet(thread, self, packet, 0);
}
i32 PlainDatagramSocketImpl_peekData(JavaThread* thread, Handle self, Handle packet) {
  return receive_packet(thread, self, packet, MSG_PEEK);
}
// Returns the sender's port. java.net gets the address in another way.
i32 PlainDatagramSocketImpl_peek(JavaThread* thread, Handle self, Handle address) {
  if (address.is_null()) {
    throw_message(thread, names::java_lang_NullPointerException, "Null address in peek()");
    return -1;
  }
  u8 byte;
  Received received = receive(thread, self, &byte, sizeof byte, MSG_PEEK, "Peek failed");
  return received.count < 0 ? -1 : port_of(received.from);
}

i32 PlainDatagramSocketImpl_dataAvailable(JavaThread*, Handle self) {
  i32 number = number_of(self);
  int count = 0;
  return number < 0 || ioctl(number, FIONREAD, &count) < 0 ? -1 : count;
}

void PlainDatagramSocketImpl_setTimeToLive(JavaThread* thread, Handle self, i32 hops) {
  i32 number = open_number(thread, self);
  if (number < 0 || !set_option(thread, number, IPPROTO_IP, IP_MULTICAST_TTL, &hops, sizeof hops)) return;
  if (ipv6_available()) set_option(thread, number, IPPROTO_IPV6, IPV6_MULTICAST_HOPS, &hops, sizeof hops);
}
i32 PlainDatagramSocketImpl_getTimeToLive(JavaThread* thread, Handle self) {
  i32 number = open_number(thread, self);
  bool is_ipv6 = ipv6_available();
  int hops = -1;
  if (number < 0 || !get_option(thread, number, is_ipv6 ? IPPROTO_IPV6 : IPPROTO_IP,
                                is_ipv6 ? IPV6_MULTICAST_HOPS : IP_MULTICAST_TTL, &hops, sizeof hops))
    return -1;
  return hops;
}
void PlainDatagramSocketImpl_setTTL(JavaThread* thread, Handle self, i8 hops) {
  PlainDatagramSocketImpl_setTimeToLive(thread, self, static_cast<u8>(hops));
}
i8 PlainDatagramSocketImpl_getTTL(JavaThread* thread, Handle self) {
  return static_cast<i8>(PlainDatagramSocketImpl_getTimeToLive(thread, self));
}

void PlainDatagramSocketImpl_join(JavaThread* thread, Handle self, Handle group, Handle interface) {
  change_membership(thread, self, group, interface, true);
}
void PlainDatagramSocketImpl_leave(JavaThread* thread, Handle self, Handle group, Handle interface) {
  change_membership(thread, self, group, interface, false);
}

void PlainDatagramSocketImpl_socketSetOption0(JavaThread* thread, Handle self, i32 name, Handle value) {
  i32 number = open_number(thread, self);
  if (number < 0 || name == datagram_timeout_option) return;  // each wait looks at the timeout itself
  if (value.is_null()) {
    throw_message(thread, names::java_lang_NullPointerException, "value argument");
    return;
  }
  if (name == multicast_interface_option) {
    set_multicast_interface(thread, number, number_of_interface.get<i32>(value.get()));
    return;
  }
  if (name == multicast_address_option) {
    Object* found = NetworkInterface_getByInetAddress0(thread, value);
    if (has_exception(thread)) return;
    if (found == nullptr) {
      throw_named(thread, socket_exception, "bad argument for IP_MULTICAST_IF: address not bound to any interface");
      return;
    }
    set_multicast_interface(thread, number, number_of_interface.get<i32>(found));
    return;
  }
  if (name == multicast_loop_option) {  // true: not looped back
    int on = !bool_of(thread, value);
    if (!set_option(thread, number, IPPROTO_IP, IP_MULTICAST_LOOP, &on, sizeof on)) return;
    if (ipv6_available()) set_option(thread, number, IPPROTO_IPV6, IPV6_MULTICAST_LOOP, &on, sizeof on);
    return;
  }
  const DatagramOption* option = find_datagram_option(thread, name);
  if (option == nullptr) return;
  int setting = option->is_flag ? bool_of(thread, value) : int_of(thread, value);
  if (option->kernel_name == SO_RCVBUF && option->level == SOL_SOCKET) setting = std::max(setting, 1024);
  if (option->level == IPPROTO_IP && ipv6_available())
    setsockopt(number, IPPROTO_IPV6, IPV6_TCLASS, &setting, sizeof setting);
  set_option(thread, number, option->level, option->kernel_name, &setting, sizeof setting);
}

Object* PlainDatagramSocketImpl_socketGetOption(JavaThread* thread, Handle self, i32 name) {
  i32 number = open_number(thread, self);
  if (number < 0) return nullptr;
  if (name == datagram_address_option) {
    sockaddr_storage own{};
    socklen_t length = sizeof own;
    if (getsockname(number, reinterpret_cast<sockaddr*>(&own), &length) == 0)
      return make_inet_address(thread, reinterpret_cast<sockaddr*>(&own), nullptr);
    throw_failed(thread, socket_exception, errno, "Error getting socket name");
    return nullptr;
  }
  if (name == multicast_interface_option) return multicast_interface(thread, number);
  if (name == multicast_address_option) return address_of_multicast_interface(thread, number);
  if (name == multicast_loop_option) {
    int on = 0;
    bool is_ipv6 = ipv6_available();
    if (!get_option(thread, number, is_ipv6 ? IPPROTO_IPV6 : IPPROTO_IP,
                    is_ipv6 ? IPV6_MULTICAST_LOOP : IP_MULTICAST_LOOP, &on, sizeof on))
      return nullptr;
    return box<late::Boolean>(thread, on == 0);
  }
  const DatagramOption* option = find_datagram_option(thread, name);
  int value = 0;
  if (option == nullptr || !get_option(thread, number, option->level, option->kernel_name, &value, sizeof value))
    return nullptr;
  if (option->is_flag) return box<late::Boolean>(thread, value != 0);
  // Linux reports twice the requested buffer, including its overhead.
  return box<late::Integer>(thread, i32{option->level == IPPROTO_IP ? value : value / 2});
}

}  // namespace keyhole::natives
