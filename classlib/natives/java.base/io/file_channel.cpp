// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// sun.nio.ch for files: FileDispatcherImpl, FileChannelImpl, IOUtil, FileKey, NativeThread; java.nio.MappedMemoryUtils.
//
// Channels work on native memory. Their natives return a count or an IOStatus: EOF -1, UNAVAILABLE -2 (would block),
// INTERRUPTED -3, UNSUPPORTED -4, THROWN -5, UNSUPPORTED_CASE -6. A signal ends a call with INTERRUPTED. When a channel
// is closed, NativeThread.signal uses this to wake a thread that is blocked in the kernel.
#include "classlib/natives/java.base/io/channel_support.h"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "classlib/natives/java.base/io/declarations.h"
#include "runtime/base/controlled/strands.h"
#include "runtime/threads/mapped_files.h"

namespace keyhole::natives {

using namespace io;

namespace io {

i64 channel_result(JavaThread* thread, i64 count, int error, bool reading) {
  if (count > 0) return count;
  if (count == 0) return reading ? status_eof : 0;
  if (error == EAGAIN || error == EWOULDBLOCK) return status_unavailable;
  if (error == EINTR) return status_interrupted;
  throw_io(thread, error, reading ? "Read failed" : "Write failed");
  return status_thrown;
}

}  // namespace io

namespace {

// The result of a call that returns 0 or fails.
i32 plain_result(JavaThread* thread, i64 result, int error, const char* what) MAY_SAFEPOINT {
  if (result != -1) return static_cast<i32>(result);
  if (error == EINTR) return status_interrupted;
  throw_io(thread, error, what);
  return status_thrown;
}

}  // namespace

// --- FileDispatcherImpl ----------------------------------------------------------------------------------------------

namespace {
// One end of a socket pair whose other end is closed: reads return the end, writes fail with EPIPE. dup2 of it over a
// descriptor wakes the users of that descriptor with an error, without freeing its number.
int pre_close_number() {
  static int number = [] {
    int pair[2];
    if (socketpair(PF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) return -1;
    close(pair[1]);
    return pair[0];
  }();
  return number;
}
}  // namespace

i32 FileDispatcherImpl_read0(JavaThread* thread, Handle descriptor, i64 address, i32 length) {
  i32 number = descriptor_number(descriptor);
  return static_cast<i32>(channel_call(
      thread, true, [&] { return read(number, native_address<void>(address), static_cast<usize>(length)); }));
}
i32 FileDispatcherImpl_pread0(JavaThread* thread, Handle descriptor, i64 address, i32 length, i64 position) {
  i32 number = descriptor_number(descriptor);
  return static_cast<i32>(channel_call(thread, true, [&] {
    return pread(number, native_address<void>(address), static_cast<usize>(length), position);
  }));
}
i64 FileDispatcherImpl_readv0(JavaThread* thread, Handle descriptor, i64 address, i32 count) {
  i32 number = descriptor_number(descriptor);
  return channel_call(thread, true, [&] { return readv(number, native_address<iovec>(address), count); });
}
i32 FileDispatcherImpl_write0(JavaThread* thread, Handle descriptor, i64 address, i32 length) {
  i32 number = descriptor_number(descriptor);
  return static_cast<i32>(channel_call(
      thread, false, [&] { return write(number, native_address<void>(address), static_cast<usize>(length)); }));
}
i32 FileDispatcherImpl_pwrite0(JavaThread* thread, Handle descriptor, i64 address, i32 length, i64 position) {
  i32 number = descriptor_number(descriptor);
  return static_cast<i32>(channel_call(thread, false, [&] {
    return pwrite(number, native_address<void>(address), static_cast<usize>(length), position);
  }));
}
i64 FileDispatcherImpl_writev0(JavaThread* thread, Handle descriptor, i64 address, i32 count) {
  i32 number = descriptor_number(descriptor);
  return channel_call(thread, false, [&] { return writev(number, native_address<iovec>(address), count); });
}
i32 FileDispatcherImpl_force0(JavaThread* thread, Handle descriptor, bool metadata) {
  i32 number = descriptor_number(descriptor);
  auto [result, error] = native_call(thread, [&] { return metadata ? fsync(number) : fdatasync(number); });
  return plain_result(thread, result, error, "Force failed");
}
i64 FileDispatcherImpl_seek0(JavaThread* thread, Handle descriptor, i64 offset) {
  i32 number = descriptor_number(descriptor);
  i64 position = offset < 0 ? lseek(number, 0, SEEK_CUR) : lseek(number, offset, SEEK_SET);
  if (position < 0) throw_io(thread, errno, "lseek64 failed");
  return position;
}
i32 FileDispatcherImpl_truncate0(JavaThread* thread, Handle descriptor, i64 size) {
  i32 number = descriptor_number(descriptor);
  auto [result, error] = native_call(thread, [&] { return ftruncate(number, size); });
  return plain_result(thread, result, error, "Truncation failed");
}
i64 FileDispatcherImpl_size0(JavaThread* thread, Handle descriptor) {
  i32 number = descriptor_number(descriptor);
  struct stat status;
  if (fstat(number, &status) < 0) {
    throw_io(thread, errno, "Size failed");
    return status_thrown;
  }
  if (S_ISBLK(status.st_mode)) {
    u64 bytes = 0;
    if (ioctl(number, 0x80081272 /* BLKGETSIZE64 */, &bytes) == 0) return static_cast<i64>(bytes);
  }
  return status.st_size;
}
i32 FileDispatcherImpl_lock0(JavaThread* thread, Handle descriptor, bool blocking, i64 position, i64 size,
                             bool shared) {
  constexpr i32 no_lock = -1, locked = 0, interrupted = 2;  // FileDispatcher
  i32 number = descriptor_number(descriptor);
  struct flock region{};
  region.l_type = shared ? F_RDLCK : F_WRLCK;
  region.l_whence = SEEK_SET;
  region.l_start = position;
  region.l_len = size == 0x7FFF'FFFF'FFFF'FFFF ? 0 : size;  // 0: to the end of the file, even if the file grows
  auto [result, error] = native_call(thread, [&] { return fcntl(number, blocking ? F_SETLKW : F_SETLK, &region); });
  if (result >= 0) return locked;
  if (!blocking && (error == EAGAIN || error == EACCES)) return no_lock;
  if (error == EINTR) return interrupted;
  throw_io(thread, error, "Lock failed");
  return no_lock;
}
void FileDispatcherImpl_release0(JavaThread* thread, Handle descriptor, i64 position, i64 size) {
  struct flock region{};
  region.l_type = F_UNLCK;
  region.l_whence = SEEK_SET;
  region.l_start = position;
  region.l_len = size == 0x7FFF'FFFF'FFFF'FFFF ? 0 : size;
  if (fcntl(descriptor_number(descriptor), F_SETLK, &region) < 0) throw_io(thread, errno, "Release failed");
}
void FileDispatcherImpl_closeIntFD(JavaThread* thread, i32 number) {
  if (number < 0) return;
  auto [result, error] = native_call(thread, [&] { return close(number); });
  if (result < 0 && error != EINTR) throw_io(thread, error, "Close failed");
}
void FileDispatcherImpl_close0(JavaThread* thread, Handle descriptor) {
  FileDispatcherImpl_closeIntFD(thread, descriptor_number(descriptor));
}
void FileDispatcherImpl_preClose0(JavaThread* thread, Handle descriptor) {
  int dead = pre_close_number();
  int number = descriptor_number(descriptor);
  if (dead >= 0 && restarting([&] { return dup2(dead, number); }) < 0) throw_io(thread, errno, "dup2 failed");
}
void FileDispatcherImpl_dup0(JavaThread* thread, Handle from, Handle to) {
  int number = descriptor_number(from), copy = descriptor_number(to);
  if (restarting([&] { return dup2(number, copy); }) < 0) throw_io(thread, errno, "dup2 failed");
}
i32 FileDispatcherImpl_available0(JavaThread* thread, Handle descriptor) {
  return bytes_available(thread, descriptor_number(descriptor));
}
// Is it neither file nor folder, but a pipe, a socket or a terminal?
bool FileDispatcherImpl_isOther0(JavaThread* thread, Handle descriptor) {
  struct stat status;
  if (fstat(descriptor_number(descriptor), &status) < 0) {
    throw_io(thread, errno, "isOther failed");
    return false;
  }
  return !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode) && !S_ISLNK(status.st_mode);
}
bool FileDispatcherImpl_canTransferToFromOverlappedMap0(JavaThread*) { return true; }
// Returns the alignment that O_DIRECT requires.
i32 FileDispatcherImpl_setDirect0(JavaThread* thread, Handle descriptor) {
  i32 number = descriptor_number(descriptor);
  int flags = fcntl(number, F_GETFL);
  struct stat status;
  if (flags == -1 || fcntl(number, F_SETFL, flags | O_DIRECT) == -1 || fstat(number, &status) == -1) {
    throw_io(thread, errno, "DirectIO setup failed");
    return -1;
  }
  return static_cast<i32>(status.st_blksize);
}

// --- FileChannelImpl -------------------------------------------------------------------------------------------------

i64 FileChannelImpl_initIDs(JavaThread*) { return sysconf(_SC_PAGESIZE); }  // allocation granularity of maps
static i64 map_file(JavaThread* thread, i32 number, i32 protection, i64 position, i64 length, bool synchronous)
    MAY_SAFEPOINT {
  constexpr i32 read_only = 0, read_write = 1;  // FileChannelImpl.MAP_*; 2 = private
  int bits = protection == read_only ? PROT_READ : PROT_READ | PROT_WRITE;
  int flags = protection == read_only || protection == read_write ? MAP_SHARED : MAP_PRIVATE;
  if (synchronous) flags = MAP_SHARED_VALIDATE | MAP_SYNC;
  auto [address, error] = native_call(thread, [&] {
    return static_cast<i64>(
        reinterpret_cast<uptr>(mmap(nullptr, static_cast<usize>(length), bits, flags, number, position)));
  });
  if (address != -1) {
    mapped_files::add(static_cast<uptr>(address), static_cast<usize>(length));
    return address;
  }
  if (error == ENOMEM) throw_out_of_memory(thread, "Map failed");
  else throw_io(thread, error, "Map failed");
  return status_thrown;
}
i64 FileChannelImpl_map0(JavaThread* thread, Handle self, i32 protection, i64 position, i64 length, bool synchronous) {
  return map_file(thread, stream_number(self), protection, position, length, synchronous);
}
i64 FileDispatcherImpl_map0(JavaThread* thread, Handle descriptor, i32 protection, i64 position, i64 length,
                            bool synchronous) {
  return map_file(thread, descriptor_number(descriptor), protection, position, length, synchronous);
}
i32 FileChannelImpl_unmap0(JavaThread* thread, i64 address, i64 length) {
  auto [result, error] =
      native_call(thread, [&] { return mapped_files::remove(static_cast<uptr>(address), static_cast<usize>(length)); });
  return plain_result(thread, result, error, "Unmap failed");
}
i64 FileChannelImpl_transferTo0(JavaThread* thread, Handle, Handle source, i64 position, i64 count, Handle target) {
  i32 from = descriptor_number(source), to = descriptor_number(target);
  off_t offset = position;
  auto [sent, error] = native_call(thread, [&] { return sendfile(to, from, &offset, static_cast<usize>(count)); });
  if (sent >= 0) return sent;
  if (error == EAGAIN) return status_unavailable;
  if (error == EINVAL && count >= 0) return status_unsupported_case;
  if (error == EINTR) return status_interrupted;
  throw_io(thread, error, "Transfer failed");
  return status_thrown;
}
i64 FileDispatcherImpl_transferTo0(JavaThread* thread, Handle source, i64 position, i64 count, Handle target, bool) {
  return FileChannelImpl_transferTo0(thread, source, source, position, count, target);
}
i64 FileDispatcherImpl_transferFrom0(JavaThread* thread, Handle source, Handle target, i64 position, i64 count,
                                     bool append) {
  if (append) return status_unsupported_case;  // with O_APPEND the call would ignore the position
  i32 from = descriptor_number(source), to = descriptor_number(target);
  off_t offset = position;
  auto [sent, error] =
      native_call(thread, [&] { return copy_file_range(from, nullptr, to, &offset, static_cast<usize>(count), 0); });
  if (sent >= 0) return sent;
  if (error == EAGAIN) return status_unavailable;
  if (error == EINTR) return status_interrupted;
  if (error == EINVAL || error == EXDEV || error == EBADF || error == ENOSYS) return status_unsupported_case;
  throw_io(thread, error, "Transfer failed");
  return status_thrown;
}
i32 FileChannelImpl_maxDirectTransferSize0(JavaThread*) { return 0x7FFFF000; }  // what one sendfile moves at most

// --- IOUtil ----------------------------------------------------------------------------------------------------------

bool IOUtil_randomBytes(JavaThread*, Handle bytes) {
  usize count = static_cast<usize>(bytes->length());
  if (controlled::is_on()) {
    for (usize i = 0; i < count; ++i) bytes->elements<u8>()[i] = static_cast<u8>(controlled::random());
    return true;
  }
  return getrandom(bytes->elements<u8>(), count, 0) == static_cast<ssize_t>(count);
}
// Returns the reading end << 32 | the writing end.
i64 IOUtil_makePipe(JavaThread* thread, bool blocking) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC | (blocking ? 0 : O_NONBLOCK)) < 0) {
    throw_io(thread, errno, "Pipe failed");
    return 0;
  }
  return i64{ends[0]} << 32 | ends[1];
}
i32 IOUtil_write1(JavaThread* thread, i32 number, i8 byte) {
  return static_cast<i32>(channel_call(thread, false, [&] { return write(number, &byte, 1); }));
}
// Reads all available bytes; true when there were any.
bool IOUtil_drain(JavaThread* thread, i32 number) {
  char buffer[128];
  bool any = false;
  for (;;) {
    ssize_t count = restarting([&] { return read(number, buffer, sizeof buffer); });
    if (count < 0 && errno != EAGAIN && errno != EWOULDBLOCK) {
      throw_io(thread, errno, "Drain");
      return false;
    }
    any |= count > 0;
    if (count != static_cast<ssize_t>(sizeof buffer)) return any;
  }
}
i32 IOUtil_drain1(JavaThread* thread, i32 number) {
  char byte;
  ssize_t count = read(number, &byte, 1);
  if (count >= 0) return static_cast<i32>(count);
  if (errno == EAGAIN || errno == EWOULDBLOCK) return 0;
  if (errno == EINTR) return static_cast<i32>(status_interrupted);
  throw_io(thread, errno, "read");
  return static_cast<i32>(status_thrown);
}
void IOUtil_configureBlocking(JavaThread* thread, Handle descriptor, bool blocking) {
  i32 number = descriptor_number(descriptor);
  int flags = fcntl(number, F_GETFL);
  int wanted = blocking ? flags & ~O_NONBLOCK : flags | O_NONBLOCK;
  if (flags == -1 || (wanted != flags && fcntl(number, F_SETFL, wanted) == -1))
    throw_io(thread, errno, "Configure blocking failed");
}
i32 IOUtil_fdVal(JavaThread*, Handle descriptor) { return descriptor_number(descriptor); }
void IOUtil_setfdVal(JavaThread*, Handle descriptor, i32 number) { set_descriptor_number(descriptor.get(), number); }
i32 IOUtil_fdLimit(JavaThread* thread) {
  rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) < 0) {
    throw_io(thread, errno, "getrlimit failed");
    return -1;
  }
  return limit.rlim_max > 0x7FFFFFFF ? 0x7FFFFFFF : static_cast<i32>(limit.rlim_max);
}
i32 IOUtil_iovMax(JavaThread*) {
  i64 maximum = sysconf(_SC_IOV_MAX);
  return maximum == -1 ? 16 : static_cast<i32>(maximum);
}

i64 IOUtil_writevMax(JavaThread*) { return 0x7FFFFFFF; }  // bytes of one writev

// --- FileKey: which file a descriptor means --------------------------------------------------------------------------

void FileKey_init(JavaThread* thread, Handle self, Handle descriptor) {
  static constinit const JavaField device("st_dev", "J"), inode("st_ino", "J");
  struct stat status;
  if (fstat(descriptor_number(descriptor), &status) < 0) {
    throw_io(thread, errno);
    return;
  }
  device.set<i64>(self.get(), static_cast<i64>(status.st_dev));
  inode.set<i64>(self.get(), static_cast<i64>(status.st_ino));
}

void FileKey_init_25(JavaThread* thread, Handle descriptor, Handle device_and_inode) {
  struct stat status;
  if (fstat(descriptor_number(descriptor), &status) < 0) {
    throw_io(thread, errno);
    return;
  }
  device_and_inode->elements<i64>()[0] = static_cast<i64>(status.st_dev);
  device_and_inode->elements<i64>()[1] = static_cast<i64>(status.st_ino);
}

// --- NativeThread: waking a thread out of a system call --------------------------------------------------------------

namespace {
int wake_signal() { return SIGRTMAX - 2; }
}  // namespace

void io::install_wake_handler() {
  static const bool installed = [] {
    struct sigaction nothing{};
    nothing.sa_handler = [](int) {};  // without SA_RESTART: the call must return
    return sigaction(wake_signal(), &nothing, nullptr) == 0;
  }();
  KEYHOLE_CHECK(installed, "no handler for signal {}", wake_signal());
}
int io::wake(pthread_t thread) { return pthread_kill(thread, wake_signal()); }

bool NativeThread_supportPendingSignals0(JavaThread*) { return true; }
void NativeThread_init(JavaThread*) { install_wake_handler(); }
i64 NativeThread_current(JavaThread*) { return static_cast<i64>(pthread_self()); }
void NativeThread_signal(JavaThread* thread, i64 target) {
  int error = wake(static_cast<pthread_t>(target));
  if (error != 0 && error != ESRCH) throw_io(thread, error, "Thread signal failed");
}

// --- MappedMemoryUtils -----------------------------------------------------------------------------------------------

bool MappedMemoryUtils_isLoaded0(JavaThread*, i64 address, i64 length, i64 page_count) {
  if (page_count <= 0 || page_count > 0x7FFFFFFF) return false;
  std::unique_ptr<unsigned char[]> pages(new unsigned char[static_cast<usize>(page_count) + 1]);
  if (mincore(native_address<void>(address), static_cast<usize>(length), pages.get()) == -1) return false;
  for (i64 i = 0; i < page_count; ++i)
    if ((pages[static_cast<usize>(i)] & 1) == 0) return false;
  return true;
}
void MappedMemoryUtils_load0(JavaThread* thread, i64 address, i64 length) {
  auto [result, error] = native_call(
      thread, [&] { return madvise(native_address<void>(address), static_cast<usize>(length), MADV_WILLNEED); });
  if (result == -1) throw_io(thread, error, "madvise with advise MADV_WILLNEED failed");
}
void MappedMemoryUtils_unload0(JavaThread* thread, i64 address, i64 length) {
  auto [result, error] = native_call(
      thread, [&] { return madvise(native_address<void>(address), static_cast<usize>(length), MADV_DONTNEED); });
  if (result == -1) throw_io(thread, error, "madvise with advise MADV_DONTNEED failed");
}
void MappedMemoryUtils_force0(JavaThread* thread, Handle, i64 address, i64 length) {
  auto [result, error] =
      native_call(thread, [&] { return msync(native_address<void>(address), static_cast<usize>(length), MS_SYNC); });
  if (result == -1) throw_io(thread, error, "msync with parameter MS_SYNC failed");
}

}  // namespace keyhole::natives
