// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// sun.tools.attach.VirtualMachineImpl: a tool's operations on another VM's socket. The VM's side is vm/tools/attach.
#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>

#include "classlib/natives/declarations.h"
#include "classlib/natives/java.base/io/io_support.h"
#include "vm/link/strings.h"

namespace keyhole::natives {

using namespace io;

i32 VirtualMachineImpl_socket(JavaThread* thread) {
  int made = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (made < 0) return throw_io(thread, errno, "socket");
  return made;
}

void VirtualMachineImpl_connect(JavaThread* thread, i32 socket, Handle path) {
  if (path.is_null()) {
    throw_null_pointer(thread);
    return;
  }
  std::string text = path_of(path);
  sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = {}};
  text.copy(address.sun_path, sizeof address.sun_path - 1);
  int error = 0;
  {
    NativeScope native(thread);
    auto call = [&] { return connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address); };
    if (restarting(call) != 0) error = errno;
  }
  if (error == ENOENT) throw_named(thread, "java/io/FileNotFoundException", text);
  else if (error != 0) throw_io(thread, error, "connect");
}

void VirtualMachineImpl_close(JavaThread* thread, i32 socket) {
  shutdown(socket, SHUT_RDWR);
  if (close(socket) != 0 && errno != EINTR) throw_io(thread, errno, "close");
}

// Reads bytes from the socket; -1 at the end.
i32 VirtualMachineImpl_read(JavaThread* thread, i32 socket, Handle bytes, i32 offset, i32 length) {
  if (!check_range(thread, bytes, offset, length)) return 0;
  TransferBuffer buffer(static_cast<usize>(length));
  ssize_t count;
  int error;
  {
    NativeScope native(thread);
    count = restarting([&] { return read(socket, buffer.data(), static_cast<usize>(length)); });
    error = errno;
  }
  if (count < 0) return throw_io(thread, error, "read");
  if (count == 0) return -1;
  copy_in(bytes, offset, buffer.data(), static_cast<usize>(count));
  return static_cast<i32>(count);
}

void VirtualMachineImpl_write(JavaThread* thread, i32 socket, Handle bytes, i32 offset, i32 length) {
  if (!check_range(thread, bytes, offset, length)) return;
  auto count = static_cast<usize>(length);
  TransferBuffer buffer(count);
  copy_out(bytes, offset, buffer.data(), count);
  int error = 0;
  {
    NativeScope native(thread);
    for (usize written = 0; written < count && error == 0;) {
      ssize_t now = restarting([&] { return send(socket, buffer.data() + written, count - written, MSG_NOSIGNAL); });
      if (now < 0) error = errno;
      else written += static_cast<usize>(now);
    }
  }
  if (error != 0) throw_io(thread, error, "write");
}

void VirtualMachineImpl_sendQuitTo(JavaThread* thread, i32 process) {
  if (kill(process, SIGQUIT) != 0) throw_io(thread, errno, "kill");
}

// Trusts the socket of another VM only if no other user can have made it.
void VirtualMachineImpl_checkPermissions(JavaThread* thread, Handle path) {
  if (path.is_null()) {
    throw_null_pointer(thread);
    return;
  }
  std::string text = path_of(path), problem;
  struct stat status;
  if (stat(text.c_str(), &status) != 0) {
    throw_io(thread, errno, "stat");
    return;
  }
  uid_t user = geteuid();
  gid_t group = getegid();
  constexpr mode_t of_others = S_IRGRP | S_IWGRP | S_IROTH | S_IWOTH;
  if (status.st_uid != user && user != 0) {
    problem =
        fmt::format("file should be owned by the current user (which is {}) but is owned by {}", user, status.st_uid);
  } else if (status.st_gid != group && user != 0) {
    problem =
        fmt::format("file's group should be the current group (which is {}) but the group is {}", group, status.st_gid);
  } else if ((status.st_mode & of_others) != 0) {
    problem = fmt::format("file should only be readable and writable by the owner but has 0{:03o} access",
                          status.st_mode & 0777);
  }
  if (!problem.empty())
    throw_io_message(thread, fmt::format("well-known file {} is not secure: {}", text, problem).c_str());
}

}  // namespace keyhole::natives
