// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Code that the natives of java.io, java.nio and java.util.zip share: Java fields found by name, byte arrays in and
// out, errno texts.
//
// Rules for all of these natives
//   R1: a call that can block runs in a NativeScope, and touches only memory outside the Java heap (objects move
//       meanwhile).
//   R2: errno is read before the NativeScope ends: leaving the scope may make system calls.
//   R3: interrupted system calls are repeated, unless the caller handles EINTR itself (channels).
#pragma once

#include <errno.h>

#include <memory>
#include <string>

#include "classlib/natives/support.h"
#include "runtime/threads/thread_state.h"
#include "vm/link/exceptions.h"
#include "vm/link/linker.h"

namespace keyhole::natives::io {

// An instance field that the JDK's native code would look up in initIDs. It is found at first use, by name in the
// object's class. Several classes have a field of the same name (`fd` of streams, files and channels), so the last few
// classes are cached; those that may be unloaded are not, because their ids are reused.
class JavaField {
 public:
  constexpr JavaField(const char* name, const char* descriptor) : name_(name), descriptor_(descriptor) {}
  template <typename T> T get(const Object* object) const TOUCHES_OBJECTS { return object->get<T>(offset(object)); }
  template <typename T> void set(Object* object, T value) const TOUCHES_OBJECTS {
    object->set<T>(offset(object), value);
  }
  Object* get_reference(const Object* object) const TOUCHES_OBJECTS { return object->get_reference(offset(object)); }
  void set_reference(Object* object, Object* value) const TOUCHES_OBJECTS;

 private:
  static constexpr u32 cache_size = 4;
  u32 offset(const Object* object) const TOUCHES_OBJECTS {
    u32 id = object->klass_id();
    u64 known = cache_[id % cache_size].load(std::memory_order_relaxed);
    return known >> 32 == id ? static_cast<u32>(known) : find(object);
  }
  u32 find(const Object* object) const TOUCHES_OBJECTS;

  const char* name_;
  const char* descriptor_;
  // Entries are klass id << 32 | offset: one word, so that any thread may write it
  mutable std::atomic<u64> cache_[cache_size] = {};
};

// Reads FileDescriptor.fd: of the descriptor itself, or of the `fd` field of a stream or file. -1: closed.
i32 descriptor_number(Handle descriptor) TOUCHES_OBJECTS;
i32 stream_number(Handle stream) TOUCHES_OBJECTS;
void set_descriptor_number(Object* descriptor, i32 number) TOUCHES_OBJECTS;
void set_descriptor_append(Object* descriptor, bool append) TOUCHES_OBJECTS;
Object* descriptor_of(Handle stream) TOUCHES_OBJECTS;

// Called before anything is written. As in java, a write then fails with EPIPE after the reader has closed the pipe,
// and with EFBIG beyond the limit of a file's size (ulimit -f), instead of ending the process. It installs a handler,
// not SIG_IGN, so that processes that the program starts get the default back.
void survive_failed_writes();

// Repeats a system call that a signal interrupted (R3).
template <typename Call> auto restarting(Call&& call) {
  for (;;) {
    auto result = call();
    if (result != -1 || errno != EINTR) return result;
  }
}

// The text for an errno: "No such file or directory".
std::string error_text(int error);
// Throws IOException with the text of `error`, or `otherwise` when error is 0.
Thrown throw_io(JavaThread* thread, int error, const char* otherwise = "I/O error") MAY_SAFEPOINT;
Thrown throw_io_message(JavaThread* thread, const char* message) MAY_SAFEPOINT;
// Throws FileNotFoundException: "path (No such file or directory)".
Thrown throw_not_found(JavaThread* thread, const std::string& path, int error) MAY_SAFEPOINT;
// Throws an exception of any class by its name: "java/net/SocketException".
Thrown throw_named(JavaThread* thread, const char* class_name, const std::string& message) MAY_SAFEPOINT;
// Throws sun.nio.fs.UnixException(errno).
Thrown throw_unix(JavaThread* thread, int error) MAY_SAFEPOINT;

// The bytes of a path. java.io passes names as String, java.nio as native memory.
inline std::string path_of(Handle string) TOUCHES_OBJECTS { return string_to_utf8(string.get()); }
// Makes a byte[] with these bytes. Null: the heap is full, and an exception is pending.
[[nodiscard]] Object* make_byte_array(JavaThread* thread, const void* bytes, usize count) MAY_SAFEPOINT;
[[nodiscard]] Object* make_byte_array(JavaThread* thread, const std::string& text) MAY_SAFEPOINT;
// Checks that the range is inside the array. False: IndexOutOfBoundsException (or NullPointerException) is pending.
[[nodiscard]] bool check_range(JavaThread* thread, Handle array, i32 offset, i32 length) MAY_SAFEPOINT;
void copy_out(Handle array, i32 offset, void* to, usize count) TOUCHES_OBJECTS;
void copy_in(Handle array, i32 offset, const void* from, usize count) TOUCHES_OBJECTS;

// Memory for data in transit; on the stack if the data is small.
class TransferBuffer {
 public:
  explicit TransferBuffer(usize bytes) {
    if (bytes > sizeof(small_)) large_ = std::make_unique_for_overwrite<char[]>(bytes);
  }
  char* data() { return large_ ? large_.get() : small_; }

 private:
  char small_[8192];
  std::unique_ptr<char[]> large_;
};

template <typename T> T* native_address(i64 address) { return reinterpret_cast<T*>(static_cast<uptr>(address)); }
inline const char* native_path(i64 address) { return native_address<const char>(address); }

// The number of bytes that a descriptor can deliver without blocking. An IOException may be pending.
i32 bytes_available(JavaThread* thread, i32 number) MAY_SAFEPOINT;

}  // namespace keyhole::natives::io
