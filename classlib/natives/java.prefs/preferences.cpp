// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// java.util.prefs.FileSystemPreferences: locks and modes of the files that keep the preferences.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "classlib/natives/declarations.h"
#include "classlib/natives/support.h"

namespace keyhole::natives {

// Returns {file descriptor, error}. The descriptor is 0 when the file could not be opened or locked. Never waits.
Object* FileSystemPreferences_lockFile0(JavaThread* thread, Handle path, i32 mode, bool shared) {
  std::string file = string_to_utf8(path.get());
  mode_t old_mask = umask(0);
  int descriptor = shared ? open(file.c_str(), O_RDONLY | O_CLOEXEC)
                          : open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, static_cast<mode_t>(mode));
  int error = descriptor < 0 ? errno : 0;
  umask(old_mask);
  if (descriptor >= 0) {
    struct flock lock{};
    lock.l_type = shared ? F_RDLCK : F_WRLCK;
    lock.l_whence = SEEK_SET;
    if (fcntl(descriptor, F_SETLK, &lock) < 0) {
      error = errno;
      close(descriptor);
      descriptor = -1;
    }
  }
  Object* result = new_primitive_array(thread, BasicType::Int, 2);
  if (result == nullptr) {
    if (descriptor >= 0) close(descriptor);
    return nullptr;
  }
  result->elements<i32>()[0] = descriptor < 0 ? 0 : descriptor;
  result->elements<i32>()[1] = error;
  return result;
}

// Returns 0 or the error.
i32 FileSystemPreferences_unlockFile0(JavaThread*, i32 descriptor) {
  struct flock lock{};
  lock.l_type = F_UNLCK;
  lock.l_whence = SEEK_SET;
  if (fcntl(descriptor, F_SETLK, &lock) < 0) {
    int error = errno;
    close(descriptor);
    return error;
  }
  return close(descriptor) < 0 ? errno : 0;
}

i32 FileSystemPreferences_chmod(JavaThread*, Handle path, i32 mode) {
  return chmod(string_to_utf8(path.get()).c_str(), static_cast<mode_t>(mode)) < 0 ? errno : 0;
}

}  // namespace keyhole::natives
