// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// java.net.NetworkInterface: the interfaces that have an address, in the kernel's order.
//
//   1. IPv4 addresses, in the order of SIOCGIFCONF      2. IPv6 addresses, in the order of /proc/net/if_inet6
//
// Each new interface is put before those already in the list, and each address before the others of its interface.
// Programs see this order, so it must be that of the JDK's library: the interface found last comes first, and its IPv6
// addresses come before its IPv4 ones. An interface without an address is not listed.
// "eth0:1" (an alias of eth0 with an address of its own) is a child of eth0; both have the address.
#include <net/if.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <deque>
#include <vector>

#include "classlib/natives/java.base/io/declarations.h"
#include "classlib/natives/java.base/io/inet_address.h"
#include "classlib/natives/support.h"

namespace keyhole::natives {

using namespace io;

namespace {

// Queries an interface by ioctl, which works with any socket.
class Inquiry {
 public:
  Inquiry() : number_(socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0)) {}
  ~Inquiry() {
    if (number_ >= 0) close(number_);
  }
  Inquiry(const Inquiry&) = delete;
  Inquiry& operator=(const Inquiry&) = delete;
  // Makes a query. False: it failed, and errno says why.
  bool ask(const std::string& name, unsigned long request, ifreq& answer) const {
    answer = {};
    strncpy(answer.ifr_name, name.c_str(), IF_NAMESIZE - 1);
    return ioctl(number_, request, &answer) >= 0;
  }
  std::vector<ifreq> ipv4_addresses() const {
    std::vector<ifreq> result;
    for (usize room = 16;; room *= 2) {
      result.resize(room);
      ifconf request{};
      request.ifc_len = static_cast<int>(room * sizeof(ifreq));
      request.ifc_req = result.data();
      if (ioctl(number_, SIOCGIFCONF, &request) < 0) return {};
      usize count = static_cast<usize>(request.ifc_len) / sizeof(ifreq);
      if (count == room) continue;  // perhaps there are more
      result.resize(count);
      return result;
    }
  }

 private:
  int number_;
};

struct BoundAddress {
  u8 bytes[16];
  u32 length;  // 4 or 16 bytes
  i16 prefix_bits = 0;
  bool has_broadcast = false;
  u8 broadcast[4] = {};
};

struct Interface {
  std::string name;
  i32 index = 0;
  bool is_alias = false;
  std::deque<BoundAddress> addresses;
  std::deque<Interface> aliases;
};
using Interfaces = std::deque<Interface>;

Interface& find_or_add(Interfaces& list, const std::string& name, bool is_alias) {
  for (Interface& each : list)
    if (each.name == name) return each;
  Interface& added = list.emplace_front();
  added.name = name;
  added.index = static_cast<i32>(if_nametoindex(name.c_str()));
  added.is_alias = is_alias;
  return added;
}

void add_address(Interfaces& list, const std::string& name, const BoundAddress& address, const Inquiry& inquiry) {
  std::string owner = name.substr(0, name.find(':'));
  ifreq flags;
  bool is_alias = owner != name;
  bool has_owner = !is_alias || inquiry.ask(owner, SIOCGIFFLAGS, flags);
  Interface& interface = find_or_add(list, has_owner ? owner : name, is_alias && !has_owner);
  interface.addresses.push_front(address);
  if (is_alias && has_owner) find_or_add(interface.aliases, name, true).addresses.push_front(address);
}

void add_ipv4(Interfaces& list, const Inquiry& inquiry) {
  auto bytes_of = [](const sockaddr& address) { return &reinterpret_cast<const sockaddr_in&>(address).sin_addr; };
  for (const ifreq& each : inquiry.ipv4_addresses()) {
    if (each.ifr_addr.sa_family != AF_INET) continue;
    std::string name(each.ifr_name, strnlen(each.ifr_name, IF_NAMESIZE));
    BoundAddress address{};
    address.length = 4;
    memcpy(address.bytes, bytes_of(each.ifr_addr), 4);
    ifreq answer;
    bool broadcasts = inquiry.ask(name, SIOCGIFFLAGS, answer) && (answer.ifr_flags & IFF_BROADCAST) != 0;
    if (broadcasts && inquiry.ask(name, SIOCGIFBRDADDR, answer)) {
      address.has_broadcast = true;
      memcpy(address.broadcast, bytes_of(answer.ifr_broadaddr), 4);
    }
    if (inquiry.ask(name, SIOCGIFNETMASK, answer))
      address.prefix_bits = static_cast<i16>(__builtin_popcount(bytes_of(answer.ifr_netmask)->s_addr));
    add_address(list, name, address, inquiry);
  }
}

// Parses a line: 32 hexadecimal digits, then index, prefix length, scope, flags (all hexadecimal) and the name.
void add_ipv6(Interfaces& list, const Inquiry& inquiry) {
  FILE* file = fopen("/proc/net/if_inet6", "re");
  if (file == nullptr) return;
  char digits[33], name[IF_NAMESIZE];
  unsigned index, prefix_bits, scope, flags;
  while (fscanf(file, "%32s %x %x %x %x %15s", digits, &index, &prefix_bits, &scope, &flags, name) == 6) {
    BoundAddress address{};
    address.length = 16;
    address.prefix_bits = static_cast<i16>(prefix_bits);
    for (u32 i = 0; i < 16; ++i) {
      char pair[3] = {digits[2 * i], digits[2 * i + 1], 0};
      address.bytes[i] = static_cast<u8>(strtoul(pair, nullptr, 16));
    }
    add_address(list, name, address, inquiry);
  }
  fclose(file);
}

Interfaces list_interfaces() {
  Interfaces list;
  Inquiry inquiry;
  add_ipv4(list, inquiry);
  if (ipv6_available()) add_ipv6(list, inquiry);
  return list;
}

// --- as Java objects -------------------------------------------------------------------------------------------

constinit const JavaField interface_name("name", "Ljava/lang/String;"),
    interface_display("displayName", "Ljava/lang/String;"), interface_index("index", "I"),
    interface_virtual("virtual", "Z"), interface_addresses("addrs", "[Ljava/net/InetAddress;"),
    interface_bindings("bindings", "[Ljava/net/InterfaceAddress;"),
    interface_children("childs", "[Ljava/net/NetworkInterface;"),
    interface_parent("parent", "Ljava/net/NetworkInterface;");
constinit const JavaField binding_address("address", "Ljava/net/InetAddress;"),
    binding_broadcast("broadcast", "Ljava/net/Inet4Address;"), binding_mask("maskLength", "S");
constinit const JavaField inet6_holder("holder6", "Ljava/net/Inet6Address$Inet6AddressHolder;"),
    holder_interface("scope_ifname", "Ljava/net/NetworkInterface;");

InstanceKlass* initialized_class(JavaThread* thread, const char* name) MAY_SAFEPOINT {
  Klass* klass = resolve_class(thread, Symbol::intern(name), boot_loader());
  return klass != nullptr && initialize_class(thread, klass->as_instance()) ? klass->as_instance() : nullptr;
}
Object* new_array_of(JavaThread* thread, const char* element, usize length) MAY_SAFEPOINT {
  Klass* klass = initialized_class(thread, element);
  return klass == nullptr ? nullptr : new_reference_array(thread, klass, static_cast<i32>(length));
}

// Every IPv6 address has the interface as its scope: it prints as "::1%lo".
Object* make_address(JavaThread* thread, const BoundAddress& address, Handle interface) MAY_SAFEPOINT {
  bool is_ipv6 = address.length == 16;
  u32 scope_id = is_ipv6 ? static_cast<u32>(interface_index.get<i32>(interface.get())) : 0;
  HandleScope scope(thread);
  Handle made = scope.make(make_inet_address(thread, address.bytes, address.length, scope_id, Handle()));
  if (made.is_null()) return nullptr;
  if (scope_id != 0) holder_interface.set_reference(inet6_holder.get_reference(made.get()), interface.get());
  return made.get();
}

Object* make_binding(JavaThread* thread, const BoundAddress& address, Handle made) MAY_SAFEPOINT {
  InstanceKlass* klass = initialized_class(thread, "java/net/InterfaceAddress");
  if (klass == nullptr) return nullptr;
  HandleScope scope(thread);
  Handle binding = scope.make(new_instance(thread, klass));
  if (binding.is_null()) return nullptr;
  binding_address.set_reference(binding.get(), made.get());
  binding_mask.set<i16>(binding.get(), address.prefix_bits);
  if (address.has_broadcast) {
    Object* broadcast = make_inet_address(thread, address.broadcast, 4, 0, Handle());
    if (broadcast == nullptr) return nullptr;
    binding_broadcast.set_reference(binding.get(), broadcast);
  }
  return binding.get();
}

Object* make_interface(JavaThread* thread, const Interface& interface) MAY_SAFEPOINT;

// Fills the array of child interfaces. False: an exception is pending.
bool fill_children(JavaThread* thread, const Interface& interface, Handle result) MAY_SAFEPOINT {
  HandleScope scope(thread);
  Handle children = scope.make(new_array_of(thread, "java/net/NetworkInterface", interface.aliases.size()));
  if (children.is_null()) return false;
  interface_children.set_reference(result.get(), children.get());
  for (usize i = 0; i < interface.aliases.size(); ++i) {
    Object* child = make_interface(thread, interface.aliases[i]);
    if (child == nullptr) return false;
    interface_parent.set_reference(child, result.get());
    barrier::store_element(children.get(), static_cast<i32>(i), child);
  }
  return true;
}

Object* make_interface(JavaThread* thread, const Interface& interface) {
  InstanceKlass* klass = initialized_class(thread, "java/net/NetworkInterface");
  if (klass == nullptr) return nullptr;
  HandleScope scope(thread);
  Handle result = scope.make(new_instance(thread, klass));
  if (result.is_null()) return nullptr;
  Handle text = scope.make(make_string_utf8(thread, interface.name));
  if (text.is_null()) return nullptr;
  interface_name.set_reference(result.get(), text.get());
  interface_display.set_reference(result.get(), text.get());
  interface_index.set<i32>(result.get(), interface.index);
  interface_virtual.set<u8>(result.get(), interface.is_alias);
  Handle addresses = scope.make(new_array_of(thread, "java/net/InetAddress", interface.addresses.size()));
  if (addresses.is_null()) return nullptr;
  interface_addresses.set_reference(result.get(), addresses.get());
  Handle bindings = scope.make(new_array_of(thread, "java/net/InterfaceAddress", interface.addresses.size()));
  if (bindings.is_null()) return nullptr;
  interface_bindings.set_reference(result.get(), bindings.get());
  for (usize i = 0; i < interface.addresses.size(); ++i) {
    HandleScope each(thread);
    Handle address = each.make(make_address(thread, interface.addresses[i], result));
    if (address.is_null()) return nullptr;
    barrier::store_element(addresses.get(), static_cast<i32>(i), address.get());
    Object* binding = make_binding(thread, interface.addresses[i], address);
    if (binding == nullptr) return nullptr;
    barrier::store_element(bindings.get(), static_cast<i32>(i), binding);
  }
  return fill_children(thread, interface, result) ? result.get() : nullptr;
}

// Finds the interface with this address. Null: there is none, or an exception is pending.
const Interface* find_by_address(JavaThread* thread, const Interfaces& list, Handle address) MAY_SAFEPOINT {
  bool is_ipv6 = address->klass()->name->text() == "java/net/Inet6Address";
  SocketAddress wanted;
  if (!to_socket_address(thread, address, 0, is_ipv6, wanted)) return nullptr;
  const void* bytes = is_ipv6 ? static_cast<const void*>(&wanted.v6.sin6_addr) : &wanted.v4.sin_addr;
  for (const Interface& each : list)
    for (const BoundAddress& bound : each.addresses)
      if (bound.length == (is_ipv6 ? 16u : 4u) && memcmp(bound.bytes, bytes, bound.length) == 0) return &each;
  return nullptr;
}

// Queries an interface by its name. False: the interface is gone, and a SocketException is pending.
bool ask_interface(JavaThread* thread, Handle name, unsigned long request, ifreq& answer) MAY_SAFEPOINT {
  std::string text = string_to_utf8(name.get());
  Inquiry inquiry;
  if (inquiry.ask(text, request, answer) || inquiry.ask(text.substr(0, text.find(':')), request, answer)) return true;
  throw_named(thread, "java/net/SocketException", error_text(errno));
  return false;
}
bool has_flags(JavaThread* thread, Handle name, int wanted) MAY_SAFEPOINT {
  ifreq answer;
  return ask_interface(thread, name, SIOCGIFFLAGS, answer) && (answer.ifr_flags & wanted) == wanted;
}

}  // namespace

Object* NetworkInterface_getAll(JavaThread* thread) {
  Interfaces all = list_interfaces();
  HandleScope scope(thread);
  Handle array = scope.make(new_array_of(thread, "java/net/NetworkInterface", all.size()));
  if (array.is_null()) return nullptr;
  for (usize i = 0; i < all.size(); ++i) {
    Object* made = make_interface(thread, all[i]);
    if (made == nullptr) return nullptr;
    barrier::store_element(array.get(), static_cast<i32>(i), made);
  }
  return array.get();
}
Object* NetworkInterface_getByName0(JavaThread* thread, Handle name) {
  std::string wanted = string_to_utf8(name.get());
  for (const Interface& each : list_interfaces()) {
    if (each.name == wanted) return make_interface(thread, each);
    for (const Interface& alias : each.aliases)
      if (alias.name == wanted) return make_interface(thread, alias);
  }
  return nullptr;
}
Object* NetworkInterface_getByIndex0(JavaThread* thread, i32 index) {
  for (const Interface& each : list_interfaces())
    if (each.index == index) return make_interface(thread, each);
  return nullptr;
}
Object* NetworkInterface_getByInetAddress0(JavaThread* thread, Handle address) {
  Interfaces all = list_interfaces();
  const Interface* found = find_by_address(thread, all, address);
  return found == nullptr ? nullptr : make_interface(thread, *found);
}
bool NetworkInterface_boundInetAddress0(JavaThread* thread, Handle address) {
  return find_by_address(thread, list_interfaces(), address) != nullptr;
}

bool NetworkInterface_isUp0(JavaThread* thread, Handle name, i32) {
  return has_flags(thread, name, IFF_UP | IFF_RUNNING);
}
bool NetworkInterface_isLoopback0(JavaThread* thread, Handle name, i32) {
  return has_flags(thread, name, IFF_LOOPBACK);
}
bool NetworkInterface_supportsMulticast0(JavaThread* thread, Handle name, i32) {
  return has_flags(thread, name, IFF_MULTICAST);
}
bool NetworkInterface_isP2P0(JavaThread* thread, Handle name, i32) { return has_flags(thread, name, IFF_POINTOPOINT); }

// Null without an exception: the interface has no hardware address, like the loopback interface.
Object* NetworkInterface_getMacAddr0(JavaThread* thread, Handle, Handle name, i32) {
  ifreq answer;
  Inquiry inquiry;
  if (!inquiry.ask(string_to_utf8(name.get()), SIOCGIFHWADDR, answer)) return nullptr;
  const char* bytes = answer.ifr_hwaddr.sa_data;
  for (int i = 0; i < 6; ++i)
    if (bytes[i] != 0) return make_byte_array(thread, bytes, 6);
  return nullptr;
}
i32 NetworkInterface_getMTU0(JavaThread* thread, Handle name, i32) {
  ifreq answer;
  return ask_interface(thread, name, SIOCGIFMTU, answer) ? answer.ifr_mtu : 0;
}

}  // namespace keyhole::natives
