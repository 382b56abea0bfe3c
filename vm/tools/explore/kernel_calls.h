// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// System calls of an execution that is rolled back in its process. From the root on each call is trapped (Syscall User
// Dispatch, Linux 5.11), and belongs to one of four kinds:
//
//   passed      changes nothing that lasts: gettid, reads of files, writes to the output, which is cut later
//   emulated    mmap, munmap, mprotect, madvise, brk: mappings stay from execution to execution, and are used again
//   the end     exit, exit_group: the execution is over
//   refused     all others: this program needs another engine
//
// K1: a new mapping holds zeroes, and its pages are part of the image (memory_image.h). A mapping that the execution
//     gives up stays mapped, because the next execution has it again.
// K2: a mapping is used again for the same size and the same wanted address, so equal executions have equal addresses.
// K3: descriptors that an execution opens are closed when it is over, and offsets of files that it has read go back.
#pragma once

#include "vm/tools/explore/memory_image.h"

namespace keyhole::explore {

class KernelCalls {
 public:
  struct Call {
    i64 number;
    u64 arguments[6];
  };
  enum class Effect : u8 { done, ends, refused };

  // Called at the root, before the image is taken: reserves memory for the heap of malloc.
  void begin();
  // Performs the call. `result` is the caller's, or the exit code.
  Effect perform(MemoryImage& image, const Call& call, i64& result);
  // Takes back what the execution changed in the kernel, but its output, which the explorer may still read.
  void roll_back();
  // Cuts the output to the lengths that its two files had at the root.
  void cut_output(i64 output_bytes, i64 errors_bytes);

 private:
  struct Mapping {
    u64 start, bytes, wanted;
    bool is_in_use, was_used;      // was_used: in this execution
    bool is_roots;                 // mapped before the root
    u64 guard_start, guard_bytes;  // without access
  };
  struct File {
    int number;
    bool is_opened;  // since the root
    i64 offset;      // at the root
  };
  static constexpr u32 max_mappings = 1024, max_files = 256;
  static constexpr u64 reserved_heap_bytes = 256u << 20;

  Effect map(MemoryImage& image, const Call& call, i64& result);
  Effect unmap(MemoryImage& image, const Call& call, i64& result);
  Effect protect(const Call& call, i64& result);
  Effect set_break(MemoryImage& image, u64 wanted, i64& result);
  Effect read_file(MemoryImage& image, const Call& call, u32 buffer, u64 bytes, i64& result);
  Effect open_file(const Call& call, u64 flags, i64& result);
  File* file_of(int number);

  u64 break_ = 0, root_break_ = 0, break_limit_ = 0;
  u64 signal_mask_ = 0;
  bool has_written_ = false, has_masked_ = false;
  u32 mapping_count_ = 0, file_count_ = 0;
  Mapping mappings_[max_mappings] = {};
  File files_[max_files] = {};
};

}  // namespace keyhole::explore
