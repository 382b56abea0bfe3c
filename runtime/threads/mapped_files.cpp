// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The table of mappings, and mremap. Rules: mapped_files.h.
#include "runtime/threads/mapped_files.h"

#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <map>

#include "runtime/base/page.h"
#include "runtime/threads/threads_internal.h"

namespace keyhole::mapped_files {
namespace {

struct Hidden {
  uptr page;
  usize bytes;
  void* aside;  // the address of the file's pages while they are hidden
};
constexpr usize most_hidden = 64;

// The table is never destroyed, because threads may unmap while the process ends.
struct Table {
  std::map<uptr, usize> mappings;
  Hidden hidden[most_hidden];
  usize hidden_count = 0;
};

// Whether the table of mapped files exists. Until it exists, the signal handler treats every fault as fatal.
std::atomic<bool> has_mappings{false};

// The table's lock. It is a spin lock, because the signal handler takes it. Its holder accesses no mapped file, so the
// handler never interrupts the holder.
std::atomic_flag is_locked;

class TableLock {
 public:
  TableLock() {
    while (is_locked.test_and_set(std::memory_order_acquire)) __builtin_ia32_pause();
  }
  ~TableLock() { is_locked.clear(std::memory_order_release); }
  TableLock(const TableLock&) = delete;
  TableLock& operator=(const TableLock&) = delete;
  Table& table() const {
    static auto* all = new Table;
    return *all;
  }
};

void* at(uptr address) { return reinterpret_cast<void*>(address); }

// Moves the file's pages to another address and puts zeros in their place. The old addresses stay mapped throughout, so
// that no other mmap can take them. Kernels before 5.13 cannot move pages of a file in this way. On such a kernel, a
// shared mapping is mapped a second time instead.
bool hide(Table& table, uptr page, usize bytes) {
  if (table.hidden_count == most_hidden) return false;
  void* aside = mremap(at(page), bytes, bytes, MREMAP_MAYMOVE | MREMAP_DONTUNMAP);
  if (aside == MAP_FAILED) aside = mremap(at(page), 0, bytes, MREMAP_MAYMOVE);
  if (aside == MAP_FAILED) return false;
  if (mmap(at(page), bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED) {
    munmap(aside, bytes);
    return false;
  }
  table.hidden[table.hidden_count++] = {page, bytes, aside};
  return true;
}

void show_all(Table& table) {
  for (usize i = 0; i < table.hidden_count; ++i) {
    const Hidden& each = table.hidden[i];
    mremap(each.aside, each.bytes, each.bytes, MREMAP_MAYMOVE | MREMAP_FIXED, at(each.page));
  }
  table.hidden_count = 0;
}

// Returns how many bytes to hide, from `page` on. If a hidden part ends at `page`, the new part is twice as long as
// that part, because a copy across many missing pages would otherwise fault at each page.
usize bytes_to_hide(const Table& table, uptr page, uptr end) {
  usize bytes = page_bytes;
  for (usize i = 0; i < table.hidden_count; ++i) {
    if (table.hidden[i].page + table.hidden[i].bytes == page) bytes = 2 * table.hidden[i].bytes;
  }
  return std::min(bytes, end - page);
}

}  // namespace

void add(uptr address, usize bytes) {
  TableLock lock;
  lock.table().mappings[address] = bytes;
  has_mappings.store(true, std::memory_order_relaxed);
}

int remove(uptr address, usize bytes) {
  TableLock lock;
  Table& table = lock.table();
  show_all(table);
  table.mappings.erase(address);
  return munmap(at(address), bytes);
}

bool hide_page(JavaThread* thread, uptr accessed) {
  ThreadState state = thread->state.load(std::memory_order_relaxed);
  if (state != ThreadState::InJava && state != ThreadState::InVM) return false;  // R2
  if (!has_mappings.load(std::memory_order_relaxed)) return false;
  int saved_errno = errno;
  TableLock lock;
  Table& table = lock.table();
  auto next = table.mappings.upper_bound(accessed);
  if (next == table.mappings.begin()) return false;
  auto [begin, bytes] = *std::prev(next);
  uptr end = begin + align_up(bytes, page_bytes), page = accessed & ~(page_bytes - 1);
  if (accessed >= end) return false;  // R1
  bool is_hidden = std::any_of(table.hidden, table.hidden + table.hidden_count, [&](const Hidden& each) {
    return page >= each.page && page < each.page + each.bytes;  // another thread has hidden the page since the fault
  });
  // A part of a private mapping that was hidden and brought back is a mapping of its own, and cannot move together with
  // the pages around it. So if the first attempt to hide fails, the second hides one page only.
  if (!is_hidden && !hide(table, page, bytes_to_hide(table, page, end)) && !hide(table, page, page_bytes)) return false;
  thread->memory_fault.store(true, std::memory_order_relaxed);
  threads::internal::Protocol::arm(thread, threads::internal::Protocol::asynchronous_bit);
  errno = saved_errno;
  return true;
}

bool take_fault(JavaThread* thread) {
  if (!thread->memory_fault.load(std::memory_order_relaxed)) return false;
  thread->memory_fault.store(false, std::memory_order_relaxed);
  TableLock lock;
  show_all(lock.table());
  return true;
}

}  // namespace keyhole::mapped_files
