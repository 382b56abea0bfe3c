// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// java.io.UnixFileSystem (behind java.io.File) and java.io.Console.
#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/time.h>
#include <termios.h>
#include <unistd.h>

#include <vector>

#include "classlib/natives/java.base/io/declarations.h"
#include "classlib/natives/java.base/io/io_support.h"
#include "gc/barrier.h"
#include "gc/heap/heap.h"

namespace keyhole::natives {
namespace {

using namespace io;

constinit const JavaField file_path("path", "Ljava/lang/String;");

std::string path_of_file(Handle file) TOUCHES_OBJECTS {
  Object* path = file_path.get_reference(file.get());
  return path == nullptr ? std::string() : string_to_utf8(path);
}

// realpath for a name whose tail need not exist: resolves the longest existing prefix, and normalises the rest as text.
// Empty with errno set when even the prefix cannot be resolved.
std::string canonical_path(const std::string& path) {
  char resolved[PATH_MAX];
  if (realpath(path.c_str(), resolved) != nullptr) return resolved;

  std::vector<std::string> tail;
  std::string head = path;
  for (;;) {
    while (head.size() > 1 && head.back() == '/') head.pop_back();
    usize slash = head.rfind('/');
    if (slash == std::string::npos) return {};
    tail.push_back(head.substr(slash + 1));
    head.resize(slash == 0 ? 1 : slash);
    if (realpath(head.c_str(), resolved) != nullptr) break;
    if (errno != ENOENT && errno != ENOTDIR && errno != EACCES) return {};
    if (head == "/") {
      strcpy(resolved, "/");
      break;
    }
  }
  std::string result = resolved;
  for (usize i = tail.size(); i-- > 0;) {
    const std::string& part = tail[i];
    if (part.empty() || part == ".") continue;
    if (part == "..") {
      usize slash = result.rfind('/');
      result.resize(slash == 0 || slash == std::string::npos ? 1 : slash);
      continue;
    }
    if (result.back() != '/') result += '/';
    result += part;
  }
  if (result.size() >= PATH_MAX) {
    errno = ENAMETOOLONG;
    return {};
  }
  return result;
}

}  // namespace

Object* UnixFileSystem_canonicalize0(JavaThread* thread, Handle, Handle path) {
  if (path.is_null()) return throw_null_pointer(thread);
  std::string text = path_of(path), result;
  int error;
  {
    NativeScope native(thread);
    result = canonical_path(text);
    error = errno;
  }
  if (result.empty()) return throw_io(thread, error, "Bad pathname");
  return make_string_utf8(thread, result);
}

i32 UnixFileSystem_getBooleanAttributes0(JavaThread* thread, Handle, Handle file) {
  constexpr i32 exists = 1, regular = 2, directory = 4;  // FileSystem.BA_*
  struct stat status;
  if (stat(path_of_file(file).c_str(), &status) != 0) return 0;
  return exists | (S_ISREG(status.st_mode) ? regular : 0) | (S_ISDIR(status.st_mode) ? directory : 0);
}

bool UnixFileSystem_checkAccess(JavaThread* thread, Handle, Handle file, i32 wanted) {
  // FileSystem.ACCESS_READ 4, WRITE 2, EXECUTE 1 are the same bits as those of access(2).
  static_assert(R_OK == 4 && W_OK == 2 && X_OK == 1);
  return ::access(path_of_file(file).c_str(), wanted) == 0;
}

i64 UnixFileSystem_getLastModifiedTime(JavaThread* thread, Handle, Handle file) {
  struct stat status;
  if (stat(path_of_file(file).c_str(), &status) != 0) return 0;
  return status.st_mtim.tv_sec * 1000 + status.st_mtim.tv_nsec / 1'000'000;
}

i64 UnixFileSystem_getLength(JavaThread* thread, Handle, Handle file) {
  struct stat status;
  return stat(path_of_file(file).c_str(), &status) == 0 ? status.st_size : 0;
}

bool UnixFileSystem_setPermission(JavaThread* thread, Handle, Handle file, i32 permission, bool enable,
                                  bool owner_only) {
  mode_t bits = static_cast<mode_t>(permission & 7) << 6;
  if (!owner_only) bits |= bits >> 3 | bits >> 6;
  std::string path = path_of_file(file);
  struct stat status;
  if (stat(path.c_str(), &status) != 0) return false;
  mode_t mode = enable ? status.st_mode | bits : status.st_mode & ~bits;
  return restarting([&] { return chmod(path.c_str(), mode & 07777); }) == 0;
}

bool UnixFileSystem_createFileExclusively(JavaThread* thread, Handle, Handle path) {
  if (path.is_null()) return throw_null_pointer(thread);
  std::string text = path_of(path);
  if (text == "/") return false;
  int number, error;
  {
    NativeScope native(thread);
    number = restarting([&] { return open(text.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666); });
    error = errno;
    if (number >= 0) close(number);
  }
  if (number < 0 && error != EEXIST) return throw_io(thread, error, "Could not open file");
  return number >= 0;
}

bool UnixFileSystem_delete0(JavaThread* thread, Handle, Handle file) { return remove(path_of_file(file).c_str()) == 0; }
bool UnixFileSystem_createDirectory(JavaThread* thread, Handle, Handle file) {
  return mkdir(path_of_file(file).c_str(), 0777) == 0;
}
bool UnixFileSystem_rename0(JavaThread* thread, Handle, Handle from, Handle to) {
  return rename(path_of_file(from).c_str(), path_of_file(to).c_str()) == 0;
}

Object* UnixFileSystem_list(JavaThread* thread, Handle, Handle file) {
  std::string path = path_of_file(file);
  std::vector<std::string> names;
  {
    NativeScope native(thread);
    DIR* directory = opendir(path.c_str());
    if (directory == nullptr) return nullptr;
    while (dirent* entry = readdir(directory)) {
      if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0) names.emplace_back(entry->d_name);
    }
    closedir(directory);
  }
  Klass* string_class = resolve_class(thread, names::java_lang_String, boot_loader());
  if (string_class == nullptr) return nullptr;
  Klass* array_class = array_klass_of(thread, string_class);
  if (array_class == nullptr) return nullptr;
  HandleScope scope(thread);
  Handle array = scope.make(heap::allocate_array(thread, array_class, static_cast<i32>(names.size())));
  if (array.is_null()) return throw_out_of_memory(thread, "Java heap space");
  for (usize i = 0; i < names.size(); ++i) {
    Object* name = make_string_utf8(thread, names[i]);
    if (name == nullptr) return nullptr;
    barrier::store_element(array.get(), static_cast<i32>(i), name);
  }
  return array.get();
}

bool UnixFileSystem_setLastModifiedTime(JavaThread* thread, Handle, Handle file, i64 milliseconds) {
  struct timespec times[2] = {{0, UTIME_OMIT}, {milliseconds / 1000, milliseconds % 1000 * 1'000'000}};
  if (times[1].tv_nsec < 0) {
    times[1].tv_nsec += 1'000'000'000;
    times[1].tv_sec -= 1;
  }
  return utimensat(AT_FDCWD, path_of_file(file).c_str(), times, 0) == 0;
}

bool UnixFileSystem_setReadOnly(JavaThread* thread, Handle, Handle file) {
  std::string path = path_of_file(file);
  struct stat status;
  if (stat(path.c_str(), &status) != 0) return false;
  return restarting([&] { return chmod(path.c_str(), status.st_mode & 07777 & ~(S_IWUSR | S_IWGRP | S_IWOTH)); }) == 0;
}

i64 UnixFileSystem_getSpace(JavaThread* thread, Handle, Handle file, i32 kind) {
  struct statvfs status;
  if (statvfs(path_of_file(file).c_str(), &status) != 0) return 0;
  i64 unit = static_cast<i64>(status.f_frsize);
  switch (kind) {  // FileSystem.SPACE_TOTAL, FREE, USABLE
    case 0: return unit * static_cast<i64>(status.f_blocks);
    case 1: return unit * static_cast<i64>(status.f_bfree);
    default: return unit * static_cast<i64>(status.f_bavail);
  }
}

i64 UnixFileSystem_getNameMax0(JavaThread* thread, Handle, Handle path) {
  i64 length = pathconf(path_of(path).c_str(), _PC_NAME_MAX);
  return length != -1 ? length : _POSIX_NAME_MAX;
}

// --- Console ---------------------------------------------------------------------------------------------------------

Object* Console_encoding(JavaThread*) { return nullptr; }  // as the locale says

i32 Console_ttyStatus(JavaThread*) {
  i32 status = 0;  // bit n: file descriptor n is a terminal
  for (int number = 0; number <= 2; ++number)
    if (isatty(number)) status |= 1 << number;
  return status;
}

// Later updates of the library query each of the three streams; earlier ones whether input and output are both
// terminals.
bool Console_istty(JavaThread*) { return isatty(0) && isatty(1); }

bool Console_echo(JavaThread* thread, bool on) {
  termios settings;
  int terminal = fileno(stdin);
  if (tcgetattr(terminal, &settings) != 0) return throw_io(thread, errno, "tcgetattr failed");
  bool before = (settings.c_lflag & ECHO) != 0;
  if (on) settings.c_lflag |= ECHO;
  else settings.c_lflag &= ~static_cast<tcflag_t>(ECHO);
  if (tcsetattr(terminal, TCSANOW, &settings) != 0) return throw_io(thread, errno, "tcsetattr failed");
  return before;
}

}  // namespace keyhole::natives
