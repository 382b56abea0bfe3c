// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// java.net.InetAddress: look-ups, and conversions between InetAddress objects and sockaddr.
//
// Conversion calls Java's own methods (getAddress, getByAddress), so the VM knows no private field of these classes.
#include "classlib/natives/java.base/io/inet_address.h"

#include <arpa/inet.h>
#include <netdb.h>
#include <string.h>
#include <unistd.h>

#include <algorithm>
#include <set>
#include <vector>

#include "classlib/natives/java.base/io/declarations.h"
#include "gc/barrier.h"
#include "gc/heap/heap.h"
#include "vm/link/java_call.h"

namespace keyhole::natives {

using namespace io;

namespace io {

bool ipv6_available() {
  static bool available = [] {
    int number = socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (number < 0) return false;
    close(number);
    return ::access("/proc/net/if_inet6", R_OK) == 0;
  }();
  return available;
}

bool to_socket_address(JavaThread* thread, Handle address, i32 port, bool as_ipv6, SocketAddress& result) {
  result = {};
  Method* get_address = find_method(address->klass(), Symbol::intern("getAddress"), Symbol::intern("()[B"));
  Slot arguments[] = {slot_of(address)};
  Object* bytes = object_of(call_java_virtual(thread, get_address, arguments));
  if (has_exception(thread)) return false;
  i32 length = bytes->length();
  if (length == 16 && !ipv6_available())
    return throw_named(thread, "java/net/SocketException", "Protocol family unavailable");
  if (length == 4 && !as_ipv6) {
    result.v4.sin_family = AF_INET;
    result.v4.sin_port = htons(static_cast<u16>(port));
    memcpy(&result.v4.sin_addr, bytes->elements<u8>(), 4);
    result.length = sizeof result.v4;
    return true;
  }
  if (length == 16 && !as_ipv6) return throw_named(thread, "java/net/SocketException", "Protocol family not supported");
  result.v6.sin6_family = AF_INET6;
  result.v6.sin6_port = htons(static_cast<u16>(port));
  u8* to = result.v6.sin6_addr.s6_addr;
  if (length == 16) {
    memcpy(to, bytes->elements<u8>(), 16);
    Method* get_scope = find_method(address->klass(), Symbol::intern("getScopeId"), Symbol::intern("()I"));
    Slot again[] = {slot_of(address)};
    u64 scope = call_java_virtual(thread, get_scope, again);
    if (has_exception(thread)) return false;
    result.v6.sin6_scope_id = static_cast<u32>(scope);
  } else {
    // Makes an IPv4-mapped address. The wildcard of IPv4 becomes the wildcard of IPv6.
    const u8* from = bytes->elements<u8>();
    if (from[0] | from[1] | from[2] | from[3]) {
      to[10] = to[11] = 0xFF;
      memcpy(to + 12, from, 4);
    }
  }
  result.length = sizeof result.v6;
  return true;
}

Object* make_inet_address(JavaThread* thread, const u8* bytes, usize length, u32 scope, Handle host) {
  HandleScope handles(thread);
  Handle array = handles.make(make_byte_array(thread, bytes, length));
  if (array.is_null()) return nullptr;
  bool scoped = length == 16 && scope != 0;
  Klass* klass =
      resolve_class(thread, Symbol::intern(scoped ? "java/net/Inet6Address" : "java/net/InetAddress"), boot_loader());
  if (klass == nullptr || !initialize_class(thread, klass->as_instance())) return nullptr;
  Method* maker = find_method(klass, Symbol::intern("getByAddress"),
                              Symbol::intern(scoped ? "(Ljava/lang/String;[BI)Ljava/net/Inet6Address;"
                                                    : "(Ljava/lang/String;[B)Ljava/net/InetAddress;"));
  Slot arguments[] = {slot_of(host), slot_of(array), slot_of(static_cast<i32>(scope))};
  Object* address = object_of(call_java(thread, maker, std::span(arguments, scoped ? 3 : 2)));
  return has_exception(thread) ? nullptr : address;
}

Object* make_inet_address(JavaThread* thread, const sockaddr* address, i32* port, Handle host) {
  if (address->sa_family == AF_INET) {
    auto* v4 = reinterpret_cast<const sockaddr_in*>(address);
    if (port != nullptr) *port = ntohs(v4->sin_port);
    return make_inet_address(thread, reinterpret_cast<const u8*>(&v4->sin_addr), 4, 0, host);
  }
  auto* v6 = reinterpret_cast<const sockaddr_in6*>(address);
  if (port != nullptr) *port = ntohs(v6->sin6_port);
  const u8* bytes = v6->sin6_addr.s6_addr;
  if (IN6_IS_ADDR_V4MAPPED(&v6->sin6_addr)) return make_inet_address(thread, bytes + 12, 4, 0, host);
  return make_inet_address(thread, bytes, 16, v6->sin6_scope_id, host);
}

}  // namespace io

namespace {

Object* local_host_name(JavaThread* thread) MAY_SAFEPOINT {
  char name[NI_MAXHOST + 1] = "localhost";
  gethostname(name, sizeof name - 1);
  return make_string_utf8(thread, name);
}

Object* make_address_array(JavaThread* thread, i32 length) MAY_SAFEPOINT {
  Klass* klass = resolve_class(thread, Symbol::intern("java/net/InetAddress"), boot_loader());
  if (klass == nullptr) return nullptr;
  Klass* array_class = array_klass_of(thread, klass);
  if (array_class == nullptr) return nullptr;
  Object* array = heap::allocate_array(thread, array_class, length);
  if (array == nullptr) return throw_out_of_memory(thread, "Java heap space");
  return array;
}

// Returns all addresses of a host name, each once, in the resolver's order. IPv4 comes before IPv6 unless
// java.net.preferIPv6Addresses says otherwise (InetAddress itself orders them by that property; "false", the default,
// means IPv4 first).
Object* look_up_host(JavaThread* thread, Handle host, int family, bool ipv6_first = false) MAY_SAFEPOINT {
  if (host.is_null()) return throw_message(thread, names::java_lang_NullPointerException, "host argument is null");
  std::string name = string_to_utf8(host.get());
  addrinfo hints{}, *found = nullptr;
  hints.ai_flags = AI_CANONNAME;
  hints.ai_family = family;
  int error;
  {
    NativeScope native(thread);
    error = getaddrinfo(name.c_str(), nullptr, &hints, &found);
  }
  if (error != 0) {
    return throw_named(
        thread, "java/net/UnknownHostException",
        fmt::format("{}: {}", name, error == EAI_SYSTEM ? error_text(errno) : std::string(gai_strerror(error))));
  }
  std::vector<sockaddr_storage> addresses;
  std::set<std::string> seen;
  for (int wanted : {ipv6_first ? AF_INET6 : AF_INET, ipv6_first ? AF_INET : AF_INET6}) {
    for (addrinfo* each = found; each != nullptr; each = each->ai_next) {
      if (each->ai_family != wanted) continue;
      const void* bytes = wanted == AF_INET
                              ? static_cast<const void*>(&reinterpret_cast<sockaddr_in*>(each->ai_addr)->sin_addr)
                              : &reinterpret_cast<sockaddr_in6*>(each->ai_addr)->sin6_addr;
      if (!seen.emplace(static_cast<const char*>(bytes), wanted == AF_INET ? 4 : 16).second) continue;
      addresses.emplace_back();
      memcpy(&addresses.back(), each->ai_addr, each->ai_addrlen);
    }
  }
  freeaddrinfo(found);
  HandleScope scope(thread);
  Handle array = scope.make(make_address_array(thread, static_cast<i32>(addresses.size())));
  if (array.is_null()) return nullptr;
  for (usize i = 0; i < addresses.size(); ++i) {
    Object* address = make_inet_address(thread, reinterpret_cast<sockaddr*>(&addresses[i]), nullptr, host);
    if (address == nullptr) return nullptr;
    barrier::store_element(array.get(), static_cast<i32>(i), address);
  }
  return array.get();
}

Object* host_of_address(JavaThread* thread, Handle bytes) MAY_SAFEPOINT {
  SocketAddress address{};
  if (bytes->length() == 4) {
    address.v4.sin_family = AF_INET;
    memcpy(&address.v4.sin_addr, bytes->elements<u8>(), 4);
    address.length = sizeof address.v4;
  } else {
    address.v6.sin6_family = AF_INET6;
    memcpy(&address.v6.sin6_addr, bytes->elements<u8>(), 16);
    address.length = sizeof address.v6;
  }
  char host[NI_MAXHOST + 1];
  int error;
  {
    NativeScope native(thread);
    error = getnameinfo(&address.any, address.length, host, sizeof host, nullptr, 0, NI_NAMEREQD);
  }
  if (error != 0)
    return throw_message(thread, Symbol::intern("java/net/UnknownHostException"), static_cast<const char*>(nullptr));
  return make_string_utf8(thread, host);
}

}  // namespace

bool InetAddressImplFactory_isIPv6Supported(JavaThread*) { return ipv6_available(); }
bool InetAddress_isIPv4Available(JavaThread*) {
  int number = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (number < 0) return false;
  close(number);
  return true;
}

Object* Inet4AddressImpl_getLocalHostName(JavaThread* thread, Handle) { return local_host_name(thread); }
Object* Inet4AddressImpl_lookupAllHostAddr(JavaThread* thread, Handle, Handle host) {
  return look_up_host(thread, host, AF_INET);
}
Object* Inet4AddressImpl_getHostByAddr(JavaThread* thread, Handle, Handle bytes) {
  return host_of_address(thread, bytes);
}
Object* Inet6AddressImpl_getLocalHostName(JavaThread* thread, Handle) { return local_host_name(thread); }
Object* Inet6AddressImpl_lookupAllHostAddr(JavaThread* thread, Handle, Handle host) {
  return look_up_host(thread, host, AF_UNSPEC);
}
// `wishes` has the bits of java.net.spi.InetAddressResolver.LookupPolicy.
Object* Inet6AddressImpl_lookupAllHostAddr_21(JavaThread* thread, Handle, Handle host, i32 wishes) {
  constexpr i32 ipv4 = 1, ipv6 = 2, ipv6_first = 8;
  int family = (wishes & (ipv4 | ipv6)) == ipv4 ? AF_INET : (wishes & (ipv4 | ipv6)) == ipv6 ? AF_INET6 : AF_UNSPEC;
  return look_up_host(thread, host, family, (wishes & ipv6_first) != 0);
}
Object* Inet6AddressImpl_getHostByAddr(JavaThread* thread, Handle, Handle bytes) {
  return host_of_address(thread, bytes);
}

// --- what the system says of domains, proxies and ports --------------------------------------------------------------

// The domain of unqualified names if /etc/resolv.conf has none: the domain of the host itself.
Object* ResolverConfigurationImpl_fallbackDomain0(JavaThread* thread) {
  char name[NI_MAXHOST + 1] = "";
  gethostname(name, sizeof name - 1);
  const char* dot = strchr(name, '.');
  return dot == nullptr ? nullptr : make_string_utf8(thread, dot + 1);
}
// It has no proxies and ports: the defaults apply.

bool DefaultProxySelector_init(JavaThread*) { return false; }
Object* DefaultProxySelector_getSystemProxies(JavaThread*, Handle, Handle, Handle) { return nullptr; }
i32 PortConfig_getLower0(JavaThread*) { return -1; }
i32 PortConfig_getUpper0(JavaThread*) { return -1; }

}  // namespace keyhole::natives
