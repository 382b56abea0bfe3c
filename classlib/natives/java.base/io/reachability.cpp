// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// InetAddress.isReachable: uses ICMP echo if the process may use raw sockets, else a connection to the echo port.
//
//   echo         one request a second; a reply must have this process's id and come from the address
//   connection   port 7 accepts or refuses
#include <netinet/icmp6.h>
#include <netinet/ip.h>
#include <netinet/ip_icmp.h>
#include <string.h>
#include <unistd.h>

#include "classlib/natives/java.base/io/declarations.h"
#include "classlib/natives/java.base/io/inet_address.h"

namespace keyhole::natives {

using namespace io;

namespace {

struct Question {
  int family;
  SocketAddress address{}, own{};
  bool has_own = false;  // an interface to send from was given
  i32 timeout_millis;
  i32 hops;  // 0: the system's
};

// The result for Java. `failed`: the step that the SocketException or ConnectException names.
struct Answer {
  bool is_reachable = false;
  const char* exception = nullptr;
  const char* failed = nullptr;
  int error = 0;
};

SocketAddress address_of(int family, Handle bytes, i32 scope, u16 port) TOUCHES_OBJECTS {
  SocketAddress address{};
  address.any.sa_family = static_cast<sa_family_t>(family);
  if (family == AF_INET) {
    address.v4.sin_port = htons(port);
    memcpy(&address.v4.sin_addr, bytes->elements<u8>(), 4);
    address.length = sizeof address.v4;
  } else {
    address.v6.sin6_port = htons(port);
    memcpy(&address.v6.sin6_addr, bytes->elements<u8>(), 16);
    if (scope > 0) address.v6.sin6_scope_id = static_cast<u32>(scope);
    address.length = sizeof address.v6;
  }
  return address;
}

// Prepares the socket. False: it could not be bound, and `answer` says so.
bool prepare(int number, const Question& question, Answer& answer) {
  if (question.hops > 0) {
    bool is_ipv4 = question.family == AF_INET;
    setsockopt(number, is_ipv4 ? IPPROTO_IP : IPPROTO_IPV6, is_ipv4 ? IP_TTL : IPV6_UNICAST_HOPS, &question.hops,
               sizeof question.hops);
  }
  if (!question.has_own || bind(number, &question.own.any, question.own.length) == 0) return true;
  answer = {false, "java/net/SocketException", "Can't bind socket", errno};
  return false;
}

Answer ask_by_connection(int number, const Question& question) {
  Answer answer;
  if (!prepare(number, question, answer)) return answer;
  if (connect(number, &question.address.any, question.address.length) == 0 || errno == ECONNREFUSED) return {true};
  switch (errno) {
    case EINPROGRESS: break;
    case ENETUNREACH:
    case EAFNOSUPPORT:
    case EADDRNOTAVAIL:
    case EINVAL:
    case EHOSTUNREACH: return {};
    default: return {false, "java/net/ConnectException", "connect failed", errno};
  }
  if (wait_for(number, POLLOUT, question.timeout_millis) <= 0) return {};
  int error = 0;
  socklen_t size = sizeof error;
  getsockopt(number, SOL_SOCKET, SO_ERROR, &error, &size);
  return {error == 0 || error == ECONNREFUSED};
}

// --- echo ------------------------------------------------------------------------------------------------------------

// RFC 1071: the complement of the sum of all 16-bit words.
u16 checksum_of(const u8* bytes, usize count) {
  u32 sum = 0;
  for (usize i = 0; i + 1 < count; i += 2) {
    u16 word;
    memcpy(&word, bytes + i, sizeof word);
    sum += word;
  }
  while (sum >> 16 != 0) sum = (sum & 0xFFFF) + (sum >> 16);
  return static_cast<u16>(~sum);
}

// ICMP and ICMPv6 have the same echo header.
struct Echo {
  u8 type, code = 0;
  u16 checksum = 0, process, sequence;
  u64 data[2] = {};
};
static_assert(sizeof(Echo) == 24);

u16 own_process() { return static_cast<u16>(getpid()); }

bool is_reply(const Question& question, const u8* packet, usize count, const sockaddr_storage& from) {
  bool is_ipv4 = question.family == AF_INET;
  usize header = is_ipv4 && count > 0 ? (packet[0] & 0xFu) * 4 : 0;  // raw IPv4 sockets see the IP header
  if (count < header + offsetof(Echo, data)) return false;
  Echo reply;
  memcpy(&reply, packet + header, offsetof(Echo, data));
  u8 expected = is_ipv4 ? ICMP_ECHOREPLY : ICMP6_ECHO_REPLY;
  if (reply.process != htons(own_process()) || reply.type != expected) return false;
  if (is_ipv4) {
    auto* source = reinterpret_cast<const sockaddr_in*>(&from);
    in_addr asked = question.address.v4.sin_addr;
    return asked.s_addr == INADDR_ANY || asked.s_addr == source->sin_addr.s_addr;
  }
  auto* source = reinterpret_cast<const sockaddr_in6*>(&from);
  const in6_addr& asked = question.address.v6.sin6_addr;
  return IN6_IS_ADDR_UNSPECIFIED(&asked) || memcmp(&asked, &source->sin6_addr, sizeof asked) == 0;
}

// Waits for a reply until `until`, a time of hardware::now_nanoseconds.
bool receives_reply(int number, const Question& question, i64 until) {
  for (;;) {
    i64 left = (until - hardware::now_nanoseconds() + 999'999) / 1'000'000;
    if (left <= 0 || wait_for(number, POLLIN, left) <= 0) return false;
    u8 packet[1500];
    sockaddr_storage from{};
    socklen_t length = sizeof from;
    ssize_t count = recvfrom(number, packet, sizeof packet, MSG_DONTWAIT, reinterpret_cast<sockaddr*>(&from), &length);
    if (count > 0 && is_reply(question, packet, static_cast<usize>(count), from)) return true;
  }
}

Answer ask_by_echo(int number, const Question& question) {
  Answer answer;
  int buffer_bytes = 60 * 1024;
  setsockopt(number, SOL_SOCKET, SO_RCVBUF, &buffer_bytes, sizeof buffer_bytes);
  if (question.family == AF_INET6) {  // for IPv6 the kernel fills in the process
    int offset = offsetof(Echo, checksum);
    setsockopt(number, SOL_RAW, IPV6_CHECKSUM, &offset, sizeof offset);
  }
  if (!prepare(number, question, answer)) return answer;
  SocketAddress to = question.address;
  (question.family == AF_INET ? to.v4.sin_port : to.v6.sin6_port) = 0;  // raw sockets have none, and IPv6 insists
  constexpr i32 interval_millis = 1000;
  u16 sequence = 1;
  for (i32 left = question.timeout_millis; left > 0; left -= interval_millis) {
    Echo request{.type = question.family == AF_INET ? u8{ICMP_ECHO} : u8{ICMP6_ECHO_REQUEST},
                 .process = htons(own_process()),
                 .sequence = htons(sequence++)};
    if (question.family == AF_INET) request.checksum = checksum_of(reinterpret_cast<u8*>(&request), sizeof request);
    i64 until = hardware::now_nanoseconds() + std::min(left, interval_millis) * i64{1'000'000};
    if (sendto(number, &request, sizeof request, 0, &to.any, to.length) < 0) {
      // These errors mean unreachable: on some systems a socket that is bound to the loopback interface cannot send
      // elsewhere.
      if (errno == EINVAL || errno == EHOSTUNREACH || errno == ENETUNREACH || errno == EADDRNOTAVAIL) return {};
      return {false, "java/net/ConnectException", "Can't send ICMP packet", errno};
    }
    if (receives_reply(number, question, until)) return {true};
  }
  return {};
}

bool is_reachable(JavaThread* thread, const Question& question) MAY_SAFEPOINT {
  Answer answer;
  {
    NativeScope native(thread);
    int protocol = question.family == AF_INET ? int{IPPROTO_ICMP} : int{IPPROTO_ICMPV6};
    int number = socket(question.family, SOCK_RAW | SOCK_NONBLOCK | SOCK_CLOEXEC, protocol);
    bool may_echo = number >= 0;
    if (!may_echo) number = socket(question.family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (number < 0) answer = {false, "java/net/SocketException", "Can't create socket", errno};
    else answer = may_echo ? ask_by_echo(number, question) : ask_by_connection(number, question);
    if (number >= 0) close(number);
  }
  if (answer.failed != nullptr)
    throw_named(thread, answer.exception, fmt::format("{} ({})", error_text(answer.error), answer.failed));
  return answer.is_reachable;
}

Question question_of(Handle bytes, i32 scope, i32 timeout_millis, Handle own, i32 own_scope, i32 hops) TOUCHES_OBJECTS {
  int family = bytes->length() == 4 ? AF_INET : AF_INET6;
  Question question{.family = family, .timeout_millis = timeout_millis, .hops = hops};
  constexpr u16 echo_port = 7;
  question.address = address_of(question.family, bytes, scope, echo_port);
  question.has_own = !own.is_null();
  if (question.has_own) question.own = address_of(question.family, own, own_scope, 0);
  return question;
}

}  // namespace

bool Inet4AddressImpl_isReachable0(JavaThread* thread, Handle, Handle bytes, i32 timeout_millis, Handle own, i32 hops) {
  return is_reachable(thread, question_of(bytes, -1, timeout_millis, own, -1, hops));
}
bool Inet6AddressImpl_isReachable0(JavaThread* thread, Handle, Handle bytes, i32 scope, i32 timeout_millis, Handle own,
                                   i32 hops, i32 own_scope) {
  return is_reachable(thread, question_of(bytes, scope, timeout_millis, own, own_scope, hops));
}

}  // namespace keyhole::natives
