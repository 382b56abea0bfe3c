// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// jdk.net.LinuxSocketOptions: the TCP options beyond java.net.StandardSocketOptions. sun.nio.ch.Net queries them at
// start.
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include "classlib/natives/java.base/io/declarations.h"
#include "classlib/natives/java.base/io/io_support.h"

namespace keyhole::natives {
namespace {

using namespace io;

i32 get_option(JavaThread* thread, i32 number, int level, int option, const char* what) MAY_SAFEPOINT {
  int value = 0;
  socklen_t length = sizeof value;
  if (getsockopt(number, level, option, &value, &length) >= 0) return value;
  if (errno == ENOPROTOOPT) throw_named(thread, "java/lang/UnsupportedOperationException", "unsupported socket option");
  else throw_named(thread, "java/net/SocketException", what);
  return 0;
}
void set_option(JavaThread* thread, i32 number, int option, int value, const char* what, int level = IPPROTO_TCP)
    MAY_SAFEPOINT {
  if (setsockopt(number, level, option, &value, sizeof value) >= 0) return;
  if (errno == ENOPROTOOPT) throw_named(thread, "java/lang/UnsupportedOperationException", "unsupported socket option");
  else throw_named(thread, "java/net/SocketException", what);
}

}  // namespace

bool LinuxSocketOptions_keepAliveOptionsSupported0(JavaThread*) { return true; }
bool LinuxSocketOptions_quickAckSupported0(JavaThread*) { return true; }
bool LinuxSocketOptions_incomingNapiIdSupported0(JavaThread*) { return true; }
void LinuxSocketOptions_setTcpKeepAliveProbes0(JavaThread* thread, i32 number, i32 value) {
  set_option(thread, number, TCP_KEEPCNT, value, "set option TCP_KEEPCNT failed");
}
void LinuxSocketOptions_setTcpKeepAliveTime0(JavaThread* thread, i32 number, i32 value) {
  set_option(thread, number, TCP_KEEPIDLE, value, "set option TCP_KEEPIDLE failed");
}
void LinuxSocketOptions_setTcpKeepAliveIntvl0(JavaThread* thread, i32 number, i32 value) {
  set_option(thread, number, TCP_KEEPINTVL, value, "set option TCP_KEEPINTVL failed");
}
void LinuxSocketOptions_setQuickAck0(JavaThread* thread, i32 number, bool on) {
  set_option(thread, number, TCP_QUICKACK, on, "set option TCP_QUICKACK failed");
}
i32 LinuxSocketOptions_getTcpKeepAliveProbes0(JavaThread* thread, i32 number) {
  return get_option(thread, number, IPPROTO_TCP, TCP_KEEPCNT, "get option TCP_KEEPCNT failed");
}
i32 LinuxSocketOptions_getTcpKeepAliveTime0(JavaThread* thread, i32 number) {
  return get_option(thread, number, IPPROTO_TCP, TCP_KEEPIDLE, "get option TCP_KEEPIDLE failed");
}
i32 LinuxSocketOptions_getTcpKeepAliveIntvl0(JavaThread* thread, i32 number) {
  return get_option(thread, number, IPPROTO_TCP, TCP_KEEPINTVL, "get option TCP_KEEPINTVL failed");
}
bool LinuxSocketOptions_getQuickAck0(JavaThread* thread, i32 number) {
  return get_option(thread, number, IPPROTO_TCP, TCP_QUICKACK, "get option TCP_QUICKACK failed") != 0;
}
i32 LinuxSocketOptions_getIncomingNapiId0(JavaThread* thread, i32 number) {
  return get_option(thread, number, SOL_SOCKET, SO_INCOMING_NAPI_ID, "get option SO_INCOMING_NAPI_ID failed");
}
// Returns user id << 32 | group id of the other end of a Unix domain socket.
i64 LinuxSocketOptions_getSoPeerCred0(JavaThread* thread, i32 number) {
  ucred peer{};
  socklen_t length = sizeof peer;
  if (getsockopt(number, SOL_SOCKET, SO_PEERCRED, &peer, &length) < 0) {
    throw_named(thread, "java/net/SocketException", "get SO_PEERCRED failed");
    return -1;
  }
  if (peer.uid == static_cast<uid_t>(-1)) {
    throw_named(thread, "java/net/SocketException", "Please enable SO_PEERCRED");
    return -1;
  }
  return static_cast<i64>(u64{peer.uid} << 32 | u64{peer.gid});
}

// Does the kernel discover the packet size of the path, and never split a packet?
bool LinuxSocketOptions_getIpDontFragment0(JavaThread* thread, i32 number, bool is_ipv6) {
  i32 value = is_ipv6 ? get_option(thread, number, IPPROTO_IPV6, IPV6_MTU_DISCOVER, "get option IP_DONTFRAGMENT failed")
                      : get_option(thread, number, IPPROTO_IP, IP_MTU_DISCOVER, "get option IP_DONTFRAGMENT failed");
  return value == IP_PMTUDISC_DO;
}
void LinuxSocketOptions_setIpDontFragment0(JavaThread* thread, i32 number, bool on, bool is_ipv6) {
  int value = on ? IP_PMTUDISC_DO : IP_PMTUDISC_DONT;
  set_option(thread, number, IP_MTU_DISCOVER, value, "set option IP_DONTFRAGMENT failed", IPPROTO_IP);
  if (is_ipv6 && !has_exception(thread))
    set_option(thread, number, IPV6_MTU_DISCOVER, value, "set option IP_DONTFRAGMENT failed", IPPROTO_IPV6);
}

}  // namespace keyhole::natives
