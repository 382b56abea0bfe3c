// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Sockets: connects, listens, does the handshake, and transfers whole packets.
#include "vm/tools/jdwp/transport.h"

#include <fmt/format.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstring>

#include "runtime/base/mutex.h"

namespace keyhole::jdwp {
namespace {

constexpr std::string_view greeting = "JDWP-Handshake";
constexpr int handshake_milliseconds = 30'000;  // a client that sends nothing for this long is refused
constexpr u32 longest_packet = 256u << 20;

std::string complaint(int number, std::string_view what) {
  return fmt::format("ERROR: transport error {}: {}\n", number, what);
}
std::string failure(std::string_view what) { return complaint(202, fmt::format("{}: {}", what, strerror(errno))); }

struct Address {
  std::string host, port, problem;
  bool any = false;  // "*": all interfaces
};

// Parses an address: "port", ":port", "host:port", "[::1]:port", "*:port".
Address parse_address(std::string_view text) {
  Address address;
  usize colon = text.rfind(':');
  std::string_view host = colon == std::string_view::npos ? std::string_view() : text.substr(0, colon);
  std::string_view port = colon == std::string_view::npos ? text : text.substr(colon + 1);
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  u32 number = 0;
  auto [end, error] = std::from_chars(port.data(), port.data() + port.size(), number);
  if (error != std::errc() || end != port.data() + port.size() || number > 0xFFFF)
    address.problem = complaint(103, "invalid port number specified");
  address.any = host == "*";
  address.host = address.any ? "" : host;
  address.port = port;
  return address;
}

struct Resolved {
  addrinfo* list = nullptr;
  ~Resolved() {
    if (list != nullptr) freeaddrinfo(list);
  }
};

std::string resolve(const Address& address, bool to_listen, Resolved& resolved) {
  addrinfo hints = {};
  hints.ai_family = address.host.empty() ? AF_INET : AF_UNSPEC;
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_NUMERICSERV | (to_listen && address.any ? AI_PASSIVE : 0);
  // A null host means all interfaces if AI_PASSIVE is set, otherwise the loopback interface.
  const char* host = address.host.empty() ? nullptr : address.host.c_str();
  if (getaddrinfo(host, address.port.c_str(), &hints, &resolved.list) == 0) return {};
  return complaint(202, to_listen ? "getaddrinfo: failed to parse address" : "getaddrinfo: unknown host");
}

bool is_readable(int socket, i64 milliseconds) {
  pollfd wanted = {socket, POLLIN, 0};
  int ready;
  do ready = poll(&wanted, 1, milliseconds <= 0 ? -1 : static_cast<int>(std::min<i64>(milliseconds, INT32_MAX)));
  while (ready < 0 && errno == EINTR);
  return ready > 0;
}

bool read_fully(int socket, void* buffer, usize bytes) {
  for (char* to = static_cast<char*>(buffer); bytes > 0;) {
    ssize_t got = recv(socket, to, bytes, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    to += got;
    bytes -= static_cast<usize>(got);
  }
  return true;
}

bool write_fully(int socket, std::span<const u8> data) {
  while (!data.empty()) {
    ssize_t sent = send(socket, data.data(), data.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    data = data.subspan(static_cast<usize>(sent));
  }
  return true;
}

// Does the handshake: first the debugger sends the handshake text, then the VM sends it back.
bool shake_hands(int socket) {
  char heard[greeting.size()];
  for (usize i = 0; i < greeting.size(); ++i) {
    if (!is_readable(socket, handshake_milliseconds) || !read_fully(socket, &heard[i], 1) || heard[i] != greeting[i])
      return false;
  }
  return write_fully(socket, {reinterpret_cast<const u8*>(greeting.data()), greeting.size()});
}

void send_at_once(int socket) {
  int on = 1;
  setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

u32 big_endian(const u8* bytes) { return u32{bytes[0]} << 24 | u32{bytes[1]} << 16 | u32{bytes[2]} << 8 | bytes[3]; }

}  // namespace

std::string Transport::connect(const std::string& text, i64 timeout_milliseconds) {
  Address address = parse_address(text);
  if (!address.problem.empty()) return address.problem;
  Resolved resolved;
  if (std::string problem = resolve(address, false, resolved); !problem.empty()) return problem;
  std::string problem;
  for (addrinfo* each = resolved.list; each != nullptr; each = each->ai_next) {
    int made = socket(each->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (made < 0) return failure("socket");
    timeval patience = {timeout_milliseconds / 1000, timeout_milliseconds % 1000 * 1000};
    setsockopt(made, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);  // limits connect(), too
    if (::connect(made, each->ai_addr, each->ai_addrlen) != 0) {
      problem = failure("connect failed");
      close(made);
      continue;
    }
    patience = {};
    setsockopt(made, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    send_at_once(made);
    if (!shake_hands(made)) {
      close(made);
      return complaint(202, "handshake failed - connection prematurally closed");
    }
    connection_.store(made, std::memory_order_release);
    return {};
  }
  return problem;
}

std::string Transport::listen(const std::string& text) {
  Address address = parse_address(text.empty() ? "0" : std::string_view(text));
  if (!address.problem.empty()) return address.problem;
  Resolved resolved;
  if (std::string problem = resolve(address, true, resolved); !problem.empty()) return problem;
  listener_ = socket(resolved.list->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (listener_ < 0) return failure("socket");
  int on = 1;
  if (address.port != "0") setsockopt(listener_, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (bind(listener_, resolved.list->ai_addr, resolved.list->ai_addrlen) != 0) return failure("bind failed");
  if (::listen(listener_, 1) != 0) return failure("listen failed");
  sockaddr_storage bound = {};
  socklen_t bytes = sizeof bound;
  if (getsockname(listener_, reinterpret_cast<sockaddr*>(&bound), &bytes) != 0) return failure("getsockname");
  port_ = ntohs(bound.ss_family == AF_INET6 ? reinterpret_cast<sockaddr_in6*>(&bound)->sin6_port
                                            : reinterpret_cast<sockaddr_in*>(&bound)->sin_port);
  return {};
}

std::string Transport::accept(i64 timeout_milliseconds) {
  for (;;) {
    if (!is_readable(listener_, timeout_milliseconds)) return complaint(203, "timed out waiting for connection");
    int accepted = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    if (accepted < 0 && (errno == EINTR || errno == ECONNABORTED)) continue;
    if (accepted < 0) return failure("accept");
    send_at_once(accepted);
    if (shake_hands(accepted)) {
      connection_.store(accepted, std::memory_order_release);
      close(listener_);  // serves one debugger at a time: listens again when this debugger has disconnected
      listener_ = -1;
      return {};
    }
    close(accepted);
  }
}

bool Transport::read(Packet& packet) {
  int socket = connection_.load(std::memory_order_acquire);
  u8 header[header_bytes];
  if (socket < 0 || !read_fully(socket, header, header_bytes)) return false;
  u32 length = big_endian(header);
  if (length < header_bytes || length > longest_packet) return false;  // T2
  packet.id = big_endian(header + 4);
  packet.flags = header[8], packet.command_set = header[9], packet.command = header[10];
  packet.data.resize(length - header_bytes);
  return read_fully(socket, packet.data.data(), packet.data.size());
}

bool Transport::write(std::span<const u8> header, std::span<const u8> data) {
  std::vector<u8> whole(header.begin(), header.end());
  whole.insert(whole.end(), data.begin(), data.end());
  MutexLock guard(write_mutex_);
  int socket = connection_.load(std::memory_order_acquire);
  return socket >= 0 && write_fully(socket, whole);
}

bool Transport::write_command(u32 id, u8 command_set, u8 command, std::span<const u8> data) {
  Writer header;
  header.write_i32(static_cast<i32>(header_bytes + data.size()));
  header.write_i32(static_cast<i32>(id));
  header.write_u8(0);
  header.write_u8(command_set);
  header.write_u8(command);
  return write(header.bytes(), data);
}

bool Transport::write_reply(u32 id, Error error, std::span<const u8> data) {
  Writer header;
  header.write_i32(static_cast<i32>(header_bytes + data.size()));
  header.write_i32(static_cast<i32>(id));
  header.write_u8(reply_flag);
  header.write_u16(static_cast<u16>(error));
  return write(header.bytes(), data);
}

void Transport::hang_up() {
  MutexLock guard(write_mutex_);
  int socket = connection_.load(std::memory_order_acquire);
  if (socket >= 0) shutdown(socket, SHUT_RDWR);
}

void Transport::close_connection() {
  MutexLock guard(write_mutex_);
  int socket = connection_.exchange(-1);
  if (socket >= 0) close(socket);
}

}  // namespace keyhole::jdwp
