// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Handles the system calls of an execution that the engine `pages` will roll back in the same process. After the root,
// every call is trapped (Syscall User Dispatch, Linux 5.11). Each call is of one of four kinds:
//
//   passed      changes nothing that lasts: gettid, reads of files, writes to the output, which is cut later
//   emulated    mmap, munmap, mprotect, madvise, brk: mappings stay from execution to execution, and are used again
//   the end     exit, exit_group: the execution is over
//   refused     all others: this program needs another engine
//
// K1: a new mapping holds zeroes, and its pages are added to the image (memory_image.h). If the execution unmaps it, it
//     stays mapped in the kernel, because the next execution is going to map it again. Its guard page stays without
//     access. If a later execution uses the page before it has made it a guard, the fault handler opens the page.
// K2: a mapping is reused for a request of the same size and the same wanted address, so equal executions get equal
//     addresses.
// K3: after an execution, the descriptors that it opened are closed, and the offsets of files that it read are reset.
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

  // Reserves memory for malloc's heap. Called at the root, before the image is taken.
  void begin();
  // Performs the call. `result` is what the call returns to the program, or the exit code.
  Effect perform(MemoryImage& image, const Call& call, i64& result);
  // Handles a fault at the address: opens a guard page that another execution has made (K1). Returns false if there is
  // no such page.
  bool reopen(MemoryImage& image, u64 address);
  // Undoes the execution's changes to kernel state, except for its output, which the explorer may still read.
  void roll_back();
  // Truncates the two output files to their sizes at the root.
  void cut_output(i64 output_bytes, i64 errors_bytes);

 private:
  struct Mapping {
    u64 start, bytes, wanted;
    bool is_in_use, was_used;      // was_used: in this execution
    bool is_roots;                 // mapped before the root
    u64 guard_start, guard_bytes;  // without access
    bool is_guarded;               // by this execution
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
  Effect protect(MemoryImage& image, const Call& call, i64& result);
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
