// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Creates the socket, serves it in a thread, and checks the clients: only the VM's user and root may connect.
//
//   R1: the number of the listening socket's descriptor never changes. If the socket is replaced, the new socket gets
//       the same descriptor number (dup3).
//   R2: only the Signal Dispatcher creates sockets; during boot, before that thread exists, the boot sequence does.
//       Only the listener's thread accepts connections.
#include "vm/tools/attach/listener.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <string>

#include "classlib/natives/java.base/lang/thread_lifecycle.h"
#include "runtime/base/flags.h"
#include "runtime/base/log.h"
#include "runtime/threads/thread_state.h"
#include "vm/link/exceptions.h"
#include "vm/link/release_behaviour.h"
#include "vm/tools/attach/operations.h"
#include "vm/tools/attach/request.h"

namespace keyhole::attach {

namespace {

std::atomic<int> listening{-1};  // -1: nobody has attached yet

std::string socket_path() { return fmt::format("/tmp/.java_pid{}", getpid()); }

bool is_us_or_root(uid_t user) { return user == geteuid() || user == 0; }

bool is_asked() {
  std::string name = fmt::format(".attach_pid{}", getpid());
  for (const std::string& path : {name, "/tmp/" + name}) {
    struct stat status;
    if (lstat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode) && is_us_or_root(status.st_uid)) return true;
  }
  return false;
}

bool socket_exists() {
  struct stat status;
  return lstat(socket_path().c_str(), &status) == 0 && S_ISSOCK(status.st_mode);
}

// Opens a listening socket at the path. Returns -1 on failure. Clients never see an incomplete socket: it is bound
// under a temporary name, made inaccessible to other users, and then renamed.
int open_socket() {
  std::string path = socket_path(), initial_path = path + ".tmp";
  int made = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (made < 0) return -1;
  sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = {}};
  initial_path.copy(address.sun_path, sizeof address.sun_path - 1);
  unlink(initial_path.c_str());
  constexpr int waiting_connections = 5;
  bool is_open = bind(made, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0 &&
                 chmod(initial_path.c_str(), 0600) == 0 && listen(made, waiting_connections) == 0 &&
                 rename(initial_path.c_str(), path.c_str()) == 0;
  if (is_open) return made;
  unlink(initial_path.c_str());
  close(made);
  return -1;
}

bool is_permitted(int connection) {
  ucred peer;
  socklen_t bytes = sizeof peer;
  if (getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &peer, &bytes) != 0) return false;
  return peer.uid == 0 || (peer.uid == geteuid() && peer.gid == getegid());
}

// Sets time limits on the connection. A tool that sends nothing, or does not read its reply, then cannot block other
// tools for ever.
void limit_waiting(int connection) {
  timeval reading = {.tv_sec = 10, .tv_usec = 0}, writing = {.tv_sec = 60, .tv_usec = 0};
  setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &reading, sizeof reading);
  setsockopt(connection, SOL_SOCKET, SO_SNDTIMEO, &writing, sizeof writing);
}

RequestParser::State read_request(int connection, RequestParser& parser) {
  char buffer[RequestParser::most_bytes];
  for (;;) {
    ssize_t count = recv(connection, buffer, sizeof buffer, 0);
    if (count < 0 && errno == EINTR) continue;
    // the client has disconnected, or has sent nothing for too long
    if (count <= 0) return RequestParser::State::malformed;
    RequestParser::State state = parser.take({buffer, static_cast<usize>(count)});
    if (state != RequestParser::State::incomplete) return state;
  }
}

void write_all(int connection, std::string_view text) {
  while (!text.empty()) {
    ssize_t count = send(connection, text.data(), text.size(), MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return;
    text.remove_prefix(static_cast<usize>(count));
  }
}

void serve(JavaThread* thread, int connection) MAY_SAFEPOINT {
  RequestParser parser(release::attaches_by_second_version());
  auto state = RequestParser::State::malformed;
  {
    NativeScope native(thread);
    limit_waiting(connection);
    if (is_permitted(connection)) state = read_request(connection, parser);
  }
  std::string text;
  if (state == RequestParser::State::other_version) {
    constexpr i32 bad_version = 101;
    text = fmt::format("{}\n", bad_version);
  } else if (state == RequestParser::State::complete) {
    KEYHOLE_LOG(debug, attach, "{} {}", parser.request().command, parser.request().arguments[0]);
    Answer answer = perform(thread, parser.request());
    text = fmt::format("{}\n", answer.result) + answer.text;
  }
  NativeScope native(thread);
  write_all(connection, text);
  shutdown(connection, SHUT_RDWR);
  close(connection);
}

void listen_to_tools(JavaThread* thread) MAY_SAFEPOINT {
  for (;;) {
    int connection;
    {
      NativeScope native(thread);
      connection = accept4(listening.load(std::memory_order_relaxed), nullptr, nullptr, SOCK_CLOEXEC);
      // After a failure that may be temporary, such as a lack of descriptors, the thread sleeps before the next
      // attempt. EINVAL means that the socket was replaced; then the thread accepts at the new socket at once.
      if (connection < 0 && errno != EINTR && errno != ECONNABORTED && errno != EINVAL) usleep(100'000);
    }
    if (connection >= 0) serve(thread, connection);
  }
}

// Starts the listener. Returns false if the socket cannot be created, or if the thread cannot be started; in the second
// case an exception is pending.
bool start(JavaThread* thread) MAY_SAFEPOINT {
  int made = open_socket();
  if (made < 0) {
    KEYHOLE_LOG(warning, attach, "no socket {}", socket_path());
    return false;
  }
  int old = listening.load(std::memory_order_relaxed);
  if (old < 0) {
    listening.store(made, std::memory_order_relaxed);
    if (natives::start_vm_thread(thread, "Attach Listener", listen_to_tools)) return true;
    listening.store(-1, std::memory_order_relaxed);
    remove_socket();
    close(made);
    return false;
  }
  // First replaces the descriptor, then wakes the thread that waits at the old socket. That thread then accepts at the
  // new socket (R1).
  int kept = dup(old);
  dup3(made, old, O_CLOEXEC);
  close(made);
  if (kept >= 0) {
    shutdown(kept, SHUT_RDWR);
    close(kept);
  }
  return true;
}

}  // namespace

bool initialize_listener(JavaThread* thread) {
  if (flags::DisableAttachMechanism) return true;
  std::string path = socket_path();
  struct stat status;
  if (lstat(path.c_str(), &status) == 0) unlink(path.c_str());
  return !flags::StartAttachListener || start(thread) || !has_exception(thread);
}

bool start_if_asked(JavaThread* thread) {
  if (flags::DisableAttachMechanism || !is_asked()) return false;
  if (listening.load(std::memory_order_relaxed) >= 0 && socket_exists()) return true;  // another tool was faster
  if (start(thread)) return true;
  if (has_exception(thread)) take_exception(thread);  // no thread can be started now, so the tool's attempt times out
  return false;
}

void remove_socket() {
  if (listening.load(std::memory_order_relaxed) >= 0) unlink(socket_path().c_str());
}

}  // namespace keyhole::attach
