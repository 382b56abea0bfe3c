// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// sun.nio.fs: UnixNativeDispatcher, UnixCopyFile, LinuxNativeDispatcher and LinuxWatchService, behind
// java.nio.file.Files.
//
// Paths and buffers are addresses of native memory that Java code owns; a failed call throws UnixException(errno),
// which Java turns into NoSuchFileException and its relatives.
#include <dirent.h>
#include <fcntl.h>
#include <grp.h>
#include <limits.h>
#include <mntent.h>
#include <poll.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/sysmacros.h>
#include <sys/time.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <vector>

#include "classlib/natives/java.base/io/declarations.h"
#include "classlib/natives/java.base/io/io_support.h"
#include "classlib/natives/uncontrolled.h"
#include "gc/heap/heap.h"
#include "runtime/threads/no_safepoint.h"

namespace keyhole::natives {
namespace {

using namespace io;

// Runs call() outside managed code, and repeats it while signals interrupt it. -1: a UnixException is pending.
template <typename Call> auto system_call(JavaThread* thread, Call&& call) MAY_SAFEPOINT {
  decltype(call()) result;
  int error;
  {
    NativeScope native(thread);
    result = restarting(call);
    error = errno;
  }
  if (result == -1) throw_unix(thread, error);
  return result;
}

constinit const JavaField st_mode("st_mode", "I"), st_ino("st_ino", "J"), st_dev("st_dev", "J"),
    st_rdev("st_rdev", "J"), st_nlink("st_nlink", "I"), st_uid("st_uid", "I"), st_gid("st_gid", "I"),
    st_size("st_size", "J"), st_atime_sec("st_atime_sec", "J"), st_atime_nsec("st_atime_nsec", "J"),
    st_mtime_sec("st_mtime_sec", "J"), st_mtime_nsec("st_mtime_nsec", "J"), st_ctime_sec("st_ctime_sec", "J"),
    st_ctime_nsec("st_ctime_nsec", "J");

void fill_attributes(Handle attributes, const struct stat& status) TOUCHES_OBJECTS {
  NoSafepoint no_safepoint;
  Object* object = attributes.get();
  st_mode.set<i32>(object, static_cast<i32>(status.st_mode));
  st_ino.set<i64>(object, static_cast<i64>(status.st_ino));
  st_dev.set<i64>(object, static_cast<i64>(status.st_dev));
  st_rdev.set<i64>(object, static_cast<i64>(status.st_rdev));
  st_nlink.set<i32>(object, static_cast<i32>(status.st_nlink));
  st_uid.set<i32>(object, static_cast<i32>(status.st_uid));
  st_gid.set<i32>(object, static_cast<i32>(status.st_gid));
  st_size.set<i64>(object, status.st_size);
  st_atime_sec.set<i64>(object, status.st_atim.tv_sec);
  st_atime_nsec.set<i64>(object, status.st_atim.tv_nsec);
  st_mtime_sec.set<i64>(object, status.st_mtim.tv_sec);
  st_mtime_nsec.set<i64>(object, status.st_mtim.tv_nsec);
  st_ctime_sec.set<i64>(object, status.st_ctim.tv_sec);
  st_ctime_nsec.set<i64>(object, status.st_ctim.tv_nsec);
}

template <typename Call> void stat_into(JavaThread* thread, Handle attributes, Call&& call) MAY_SAFEPOINT {
  struct stat status;
  if (system_call(thread, [&] { return call(&status); }) == 0) fill_attributes(attributes, status);
}

timespec timespec_of(i64 nanoseconds) {
  timespec result{nanoseconds / 1'000'000'000, nanoseconds % 1'000'000'000};
  if (result.tv_nsec < 0) {
    result.tv_nsec += 1'000'000'000;
    result.tv_sec -= 1;
  }
  return result;
}
// The times of UnixFileAttributes are microseconds since 1970 here.
timeval timeval_of(i64 microseconds) {
  timeval result{microseconds / 1'000'000, microseconds % 1'000'000};
  if (result.tv_usec < 0) {
    result.tv_usec += 1'000'000;
    result.tv_sec -= 1;
  }
  return result;
}

}  // namespace

// The optional calls all exist on Linux; birth times are not reported, as in JDK 17.
i32 UnixNativeDispatcher_init(JavaThread*) {
  constexpr i32 openat = 1 << 1, futimes = 1 << 2, futimens = 1 << 3, lutimes = 1 << 4, xattr = 1 << 5;
  return openat | futimes | futimens | lutimes | xattr;
}

Object* UnixNativeDispatcher_getcwd(JavaThread* thread) {
  char path[PATH_MAX];
  if (getcwd(path, sizeof path) == nullptr) return throw_unix(thread, errno);
  return make_byte_array(thread, path, strlen(path));
}

// --- open files ------------------------------------------------------------------------------------------------------

i32 UnixNativeDispatcher_dup(JavaThread* thread, i32 number) {
  return system_call(thread, [&] { return fcntl(number, F_DUPFD_CLOEXEC, 0); });
}
i32 UnixNativeDispatcher_open0(JavaThread* thread, i64 path, i32 flags, i32 mode) {
  uncontrolled::check_open(thread, native_path(path), flags);
  return system_call(thread, [&] { return open(native_path(path), flags | O_CLOEXEC, static_cast<mode_t>(mode)); });
}
i32 UnixNativeDispatcher_openat0(JavaThread* thread, i32 directory, i64 path, i32 flags, i32 mode) {
  uncontrolled::check_open(thread, native_path(path), flags);
  return system_call(
      thread, [&] { return openat(directory, native_path(path), flags | O_CLOEXEC, static_cast<mode_t>(mode)); });
}
void UnixNativeDispatcher_close0(JavaThread* thread, i32 number) {
  int result, error;
  {
    NativeScope native(thread);
    result = close(number);
    error = errno;
  }
  if (result == -1 && error != EINTR) throw_unix(thread, error);
}
i32 UnixNativeDispatcher_read(JavaThread* thread, i32 number, i64 buffer, i32 count) {
  return static_cast<i32>(
      system_call(thread, [&] { return read(number, native_address<void>(buffer), static_cast<usize>(count)); }));
}
i32 UnixNativeDispatcher_write(JavaThread* thread, i32 number, i64 buffer, i32 count) {
  return static_cast<i32>(
      system_call(thread, [&] { return write(number, native_address<void>(buffer), static_cast<usize>(count)); }));
}
// `file` is the FILE* of setmntent. The JDK reads /etc/mtab line by line to determine the size of its buffers.
void UnixNativeDispatcher_rewind(JavaThread*, i64 file) { rewind(native_address<FILE>(file)); }
i32 UnixNativeDispatcher_getlinelen(JavaThread* thread, i64 file) {
  char* line = nullptr;
  usize capacity = 0;
  ssize_t length = getline(&line, &capacity, native_address<FILE>(file));
  free(line);
  if (length == -1 && !feof(native_address<FILE>(file))) throw_unix(thread, errno);
  return static_cast<i32>(length);
}

// --- names -----------------------------------------------------------------------------------------------------------

void UnixNativeDispatcher_link0(JavaThread* thread, i64 existing, i64 added) {
  system_call(thread, [&] { return link(native_path(existing), native_path(added)); });
}
void UnixNativeDispatcher_unlink0(JavaThread* thread, i64 path) {
  system_call(thread, [&] { return unlink(native_path(path)); });
}
void UnixNativeDispatcher_unlinkat0(JavaThread* thread, i32 directory, i64 path, i32 flags) {
  system_call(thread, [&] { return unlinkat(directory, native_path(path), flags); });
}
void UnixNativeDispatcher_mknod0(JavaThread* thread, i64 path, i32 mode, i64 device) {
  system_call(thread, [&] { return mknod(native_path(path), static_cast<mode_t>(mode), static_cast<dev_t>(device)); });
}
void UnixNativeDispatcher_rename0(JavaThread* thread, i64 from, i64 to) {
  system_call(thread, [&] { return rename(native_path(from), native_path(to)); });
}
void UnixNativeDispatcher_renameat0(JavaThread* thread, i32 from_directory, i64 from, i32 to_directory, i64 to) {
  system_call(thread, [&] { return renameat(from_directory, native_path(from), to_directory, native_path(to)); });
}
void UnixNativeDispatcher_mkdir0(JavaThread* thread, i64 path, i32 mode) {
  system_call(thread, [&] { return mkdir(native_path(path), static_cast<mode_t>(mode)); });
}
void UnixNativeDispatcher_rmdir0(JavaThread* thread, i64 path) {
  system_call(thread, [&] { return rmdir(native_path(path)); });
}
Object* UnixNativeDispatcher_readlink0(JavaThread* thread, i64 path) {
  char target[PATH_MAX + 1];
  ssize_t length = system_call(thread, [&] { return readlink(native_path(path), target, sizeof target); });
  if (length == -1) return nullptr;
  if (length == sizeof target) return throw_unix(thread, ENAMETOOLONG);
  return make_byte_array(thread, target, static_cast<usize>(length));
}
Object* UnixNativeDispatcher_realpath0(JavaThread* thread, i64 path) {
  char resolved[PATH_MAX];
  bool found;
  int error;
  {
    NativeScope native(thread);
    found = realpath(native_path(path), resolved) != nullptr;
    error = errno;
  }
  if (!found) return throw_unix(thread, error);
  return make_byte_array(thread, resolved, strlen(resolved));
}
void UnixNativeDispatcher_symlink0(JavaThread* thread, i64 target, i64 link) {
  system_call(thread, [&] { return symlink(native_path(target), native_path(link)); });
}

// --- attributes ------------------------------------------------------------------------------------------------------

void UnixNativeDispatcher_stat0(JavaThread* thread, i64 path, Handle attributes) {
  stat_into(thread, attributes, [&](struct stat* status) { return stat(native_path(path), status); });
}
// Returns the mode, or 0 without an exception when there is no such file.
i32 UnixNativeDispatcher_stat1(JavaThread* thread, i64 path) {
  struct stat status;
  NativeScope native(thread);
  return restarting([&] { return stat(native_path(path), &status); }) == 0 ? static_cast<i32>(status.st_mode) : 0;
}
void UnixNativeDispatcher_lstat0(JavaThread* thread, i64 path, Handle attributes) {
  stat_into(thread, attributes, [&](struct stat* status) { return lstat(native_path(path), status); });
}
void UnixNativeDispatcher_fstat(JavaThread* thread, i32 number, Handle attributes) {
  stat_into(thread, attributes, [&](struct stat* status) { return fstat(number, status); });
}
void UnixNativeDispatcher_fstatat0(JavaThread* thread, i32 directory, i64 path, i32 flags, Handle attributes) {
  stat_into(thread, attributes,
            [&](struct stat* status) { return fstatat(directory, native_path(path), status, flags); });
}
void UnixNativeDispatcher_chown0(JavaThread* thread, i64 path, i32 user, i32 group) {
  system_call(thread, [&] { return chown(native_path(path), static_cast<uid_t>(user), static_cast<gid_t>(group)); });
}
void UnixNativeDispatcher_lchown0(JavaThread* thread, i64 path, i32 user, i32 group) {
  system_call(thread, [&] { return lchown(native_path(path), static_cast<uid_t>(user), static_cast<gid_t>(group)); });
}
void UnixNativeDispatcher_fchown(JavaThread* thread, i32 number, i32 user, i32 group) {
  system_call(thread, [&] { return fchown(number, static_cast<uid_t>(user), static_cast<gid_t>(group)); });
}
void UnixNativeDispatcher_chmod0(JavaThread* thread, i64 path, i32 mode) {
  system_call(thread, [&] { return chmod(native_path(path), static_cast<mode_t>(mode)); });
}
void UnixNativeDispatcher_fchmod(JavaThread* thread, i32 number, i32 mode) {
  system_call(thread, [&] { return fchmod(number, static_cast<mode_t>(mode)); });
}
void UnixNativeDispatcher_utimes0(JavaThread* thread, i64 path, i64 access_micros, i64 modification_micros) {
  timeval times[2] = {timeval_of(access_micros), timeval_of(modification_micros)};
  system_call(thread, [&] { return utimes(native_path(path), times); });
}
void UnixNativeDispatcher_futimes(JavaThread* thread, i32 number, i64 access_micros, i64 modification_micros) {
  timeval times[2] = {timeval_of(access_micros), timeval_of(modification_micros)};
  system_call(thread, [&] { return futimes(number, times); });
}
void UnixNativeDispatcher_futimens(JavaThread* thread, i32 number, i64 access_nanos, i64 modification_nanos) {
  timespec times[2] = {timespec_of(access_nanos), timespec_of(modification_nanos)};
  system_call(thread, [&] { return futimens(number, times); });
}
void UnixNativeDispatcher_lutimes0(JavaThread* thread, i64 path, i64 access_micros, i64 modification_micros) {
  timeval times[2] = {timeval_of(access_micros), timeval_of(modification_micros)};
  system_call(thread, [&] { return lutimes(native_path(path), times); });
}
void UnixNativeDispatcher_access0(JavaThread* thread, i64 path, i32 mode) {
  system_call(thread, [&] { return ::access(native_path(path), mode); });
}
bool UnixNativeDispatcher_exists0(JavaThread* thread, i64 path) {
  NativeScope native(thread);
  return restarting([&] { return ::access(native_path(path), F_OK); }) == 0;
}
// Since 21 these return errno, or 0.
i32 UnixNativeDispatcher_access0_21(JavaThread* thread, i64 path, i32 mode) {
  NativeScope native(thread);
  return restarting([&] { return ::access(native_path(path), mode); }) == 0 ? 0 : errno;
}
i32 UnixNativeDispatcher_stat0_21(JavaThread* thread, i64 path, Handle attributes) {
  struct stat status;
  int error = 0;
  {
    NativeScope native(thread);
    if (restarting([&] { return stat(native_path(path), &status); }) != 0) error = errno;
  }
  if (error == 0) fill_attributes(attributes, status);
  return error;
}
void UnixNativeDispatcher_fchmodat0(JavaThread* thread, i32 directory, i64 path, i32 mode, i32 flags) {
  system_call(thread, [&] { return fchmodat(directory, native_path(path), static_cast<mode_t>(mode), flags); });
}
void UnixNativeDispatcher_utimensat0(JavaThread* thread, i32 directory, i64 path, i64 access_nanos,
                                     i64 modification_nanos, i32 flags) {
  timespec times[2] = {timespec_of(access_nanos), timespec_of(modification_nanos)};
  system_call(thread, [&] { return utimensat(directory, native_path(path), times, flags); });
}
void UnixNativeDispatcher_statvfs0(JavaThread* thread, i64 path, Handle attributes) {
  static constinit const JavaField f_frsize("f_frsize", "J"), f_blocks("f_blocks", "J"), f_bfree("f_bfree", "J"),
      f_bavail("f_bavail", "J");
  struct statvfs status;
  if (system_call(thread, [&] { return statvfs(native_path(path), &status); }) != 0) return;
  f_frsize.set<i64>(attributes.get(), static_cast<i64>(status.f_frsize));
  f_blocks.set<i64>(attributes.get(), static_cast<i64>(status.f_blocks));
  f_bfree.set<i64>(attributes.get(), static_cast<i64>(status.f_bfree));
  f_bavail.set<i64>(attributes.get(), static_cast<i64>(status.f_bavail));
}

i32 UnixNativeDispatcher_fgetxattr0(JavaThread* thread, i32 number, i64 name, i64 value, i32 length) {
  return static_cast<i32>(system_call(thread, [&] {
    return fgetxattr(number, native_path(name), native_address<void>(value), static_cast<usize>(length));
  }));
}
void UnixNativeDispatcher_fsetxattr0(JavaThread* thread, i32 number, i64 name, i64 value, i32 length) {
  system_call(thread, [&] {
    return fsetxattr(number, native_path(name), native_address<void>(value), static_cast<usize>(length), 0);
  });
}
void UnixNativeDispatcher_fremovexattr0(JavaThread* thread, i32 number, i64 name) {
  system_call(thread, [&] { return fremovexattr(number, native_path(name)); });
}
i32 UnixNativeDispatcher_flistxattr(JavaThread* thread, i32 number, i64 list, i32 size) {
  return static_cast<i32>(
      system_call(thread, [&] { return flistxattr(number, native_address<char>(list), static_cast<usize>(size)); }));
}

// --- directories -----------------------------------------------------------------------------------------------------

i64 UnixNativeDispatcher_opendir0(JavaThread* thread, i64 path) {
  DIR* directory;
  int error;
  {
    NativeScope native(thread);
    directory = opendir(native_path(path));
    error = errno;
  }
  if (directory == nullptr) {
    throw_unix(thread, error);
    return 0;
  }
  return static_cast<i64>(reinterpret_cast<uptr>(directory));
}
i64 UnixNativeDispatcher_fdopendir(JavaThread* thread, i32 number) {
  DIR* directory = fdopendir(number);
  if (directory == nullptr) {
    throw_unix(thread, errno);
    return 0;
  }
  return static_cast<i64>(reinterpret_cast<uptr>(directory));
}
void UnixNativeDispatcher_closedir(JavaThread* thread, i64 directory) {
  if (closedir(native_address<DIR>(directory)) == -1 && errno != EINTR) throw_unix(thread, errno);
}
// Returns the next name, or null at the end.
Object* UnixNativeDispatcher_readdir(JavaThread* thread, i64 directory) {
  dirent* entry;
  int error;
  {
    NativeScope native(thread);
    errno = 0;
    entry = readdir(native_address<DIR>(directory));
    error = errno;
  }
  if (entry == nullptr) {
    if (error != 0) throw_unix(thread, error);
    return nullptr;
  }
  return make_byte_array(thread, entry->d_name, strlen(entry->d_name));
}

// --- users and groups ------------------------------------------------------------------------------------------------

Object* UnixNativeDispatcher_getpwuid(JavaThread* thread, i32 user) {
  char buffer[16384];
  passwd entry, *found = nullptr;
  int error;
  {
    NativeScope native(thread);
    error = getpwuid_r(static_cast<uid_t>(user), &entry, buffer, sizeof buffer, &found);
  }
  if (found == nullptr || found->pw_name == nullptr || *found->pw_name == 0)
    return throw_unix(thread, error == 0 ? ENOENT : error);
  return make_byte_array(thread, std::string(found->pw_name));
}
Object* UnixNativeDispatcher_getgrgid(JavaThread* thread, i32 group) {
  std::vector<char> buffer(16384);
  ::group entry, *found = nullptr;
  int error;
  {
    NativeScope native(thread);
    while ((error = getgrgid_r(static_cast<gid_t>(group), &entry, buffer.data(), buffer.size(), &found)) == ERANGE)
      buffer.resize(buffer.size() * 2);
  }
  if (found == nullptr || found->gr_name == nullptr || *found->gr_name == 0)
    return throw_unix(thread, error == 0 ? ENOENT : error);
  return make_byte_array(thread, std::string(found->gr_name));
}
// Returns the id, or -1 when there is none of that name.
i32 UnixNativeDispatcher_getpwnam0(JavaThread* thread, i64 name) {
  char buffer[16384];
  passwd entry, *found = nullptr;
  NativeScope native(thread);
  getpwnam_r(native_path(name), &entry, buffer, sizeof buffer, &found);
  return found == nullptr ? -1 : static_cast<i32>(found->pw_uid);
}
i32 UnixNativeDispatcher_getgrnam0(JavaThread* thread, i64 name) {
  std::vector<char> buffer(16384);
  ::group entry, *found = nullptr;
  NativeScope native(thread);
  while (getgrnam_r(native_path(name), &entry, buffer.data(), buffer.size(), &found) == ERANGE)
    buffer.resize(buffer.size() * 2);
  return found == nullptr ? -1 : static_cast<i32>(found->gr_gid);
}
Object* UnixNativeDispatcher_strerror(JavaThread* thread, i32 error) {
  return make_byte_array(thread, error_text(error));
}

// --- UnixCopyFile ----------------------------------------------------------------------------------------------------

// `cancel` is the address of an int that another thread sets to stop a copy, or 0.
static bool is_cancelled(i64 cancel) {
  return cancel != 0 && __atomic_load_n(native_address<i32>(cancel), __ATOMIC_ACQUIRE) != 0;
}

// Copies the rest of `source` to `target`. Returns errno, or 0. The thread is in native code.
static int copy_rest(i32 target, i32 source, char* buffer, usize size, i64 cancel) {
  for (;;) {
    ssize_t count = restarting([&] { return read(source, buffer, size); });
    if (count <= 0) return count == 0 ? 0 : errno;
    for (ssize_t done = 0; done < count;) {
      if (is_cancelled(cancel)) return ECANCELED;
      ssize_t written = restarting([&] { return write(target, buffer + done, static_cast<usize>(count - done)); });
      if (written < 0) return errno;
      done += written;
    }
  }
}

void UnixCopyFile_transfer(JavaThread* thread, i32 target, i32 source, i64 cancel) {
  int error;
  {
    NativeScope native(thread);
    std::unique_ptr<char[]> buffer(new char[64_KiB]);
    error = copy_rest(target, source, buffer.get(), 64_KiB, cancel);
  }
  if (error != 0) throw_unix(thread, error);
}

void UnixFileSystem_bufferedCopy0(JavaThread* thread, i32 target, i32 source, i64 buffer, i32 size, i64 cancel) {
  int error;
  {
    NativeScope native(thread);
    error = copy_rest(target, source, native_address<char>(buffer), static_cast<usize>(size), cancel);
  }
  if (error != 0) throw_unix(thread, error);
}

// Copies inside the kernel. Returns 0 or an IOStatus; after UNSUPPORTED_CASE the caller uses bufferedCopy0.
i32 LinuxNativeDispatcher_directCopy0(JavaThread* thread, i32 target, i32 source, i64 cancel) {
  constexpr i32 unavailable = -2, unsupported_case = -6;
  int error = 0;
  bool any = false;
  {
    NativeScope native(thread);
    // Copies in small chunks if the copy may be cancelled, so that it stops soon.
    usize chunk = cancel == 0 ? usize{0x7FFFF000} : usize{1} << 20;
    for (;;) {
      if (is_cancelled(cancel)) {
        error = ECANCELED;
        break;
      }
      ssize_t count = restarting([&] { return copy_file_range(source, nullptr, target, nullptr, chunk, 0); });
      if (count > 0) {
        any = true;
        continue;
      }
      if (count < 0) error = errno;
      break;
    }
  }
  if (error == EAGAIN && !any) return unavailable;
  bool is_refused = error == EINVAL || error == EXDEV || error == ENOSYS || error == EBADF || error == EOPNOTSUPP;
  if (!any && (error == 0 || is_refused)) return unsupported_case;  // 0: perhaps a file of /proc, whose size reads 0
  if (error != 0) throw_unix(thread, error);
  return 0;
}
// This is advice only: the caller need not know the kernel's result.
i32 LinuxNativeDispatcher_posix_fadvise(JavaThread* thread, i32 number, i64 offset, i64 length, i32 advice) {
  NativeScope native(thread);
  return posix_fadvise(number, offset, length, advice);
}

// --- LinuxNativeDispatcher: mount points -----------------------------------------------------------------------------

i64 LinuxNativeDispatcher_setmntent0(JavaThread* thread, i64 path, i64 mode) {
  FILE* file = setmntent(native_path(path), native_path(mode));
  if (file == nullptr) {
    throw_unix(thread, errno);
    return 0;
  }
  return static_cast<i64>(reinterpret_cast<uptr>(file));
}
i32 LinuxNativeDispatcher_getmntent0(JavaThread* thread, i64 file, Handle entry, i64 buffer, i32 length) {
  static constinit const JavaField fields[] = {{"name", "[B"}, {"dir", "[B"}, {"fstype", "[B"}, {"opts", "[B"}};
  mntent found;
  if (getmntent_r(native_address<FILE>(file), &found, native_address<char>(buffer), length) == nullptr) return -1;
  const char* texts[] = {found.mnt_fsname, found.mnt_dir, found.mnt_type, found.mnt_opts};
  for (int i = 0; i < 4; ++i) {
    Object* bytes = make_byte_array(thread, texts[i], strlen(texts[i]));
    if (bytes == nullptr) return -1;
    fields[i].set_reference(entry.get(), bytes);
  }
  return 0;
}
void LinuxNativeDispatcher_endmntent(JavaThread*, i64 file) { endmntent(native_address<FILE>(file)); }

// --- LinuxWatchService: inotify --------------------------------------------------------------------------------------

i32 LinuxWatchService_eventSize(JavaThread*) { return sizeof(inotify_event); }
Object* LinuxWatchService_eventOffsets(JavaThread* thread) {
  Object* array = heap::allocate_array(thread, primitive_array_klass(BasicType::Int), 5);
  if (array == nullptr) return throw_out_of_memory(thread, "Java heap space");
  i32* offsets = array->elements<i32>();
  offsets[0] = offsetof(inotify_event, wd);
  offsets[1] = offsetof(inotify_event, mask);
  offsets[2] = offsetof(inotify_event, cookie);
  offsets[3] = offsetof(inotify_event, len);
  offsets[4] = offsetof(inotify_event, name);
  return array;
}
i32 LinuxWatchService_inotifyInit(JavaThread* thread) {
  return system_call(thread, [] { return inotify_init1(IN_CLOEXEC); });
}
i32 LinuxWatchService_inotifyAddWatch(JavaThread* thread, i32 number, i64 path, i32 mask) {
  return system_call(thread, [&] { return inotify_add_watch(number, native_path(path), static_cast<u32>(mask)); });
}
void LinuxWatchService_inotifyRmWatch(JavaThread* thread, i32 number, i32 watch) {
  system_call(thread, [&] { return inotify_rm_watch(number, watch); });
}
void LinuxWatchService_configureBlocking(JavaThread* thread, i32 number, bool blocking) {
  int flags = fcntl(number, F_GETFL);
  int wanted = blocking ? flags & ~O_NONBLOCK : flags | O_NONBLOCK;
  if (flags == -1 || (wanted != flags && fcntl(number, F_SETFL, wanted) == -1)) throw_unix(thread, errno);
}
void LinuxWatchService_socketpair(JavaThread* thread, Handle pair) {
  int numbers[2];
  if (system_call(thread, [&] { return socketpair(PF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, numbers); }) == -1) return;
  pair->elements<i32>()[0] = numbers[0];
  pair->elements<i32>()[1] = numbers[1];
}
i32 LinuxWatchService_poll(JavaThread* thread, i32 first, i32 second) {
  pollfd watched[2] = {{first, POLLIN, 0}, {second, POLLIN, 0}};
  int count, error;
  {
    NativeScope native(thread);
    count = poll(watched, 2, -1);
    error = errno;
  }
  if (count == -1) {
    if (error == EINTR) return 0;
    throw_unix(thread, error);
  }
  return count;
}

}  // namespace keyhole::natives
