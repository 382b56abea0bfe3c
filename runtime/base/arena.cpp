// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Allocates chunks of the metaspace: by one global bump pointer, and from free lists by chunk size.
#include "runtime/base/arena.h"

#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <vector>

#include "runtime/base/address_space.h"
#include "runtime/base/check.h"
#include "runtime/base/metaspace.h"
#include "runtime/base/mutex.h"
#include "runtime/base/page.h"
#include "runtime/base/sanitizers.h"

namespace keyhole {
namespace address_space {

void* map_at(uptr address, usize bytes) {
  void* result = mmap(reinterpret_cast<void*>(address), bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  if (result == MAP_FAILED) return nullptr;
  if (result != reinterpret_cast<void*>(address)) {  // kernels before 4.17 take the address as a hint
    munmap(result, bytes);
    return nullptr;
  }
  return result;
}

namespace {
Mutex stacks_mutex{LockRank::stack_addresses};
uptr next_stack GUARDED_BY(stacks_mutex) = stacks_base;
// Freed stacks by their exact size, as there are only a few sizes. Never destroyed, because threads may end while the
// process ends.
std::multimap<usize, void*>& free_stacks GUARDED_BY(stacks_mutex) = *new std::multimap<usize, void*>;
}  // namespace

void* map_stack(usize bytes, usize alignment) {
  bytes = align_up(bytes, page_bytes);
  MutexLock guard(stacks_mutex);
  auto found = free_stacks.find(bytes);
  if (found != free_stacks.end() && reinterpret_cast<uptr>(found->second) % alignment == 0) {
    void* result = found->second;
    free_stacks.erase(found);
    if (mmap(result, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0) !=
        MAP_FAILED) {
      return result;
    }
  }
  uptr next = align_up(next_stack, alignment);
  if (next + bytes > stacks_base + stacks_reserve_bytes) return nullptr;
  void* result = map_at(next, bytes);
  if (result != nullptr) next_stack = next + bytes;
  return result;
}

void unmap(void* address, usize bytes) {
  bytes = align_up(bytes, page_bytes);
  munmap(address, bytes);
  uptr start = reinterpret_cast<uptr>(address);
  if (start >= stacks_base && start < stacks_base + stacks_reserve_bytes) {
    MutexLock guard(stacks_mutex);
    free_stacks.emplace(bytes, address);
  }
}

}  // namespace address_space

namespace {

constexpr usize first_chunk_bytes = 4_KiB;
constexpr usize largest_ordinary_chunk_bytes = 256_KiB;
constexpr usize first_chunk_given_back =
    // Chunks of this size or more are given back to the kernel; smaller ones are soon reused.
    64_KiB;
constexpr usize mapped_at_once_bytes = 16_MiB;  // the range is mapped in pieces, as ulimit -v may be set
constexpr uptr range_end = address_space::metaspace_base + address_space::metaspace_reserve_bytes;

class ChunkPool {
 public:
  void* take(usize bytes) {
    MutexLock guard(mutex_);
    if (auto found = free_.find(bytes); found != free_.end() && !found->second.empty()) {
      void* chunk = found->second.back();
      found->second.pop_back();
      count_used(bytes);
      unpoison_memory(chunk, bytes);
      memset(chunk, 0, bytes);
      return chunk;
    }
    if (!map_to(top_ + bytes)) {
      // The first chunk, for the first symbol: there is nothing to undo, and it is no bug of the VM.
      if (used_bytes() == 0)
        vm_exit_during_initialization("Could not allocate metaspace: {} bytes", mapped_at_once_bytes);
      KEYHOLE_FATAL("java.lang.OutOfMemoryError: Metaspace");
    }
    void* chunk = reinterpret_cast<void*>(top_);
    top_ += bytes;
    count_used(bytes);
    return chunk;
  }
  void give(void* chunk, usize bytes) {
    if (bytes >= first_chunk_given_back) madvise(chunk, bytes, MADV_DONTNEED);
#if KEYHOLE_DEBUG
    else memset(chunk, 0xDB, bytes);  // a stale pointer into it is noticed
#endif
    poison_memory(chunk, bytes);
    MutexLock guard(mutex_);
    used_bytes_.fetch_sub(bytes, std::memory_order_relaxed);
    free_[bytes].push_back(chunk);
  }
  bool has_room(usize bytes) {
    MutexLock guard(mutex_);
    // There is room after the mapped part, or among returned chunks. These have many sizes, so twice the bytes are
    // required.
    return map_to(top_ + bytes) || top_ - address_space::metaspace_base - used_bytes() >= 2 * bytes;
  }
  usize used_bytes() const { return used_bytes_.load(std::memory_order_relaxed); }
  usize peak_bytes() const { return peak_bytes_.load(std::memory_order_relaxed); }
  void forget_peak() { peak_bytes_.store(used_bytes(), std::memory_order_relaxed); }

 private:
  bool map_to(uptr end) REQUIRES(mutex_) {
    if (end <= mapped_end_) return true;
    if (end > range_end) return false;
    uptr new_end = std::min(
        align_up(end - address_space::metaspace_base, mapped_at_once_bytes) + address_space::metaspace_base, range_end);
    if (address_space::map_at(mapped_end_, new_end - mapped_end_) == nullptr) return false;
    mapped_end_ = new_end;
    return true;
  }
  void count_used(usize bytes) REQUIRES(mutex_) {
    usize used = used_bytes_.load(std::memory_order_relaxed) + bytes;
    used_bytes_.store(used, std::memory_order_relaxed);
    if (used > peak_bytes()) peak_bytes_.store(used, std::memory_order_relaxed);
  }

  Mutex mutex_{LockRank::metaspace_chunks};
  uptr top_ GUARDED_BY(mutex_) = address_space::metaspace_base;
  uptr mapped_end_ GUARDED_BY(mutex_) = address_space::metaspace_base;
  std::map<usize, std::vector<void*>> free_ GUARDED_BY(mutex_);
  std::atomic<usize> used_bytes_{0}, peak_bytes_{0};  // written under the mutex
};

ChunkPool& chunk_pool() {
  static ChunkPool* pool = new ChunkPool();  // outlives every static destructor
  return *pool;
}

}  // namespace

usize metaspace::used_bytes() { return chunk_pool().used_bytes(); }
bool metaspace::has_room(usize bytes) { return chunk_pool().has_room(bytes); }
usize metaspace::peak_bytes() { return chunk_pool().peak_bytes(); }
void metaspace::forget_peak() { chunk_pool().forget_peak(); }

Arena::~Arena() {
  while (chunks_ != nullptr) {
    Chunk* chunk = chunks_;
    chunks_ = chunk->next;
    chunk_pool().give(chunk, chunk->bytes);
  }
}

Arena::Mark Arena::mark() const {
  Mark mark;
  mark.chunk = chunks_;
  mark.top = top_;
  mark.allocated_bytes = allocated_bytes_;
  return mark;
}

void Arena::release_to(const Mark& mark) {
  while (chunks_ != mark.chunk) {
    KEYHOLE_ASSERT(chunks_ != nullptr, "the mark is of another arena");
    Chunk* chunk = chunks_;
    chunks_ = chunk->next;
    top_ = reinterpret_cast<char*>(chunks_) + (chunks_ == nullptr ? 0 : chunks_->bytes);
    end_ = top_;
    chunk_pool().give(chunk, chunk->bytes);
  }
  if (mark.top != nullptr) memset(mark.top, 0, static_cast<usize>(top_ - mark.top));  // allocate() promises zeroes
  top_ = mark.top;
  allocated_bytes_ = mark.allocated_bytes;
}

void* Arena::allocate(usize bytes, usize alignment) {
  char* start = reinterpret_cast<char*>(align_up(reinterpret_cast<uptr>(top_), alignment));
  if (top_ == nullptr || start + bytes > end_) {
    usize wanted = sizeof(Chunk) + bytes + alignment;
    usize chunk_bytes = chunks_ == nullptr ? first_chunk_bytes : chunks_->bytes * 2;
    if (chunk_bytes > largest_ordinary_chunk_bytes) chunk_bytes = largest_ordinary_chunk_bytes;
    if (chunk_bytes < wanted) chunk_bytes = align_up(wanted, 4_KiB);
    Chunk* chunk = static_cast<Chunk*>(chunk_pool().take(chunk_bytes));
    chunk->next = chunks_;
    chunk->bytes = chunk_bytes;
    chunks_ = chunk;
    top_ = reinterpret_cast<char*>(chunk + 1);
    end_ = reinterpret_cast<char*>(chunk) + chunk_bytes;
    start = reinterpret_cast<char*>(align_up(reinterpret_cast<uptr>(top_), alignment));
  }
  allocated_bytes_ += static_cast<usize>(start + bytes - top_);
  top_ = start + bytes;
  return start;
}

}  // namespace keyhole
