// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Has the table of system calls, and performs or emulates them. Rules: kernel_calls.h.
#include "vm/tools/explore/kernel_calls.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "runtime/base/page.h"
#include "vm/tools/explore/raw_calls.h"

namespace keyhole::explore {

namespace {

i64 pass(const KernelCalls::Call& call) {
  const u64* a = call.arguments;
  return keyhole_raw_call(call.number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

constexpr u64 signal_mask_bytes = 8;

}  // namespace

void KernelCalls::begin() {
  root_break_ = break_ = static_cast<u64>(raw_call(SYS_brk, 0));
  break_limit_ = static_cast<u64>(raw_call(SYS_brk, root_break_ + reserved_heap_bytes));
  raw_call(SYS_rt_sigprocmask, SIG_BLOCK, nullptr, &signal_mask_, signal_mask_bytes);
}

KernelCalls::Effect KernelCalls::perform(MemoryImage& image, const Call& call, i64& result) {
  const u64* a = call.arguments;
  switch (call.number) {
    case SYS_exit:
    case SYS_exit_group: result = static_cast<i64>(a[0] & 0xFF); return Effect::ends;
    case SYS_mmap: return map(image, call, result);
    case SYS_munmap: return unmap(image, call, result);
    case SYS_mprotect: return protect(image, call, result);
    case SYS_brk: return set_break(image, a[0], result);
    case SYS_mremap: result = -ENOMEM; return Effect::done;
    case SYS_madvise:
      result = 0;
      if (a[2] == MADV_DONTNEED || a[2] == MADV_FREE) image.clear(a[0], a[0] + a[1]);
      else if (a[2] != MADV_NOHUGEPAGE && a[2] != MADV_HUGEPAGE && a[2] > MADV_WILLNEED) return Effect::refused;
      return Effect::done;
    case SYS_write:
    case SYS_writev:
      if (a[0] != STDOUT_FILENO && a[0] != STDERR_FILENO) return Effect::refused;
      has_written_ = true;
      break;
    case SYS_read: return read_file(image, call, 1, a[2], result);
    case SYS_pread64: return read_file(image, call, 1, a[2], result);
    case SYS_lseek:
      if (file_of(static_cast<int>(a[0])) == nullptr) return Effect::refused;
      break;
    case SYS_open: return open_file(call, a[1], result);
    case SYS_openat: return open_file(call, a[2], result);
    case SYS_close: {
      File* file = file_of(static_cast<int>(a[0]));
      if (file == nullptr || !file->is_opened) return Effect::refused;
      *file = files_[--file_count_];
      break;
    }
    case SYS_fstat:
    case SYS_stat:
    case SYS_lstat: image.touch(a[1], sizeof(struct stat)); break;
    case SYS_newfstatat: image.touch(a[2], sizeof(struct stat)); break;
    case SYS_readlink: image.touch(a[1], a[2]); break;
    case SYS_getcwd: image.touch(a[0], a[1]); break;
    case SYS_clock_gettime: image.touch(a[1], sizeof(timespec)); break;
    case SYS_rt_sigprocmask:
      if (a[2] != 0) image.touch(a[2], a[3]);
      has_masked_ = true;
      break;
    case SYS_futex:
      if ((a[1] & FUTEX_CMD_MASK) != FUTEX_WAKE) return Effect::refused;
      break;
    case SYS_fcntl:
      if (a[1] != F_GETFL && a[1] != F_GETFD) return Effect::refused;
      break;
    case SYS_access:
    case SYS_faccessat:
    case SYS_gettid:
    case SYS_getpid:
    case SYS_getuid:
    case SYS_sched_yield:
    case SYS_tgkill: break;
    default: return Effect::refused;
  }
  result = pass(call);
  return Effect::done;
}

KernelCalls::Effect KernelCalls::map(MemoryImage& image, const Call& call, i64& result) {
  auto [wanted, wanted_bytes, protection, flags, file, offset] = call.arguments;
  u64 bytes = (wanted_bytes + page_bytes - 1) & ~(page_bytes - 1);
  bool is_plain =
      protection == (PROT_READ | PROT_WRITE) && (flags & MAP_ANONYMOUS) != 0 && (flags & MAP_TYPE) == MAP_PRIVATE;
  if (!is_plain || bytes == 0) return Effect::refused;
  for (u32 i = 0; i < mapping_count_; ++i) {
    Mapping& mapping = mappings_[i];
    bool overlaps = wanted < mapping.start + mapping.bytes && mapping.start < wanted + bytes;
    bool is_exact = mapping.bytes == bytes && (wanted == mapping.wanted || (wanted == mapping.start && wanted != 0));
    if (is_exact && !mapping.is_in_use) {
      if (mapping.was_used) image.clear(mapping.start, mapping.start + bytes);
      mapping.is_in_use = mapping.was_used = true;
      result = static_cast<i64>(mapping.start);
      return Effect::done;
    }
    if (overlaps && wanted != 0) {
      if (!mapping.is_in_use) return Effect::refused;
      result = -EEXIST;
      return (flags & MAP_FIXED_NOREPLACE) != 0 ? Effect::done : Effect::refused;
    }
  }
  if (mapping_count_ == max_mappings || (flags & MAP_FIXED) != 0) return Effect::refused;
  result = raw_call(SYS_mmap, wanted, bytes, PROT_READ, flags, file, offset);
  if (result == -ENOMEM) image.reach(MemoryImage::Limit::mappings);
  if (result < 0 && result >= -4095) return Effect::done;
  u64 start = static_cast<u64>(result);
  if (!image.add_zeroes(start, start + bytes)) return Effect::refused;
  mappings_[mapping_count_++] = {start, bytes, wanted, true, true, false, 0, 0, false};
  return Effect::done;
}

KernelCalls::Effect KernelCalls::unmap(MemoryImage& image, const Call& call, i64& result) {
  u64 start = call.arguments[0], bytes = (call.arguments[1] + page_bytes - 1) & ~(page_bytes - 1);
  result = 0;
  for (u32 i = 0; i < mapping_count_; ++i) {
    Mapping& mapping = mappings_[i];
    if (mapping.start + mapping.bytes <= start || start + bytes <= mapping.start) continue;
    if (mapping.start != start || mapping.bytes != bytes || !mapping.is_in_use) return Effect::refused;
    mapping.is_in_use = mapping.is_guarded = false;
    return Effect::done;
  }
  if (mapping_count_ == max_mappings) return Effect::refused;
  // The mapping existed at the root, so it stays mapped and counts as free. A guard page within it keeps its
  // protection.
  mappings_[mapping_count_++] = {start, bytes, start, false, true, true, 0, 0, false};
  return Effect::done;
}

KernelCalls::Effect KernelCalls::protect(MemoryImage& image, const Call& call, i64& result) {
  auto [start, bytes, protection, unused, unused_too, unused_also] = call.arguments;
  result = 0;
  if (protection != PROT_NONE) return Effect::refused;
  for (u32 i = 0; i < mapping_count_; ++i) {
    Mapping& mapping = mappings_[i];
    if (start < mapping.start || start + bytes > mapping.start + mapping.bytes) continue;
    if (mapping.guard_start == start && mapping.guard_bytes == bytes) {
      mapping.is_guarded = true;
      return Effect::done;
    }
    // The rollback writes to memory that was writable at the root, so this memory cannot become a guard.
    bool is_of_image = mapping.is_roots && image.contains(start, start + bytes);
    if (mapping.guard_bytes != 0 || is_of_image) return Effect::refused;
    result = raw_call(SYS_mprotect, start, bytes, PROT_NONE);
    if (result == -ENOMEM) image.reach(MemoryImage::Limit::mappings);
    if (result != 0) return Effect::done;
    mapping.guard_start = start;
    mapping.guard_bytes = bytes;
    mapping.is_guarded = true;
    return image.exclude(start, start + bytes) ? Effect::done : Effect::refused;
  }
  return Effect::refused;
}

bool KernelCalls::reopen(MemoryImage& image, u64 address) {
  for (u32 i = 0; i < mapping_count_; ++i) {
    Mapping& mapping = mappings_[i];
    u64 start = mapping.guard_start, end = start + mapping.guard_bytes;
    if (address < start || address >= end || mapping.is_roots || mapping.is_guarded || !mapping.is_in_use) continue;
    i64 result = raw_call(SYS_mprotect, start, end - start, PROT_READ);
    if (result != 0 || !image.add_zeroes(start, end)) return image.reach(MemoryImage::Limit::mappings), false;
    mapping.guard_start = mapping.guard_bytes = 0;
    return true;
  }
  return false;
}

KernelCalls::Effect KernelCalls::set_break(MemoryImage& image, u64 wanted, i64& result) {
  if (wanted >= root_break_ && wanted <= break_limit_) {
    if (wanted < break_) image.clear((wanted + page_bytes - 1) & ~(page_bytes - 1), break_);
    break_ = wanted;
  } else if (wanted != 0 && wanted < root_break_) {
    return Effect::refused;
  }
  result = static_cast<i64>(break_);
  return Effect::done;
}

// Returns the entry of a file descriptor. At the descriptor's first use, saves its offset. Returns null if the table is
// full or the file has no offset.
KernelCalls::File* KernelCalls::file_of(int number) {
  for (u32 i = 0; i < file_count_; ++i)
    if (files_[i].number == number) return &files_[i];
  i64 offset = raw_call(SYS_lseek, number, 0, SEEK_CUR);
  if (offset < 0 || file_count_ == max_files) return nullptr;
  files_[file_count_] = {number, false, offset};
  return &files_[file_count_++];
}

KernelCalls::Effect KernelCalls::read_file(MemoryImage& image, const Call& call, u32 buffer, u64 bytes, i64& result) {
  // Standard input is /dev/null.
  if (call.arguments[0] != STDIN_FILENO && file_of(static_cast<int>(call.arguments[0])) == nullptr)
    return Effect::refused;
  image.touch(call.arguments[buffer], bytes);
  result = pass(call);
  return Effect::done;
}

KernelCalls::Effect KernelCalls::open_file(const Call& call, u64 flags, i64& result) {
  if ((flags & (O_ACCMODE | O_CREAT | O_TRUNC)) != O_RDONLY || file_count_ == max_files) return Effect::refused;
  result = pass(call);
  if (result >= 0) files_[file_count_++] = {static_cast<int>(result), true, 0};
  return Effect::done;
}

void KernelCalls::cut_output(i64 output_bytes, i64 errors_bytes) {
  if (!has_written_) return;
  raw_call(SYS_ftruncate, STDOUT_FILENO, output_bytes);
  raw_call(SYS_ftruncate, STDERR_FILENO, errors_bytes);
  has_written_ = false;
}

void KernelCalls::roll_back() {
  if (has_masked_) raw_call(SYS_rt_sigprocmask, SIG_SETMASK, &signal_mask_, nullptr, signal_mask_bytes);
  has_masked_ = false;
  for (u32 i = 0; i < file_count_; ++i) {
    if (files_[i].is_opened) raw_call(SYS_close, files_[i].number);
    else raw_call(SYS_lseek, files_[i].number, files_[i].offset, SEEK_SET);
  }
  file_count_ = 0;
  for (u32 i = 0; i < mapping_count_; ++i) {
    mappings_[i].is_in_use = mappings_[i].was_used = mappings_[i].is_roots;
    mappings_[i].is_guarded = false;
  }
  break_ = root_break_;
}

}  // namespace keyhole::explore
