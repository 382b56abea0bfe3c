// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// java.io.FileDescriptor, FileCleanable, FileInputStream, FileOutputStream and RandomAccessFile.
//
// A FileDescriptor object owns its number. -1 in its `fd` means closed: every operation then throws "Stream Closed".
// Numbers 0, 1 and 2 are never freed: closing one of them opens /dev/null there, so that no later file becomes stdout.
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include "classlib/natives/java.base/io/declarations.h"
#include "classlib/natives/java.base/io/io_support.h"
#include "classlib/natives/uncontrolled.h"

namespace keyhole::natives {
namespace {

using namespace io;

// Closes the number. Returns 0 or an errno.
int close_number(i32 number) {
  if (number >= STDIN_FILENO && number <= STDERR_FILENO) {
    int nothing = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (nothing < 0) return errno;
    int result = dup2(nothing, number) < 0 ? errno : 0;
    close(nothing);
    return result;
  }
  // close is not repeated after EINTR, because Linux has freed the number by then.
  return close(number) == -1 && errno != EINTR ? errno : 0;
}

// Opens a file as java.io does: no trailing slashes, no directories. Returns the number, or -1 with errno set.
i32 open_file(const std::string& path, int flags) {
  std::string trimmed = path;
  while (trimmed.size() > 1 && trimmed.back() == '/') trimmed.pop_back();
  int number = restarting([&] { return open(trimmed.c_str(), flags | O_CLOEXEC, 0666); });
  if (number < 0) return -1;
  struct stat status;
  if (fstat(number, &status) == 0 && S_ISDIR(status.st_mode)) {
    close(number);
    errno = EISDIR;
    return -1;
  }
  return number;
}

void open_stream(JavaThread* thread, Handle stream, Handle path, int flags) MAY_SAFEPOINT {
  if (path.is_null()) {
    throw_null_pointer(thread);
    return;
  }
  std::string text = path_of(path);
  uncontrolled::check_open(thread, text, flags);
  i32 number;
  int error = 0;
  {
    NativeScope native(thread);
    number = open_file(text, flags);
    if (number < 0) error = errno;
  }
  if (number < 0) {
    throw_not_found(thread, text, error);
    return;
  }
  Object* descriptor = descriptor_of(stream);
  set_descriptor_number(descriptor, number);
  set_descriptor_append(descriptor, (flags & O_APPEND) != 0);
}

i32 read_byte(JavaThread* thread, Handle stream) MAY_SAFEPOINT {
  i32 number = stream_number(stream);
  if (number < 0) {
    throw_io_message(thread, "Stream Closed");
    return 0;
  }
  u8 byte = 0;
  ssize_t count;
  int error;
  {
    NativeScope native(thread);
    count = restarting([&] { return read(number, &byte, 1); });
    error = errno;
  }
  if (count == 0) return -1;
  if (count < 0) {
    throw_io(thread, error);
    return 0;
  }
  return byte;
}

i32 read_bytes(JavaThread* thread, Handle stream, Handle bytes, i32 offset, i32 length) MAY_SAFEPOINT {
  if (!check_range(thread, bytes, offset, length)) return -1;
  if (length == 0) return 0;
  i32 number = stream_number(stream);
  if (number < 0) {
    throw_io_message(thread, "Stream Closed");
    return -1;
  }
  TransferBuffer buffer(static_cast<usize>(length));
  ssize_t count;
  int error;
  {
    NativeScope native(thread);
    count = restarting([&] { return read(number, buffer.data(), static_cast<usize>(length)); });
    error = errno;
  }
  if (count < 0) {
    throw_io(thread, error);
    return -1;
  }
  if (count == 0) return -1;
  copy_in(bytes, offset, buffer.data(), static_cast<usize>(count));
  return static_cast<i32>(count);
}

void write_bytes(JavaThread* thread, Handle stream, Handle bytes, i32 offset, i32 length) MAY_SAFEPOINT {
  if (!check_range(thread, bytes, offset, length)) return;
  constexpr usize chunk_bytes = 64_KiB;
  TransferBuffer buffer(std::min(static_cast<usize>(length), chunk_bytes));
  usize left = static_cast<usize>(length);
  while (left > 0) {
    // The number is read each time, because another thread may close the stream between two writes.
    i32 number = stream_number(stream);
    if (number < 0) {
      throw_io_message(thread, "Stream Closed");
      return;
    }
    usize count = std::min(left, chunk_bytes);
    copy_out(bytes, offset, buffer.data(), count);
    ssize_t written;
    int error;
    {
      NativeScope native(thread);
      written = restarting([&] { return write(number, buffer.data(), count); });
      error = errno;
    }
    if (written < 0) {
      throw_io(thread, error);
      return;
    }
    offset += static_cast<i32>(written);
    left -= static_cast<usize>(written);
  }
}

void write_byte(JavaThread* thread, Handle stream, i32 value) MAY_SAFEPOINT {
  i32 number = stream_number(stream);
  if (number < 0) {
    throw_io_message(thread, "Stream Closed");
    return;
  }
  u8 byte = static_cast<u8>(value);
  ssize_t written;
  int error;
  {
    NativeScope native(thread);
    written = restarting([&] { return write(number, &byte, 1); });
    error = errno;
  }
  if (written < 0) throw_io(thread, error);
}

// Calls lseek on the stream. -1: an IOException is pending.
i64 seek(JavaThread* thread, Handle stream, i64 offset, int whence, const char* what) MAY_SAFEPOINT {
  i32 number = stream_number(stream);
  if (number < 0) {
    throw_io_message(thread, "Stream Closed");
    return -1;
  }
  i64 position = lseek(number, offset, whence);
  if (position < 0) throw_io(thread, errno, what);
  return position;
}

i64 length_of(JavaThread* thread, Handle stream) MAY_SAFEPOINT {
  i32 number = stream_number(stream);
  if (number < 0) {
    throw_io_message(thread, "Stream Closed");
    return -1;
  }
  struct stat status;
  if (fstat(number, &status) != 0) {
    throw_io(thread, errno, "GetLength failed");
    return -1;
  }
  if (S_ISBLK(status.st_mode)) {
    u64 bytes = 0;
    if (ioctl(number, 0x80081272 /* BLKGETSIZE64 */, &bytes) == 0) return static_cast<i64>(bytes);
  }
  return status.st_size;
}

}  // namespace

// --- FileDescriptor --------------------------------------------------------------------------------------------------

void FileDescriptor_initIDs(JavaThread*) {}

i64 FileDescriptor_getHandle(JavaThread*, i32) { return -1; }  // Windows only
bool FileDescriptor_getAppend(JavaThread*, i32 number) { return (fcntl(number, F_GETFL) & O_APPEND) != 0; }

void FileDescriptor_sync(JavaThread* thread, Handle self) {
  i32 number = descriptor_number(self);
  bool failed;
  {
    NativeScope native(thread);
    failed = restarting([&] { return fsync(number); }) == -1;
  }
  if (failed) throw_named(thread, "java/io/SyncFailedException", "sync failed");
}

void FileDescriptor_close0(JavaThread* thread, Handle self) {
  i32 number = descriptor_number(self);
  if (number < 0) return;
  set_descriptor_number(self.get(), -1);  // first: the number may be given out again as soon as it is closed
  int error;
  {
    NativeScope native(thread);
    error = close_number(number);
  }
  if (error != 0) throw_io(thread, error, "close failed");
}

void FileCleanable_cleanupClose0(JavaThread* thread, i32 number, i64) {
  if (number < 0) return;
  int error;
  {
    NativeScope native(thread);
    error = close_number(number);
  }
  if (error != 0) throw_io(thread, error, "close failed");
}

// --- FileInputStream -------------------------------------------------------------------------------------------------

void FileInputStream_open0(JavaThread* thread, Handle self, Handle path) { open_stream(thread, self, path, O_RDONLY); }
i32 FileInputStream_read0(JavaThread* thread, Handle self) { return read_byte(thread, self); }
i32 FileInputStream_readBytes(JavaThread* thread, Handle self, Handle bytes, i32 offset, i32 length) {
  return read_bytes(thread, self, bytes, offset, length);
}
i64 FileInputStream_length0(JavaThread* thread, Handle self) { return length_of(thread, self); }
i64 FileInputStream_position0(JavaThread* thread, Handle self) { return seek(thread, self, 0, SEEK_CUR, "Seek error"); }

i64 FileInputStream_skip0(JavaThread* thread, Handle self, i64 count) {
  i64 before = seek(thread, self, 0, SEEK_CUR, "Seek error");
  if (before < 0) return 0;
  i64 after = seek(thread, self, count, SEEK_CUR, "Seek error");
  return after < 0 ? 0 : after - before;
}

i32 FileInputStream_available0(JavaThread* thread, Handle self) {
  i32 number = stream_number(self);
  if (number < 0) {
    throw_io_message(thread, "Stream Closed");
    return 0;
  }
  return bytes_available(thread, number);
}
bool FileInputStream_isRegularFile0(JavaThread*, Handle, Handle descriptor) {
  struct stat status;
  return fstat(descriptor_number(descriptor), &status) == 0 && S_ISREG(status.st_mode);
}

i32 io::bytes_available(JavaThread* thread, i32 number) {
  struct stat status;
  if (fstat(number, &status) != 0) {
    throw_io(thread, errno);
    return 0;
  }
  i64 count = 0;
  if (S_ISCHR(status.st_mode) || S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode)) {
    int ready = 0;
    if (ioctl(number, FIONREAD, &ready) >= 0) return ready;
  }
  i64 position = lseek(number, 0, SEEK_CUR);
  if (position < 0) {
    throw_io(thread, errno);
    return 0;
  }
  i64 size = status.st_size;
  if (!S_ISREG(status.st_mode)) {
    size = lseek(number, 0, SEEK_END);
    if (size < 0 || lseek(number, position, SEEK_SET) < 0) {
      throw_io(thread, errno);
      return 0;
    }
  }
  count = size - position;
  return static_cast<i32>(std::clamp<i64>(count, 0, 0x7FFFFFFF));
}

// --- FileOutputStream ------------------------------------------------------------------------------------------------

void FileOutputStream_open0(JavaThread* thread, Handle self, Handle path, bool append) {
  open_stream(thread, self, path, O_WRONLY | O_CREAT | (append ? O_APPEND : O_TRUNC));
}
void FileOutputStream_write(JavaThread* thread, Handle self, i32 value, bool) { write_byte(thread, self, value); }
void FileOutputStream_writeBytes(JavaThread* thread, Handle self, Handle bytes, i32 offset, i32 length, bool) {
  write_bytes(thread, self, bytes, offset, length);
}

// --- RandomAccessFile ------------------------------------------------------------------------------------------------

void RandomAccessFile_open0(JavaThread* thread, Handle self, Handle path, i32 mode) {
  constexpr i32 read_only = 1, read_write = 2, synchronous = 4, data_synchronous = 8;  // RandomAccessFile.O_*
  int flags = 0;
  if (mode & read_only) flags = O_RDONLY;
  else if (mode & read_write) {
    flags = O_RDWR | O_CREAT;
    if (mode & synchronous) flags |= O_SYNC;
    else if (mode & data_synchronous) flags |= O_DSYNC;
  }
  open_stream(thread, self, path, flags);
}
i32 RandomAccessFile_read0(JavaThread* thread, Handle self) { return read_byte(thread, self); }
i32 RandomAccessFile_readBytes(JavaThread* thread, Handle self, Handle bytes, i32 offset, i32 length) {
  return read_bytes(thread, self, bytes, offset, length);
}
void RandomAccessFile_write0(JavaThread* thread, Handle self, i32 value) { write_byte(thread, self, value); }
void RandomAccessFile_writeBytes(JavaThread* thread, Handle self, Handle bytes, i32 offset, i32 length) {
  write_bytes(thread, self, bytes, offset, length);
}
i64 RandomAccessFile_getFilePointer(JavaThread* thread, Handle self) {
  return seek(thread, self, 0, SEEK_CUR, "Seek failed");
}
void RandomAccessFile_seek0(JavaThread* thread, Handle self, i64 position) {
  if (position < 0) {
    throw_io_message(thread, "Negative seek offset");
    return;
  }
  seek(thread, self, position, SEEK_SET, "Seek failed");
}
i64 RandomAccessFile_length(JavaThread* thread, Handle self) { return length_of(thread, self); }

void RandomAccessFile_setLength(JavaThread* thread, Handle self, i64 length) {
  i64 position = seek(thread, self, 0, SEEK_CUR, "setLength failed");
  if (position < 0) return;
  i32 number = stream_number(self);
  int error = 0;
  {
    NativeScope native(thread);
    if (restarting([&] { return ftruncate(number, length); }) == -1) error = errno;
    else if (position > length && lseek(number, 0, SEEK_END) < 0) error = errno;
  }
  if (error != 0) throw_io(thread, error, "setLength failed");
}

}  // namespace keyhole::natives
