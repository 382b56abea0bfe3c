// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Saves, write-protects and restores pages. Rules: memory_image.h.
#include "vm/tools/explore/memory_image.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>

#include "runtime/base/page.h"
#include "vm/tools/explore/raw_calls.h"

namespace keyhole::explore {

namespace {

void* map_shared(usize bytes) {
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return memory == MAP_FAILED ? nullptr : memory;
}

u64 parse_hexadecimal(const char*& text) {
  u64 value = 0;
  for (;; ++text) {
    if (*text >= '0' && *text <= '9') value = value * 16 + static_cast<u64>(*text - '0');
    else if (*text >= 'a' && *text <= 'f') value = value * 16 + static_cast<u64>(*text - 'a' + 10);
    else return value;
  }
}

bool is_zero(const char* page) {
  const u64* words = reinterpret_cast<const u64*>(page);
  return std::all_of(words, words + page_bytes / sizeof(u64), [](u64 word) { return word == 0; });
}

constexpr u64 present_bit = u64{1} << 63, swapped_bit = u64{1} << 62;

// Calls each(address, entry) for every page of a range, with the page's entry of /proc/self/pagemap.
template <typename Each> bool for_each_entry(int pagemap, u64 start, u64 end, Each each) {
  u64 entries[512];
  for (u64 at = start; at < end; at += sizeof entries / sizeof(u64) * page_bytes) {
    u64 count = std::min<u64>((end - at) / page_bytes, sizeof entries / sizeof(u64));
    i64 bytes = raw_call(SYS_pread64, pagemap, entries, count * sizeof(u64), at / page_bytes * sizeof(u64));
    if (bytes != static_cast<i64>(count * sizeof(u64))) return false;
    for (u64 i = 0; i < count; ++i)
      if (!each(at + i * page_bytes, entries[i])) return false;
  }
  return true;
}

}  // namespace

MemoryImage* MemoryImage::make() {
  void* memory = map_shared(sizeof(MemoryImage));
  char* store = static_cast<char*>(map_shared(u64{max_pages} * page_bytes));
  if (memory == nullptr || store == nullptr) return nullptr;
  MemoryImage* image = new (memory) MemoryImage;
  image->store_ = store;
  return image;
}

void MemoryImage::destroy(MemoryImage* image) {
  munmap(image->store_, u64{max_pages} * page_bytes);
  munmap(image, sizeof(MemoryImage));
}

void MemoryImage::reset() {
  limit_ = Limit::none;
  range_count_ = page_count_ = hot_count_ = 0;
  memset(hot_index_, 0, sizeof hot_index_);
}

bool MemoryImage::add_page(u64 address) {
  if (page_count_ == max_pages) return false;
  iovec from{reinterpret_cast<void*>(address), page_bytes}, to{copy_of(page_count_), page_bytes};
  i64 process = raw_call(SYS_getpid);
  i64 copied = raw_call(SYS_process_vm_readv, process, &to, 1, &from, 1, 0);
  if (copied == -EFAULT) return true;                        // a guard page
  if (copied != static_cast<i64>(page_bytes)) return false;  // the kernel or the container forbids the system call
  pages_[page_count_++] = address;
  return true;
}

bool MemoryImage::add_mapping(u64 start, u64 end, bool is_file) {
  if (range_count_ == max_ranges) return false;
  ranges_[range_count_++] = {start, end};
  if (is_file) {
    for (u64 at = start; at < end; at += page_bytes)
      if (!add_page(at)) return false;
    return true;
  }
  i64 pagemap = raw_call(SYS_open, "/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
  if (pagemap < 0) return false;
  bool is_good = for_each_entry(static_cast<int>(pagemap), start, end, [this](u64 address, u64 entry) {
    return (entry & (present_bit | swapped_bit)) == 0 || add_page(address);
  });
  raw_call(SYS_close, pagemap);
  return is_good;
}

bool MemoryImage::take() {
  i64 maps = raw_call(SYS_open, "/proc/self/maps", O_RDONLY | O_CLOEXEC);
  if (maps < 0) return false;
  u64 length = 0;
  for (i64 bytes; length < sizeof text_ - 1; length += static_cast<u64>(bytes)) {
    bytes = raw_call(SYS_read, maps, text_ + length, sizeof text_ - 1 - length);
    if (bytes <= 0) break;
  }
  raw_call(SYS_close, maps);
  if (length == sizeof text_ - 1) return false;
  text_[length] = '\0';
  // start-end rw-p offset device inode   path
  for (const char* line = text_; *line != '\0';) {
    const char* end_of_line = strchr(line, '\n');
    if (end_of_line == nullptr) return false;
    const char* at = line;
    u64 start = parse_hexadecimal(at);
    u64 end = parse_hexadecimal(++at);
    ++at;
    bool is_private_writable = at[0] == 'r' && at[1] == 'w' && at[3] == 'p';
    const char* path = static_cast<const char*>(memchr(at, '/', static_cast<usize>(end_of_line - at)));
    const char* kernel = static_cast<const char*>(memchr(at, '[', static_cast<usize>(end_of_line - at)));
    bool is_kernels = kernel != nullptr && kernel[1] == 'v';
    line = end_of_line + 1;
    if (!is_private_writable || is_kernels) continue;
    if (!add_mapping(start, end, path != nullptr)) return false;
  }
  for (u32 i = 0; i < range_count_; ++i) {
    if (raw_call(SYS_mprotect, ranges_[i].start, ranges_[i].end - ranges_[i].start, PROT_READ) != 0) return false;
  }
  return true;
}

u32 MemoryImage::find_page(u64 address) const {
  const u64* end = pages_ + page_count_;
  const u64* at = std::lower_bound(pages_, end, address);
  return at != end && *at == address ? static_cast<u32>(at - pages_) : absent;
}

bool MemoryImage::contains(u64 start, u64 end) const {
  for (u32 i = 0; i < range_count_; ++i)
    if (start >= ranges_[i].start && end <= ranges_[i].end) return true;
  return false;
}

namespace {
constexpr u64 hash_of_page(u64 address, u64 slots) { return (address / page_bytes * 0x9E3779B97F4A7C15 >> 32) % slots; }
}  // namespace

bool MemoryImage::is_hot(u64 address) const {
  for (u64 slot = hash_of_page(address, hash_slots); hot_index_[slot] != 0; slot = (slot + 1) % hash_slots)
    if (hot_[hot_index_[slot] - 1].address == address) return true;
  return false;
}

bool MemoryImage::handle_write(u64 address) {
  address &= ~(page_bytes - 1);
  if (!contains(address, address + page_bytes) || is_hot(address)) return false;
  if (hot_count_ == max_hot) return reach(Limit::pages), false;
  if (raw_call(SYS_mprotect, address, page_bytes, PROT_READ | PROT_WRITE) != 0) return reach(Limit::mappings), false;
  hot_[hot_count_++] = {address, find_page(address)};
  u64 slot = hash_of_page(address, hash_slots);
  while (hot_index_[slot] != 0) slot = (slot + 1) % hash_slots;
  hot_index_[slot] = hot_count_;
  return true;
}

bool MemoryImage::add_zeroes(u64 start, u64 end) {
  if (range_count_ == max_ranges) return false;
  ranges_[range_count_++] = {start, end};
  return true;
}

bool MemoryImage::exclude(u64 start, u64 end) {
  for (u32 i = 0, count = range_count_; i < count; ++i) {
    Range range = ranges_[i];
    if (range.end <= start || end <= range.start) continue;
    ranges_[i].end = std::max(start, range.start);
    if (range.end > end && !add_zeroes(end, range.end)) return false;
  }
  for (u32 i = 0; i < hot_count_; ++i)
    if (hot_[i].address >= start && hot_[i].address < end) hot_[i].address = 0;
  return true;
}

void MemoryImage::clear(u64 start, u64 end) {
  for (const u64* at = std::lower_bound(pages_, pages_ + page_count_, start); at != pages_ + page_count_ && *at < end;
       ++at)
    memset(reinterpret_cast<void*>(*at), 0, page_bytes);
  for (u32 i = 0; i < hot_count_; ++i) {
    u64 address = hot_[i].address;
    if (address >= start && address < end) memset(reinterpret_cast<void*>(address), 0, page_bytes);
  }
}

void MemoryImage::touch(u64 start, u64 bytes) {
  if (bytes == 0) return;
  for (u64 page = start & ~(page_bytes - 1); page < start + bytes; page += page_bytes) {
    if (contains(page, page + page_bytes) && !is_hot(page)) handle_write(page);
  }
}

void MemoryImage::restore() {
  for (u32 i = 0; i < hot_count_; ++i) {
    if (hot_[i].address == 0) continue;
    void* target = reinterpret_cast<void*>(hot_[i].address);
    if (hot_[i].page == absent) memset(target, 0, page_bytes);
    else memcpy(target, copy_of(hot_[i].page), page_bytes);
  }
}

u64 MemoryImage::verify() {
  for (u32 i = 0; i < page_count_; ++i)
    if (memcmp(reinterpret_cast<void*>(pages_[i]), copy_of(i), page_bytes) != 0) return pages_[i];
  i64 pagemap = raw_call(SYS_open, "/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
  u64 wrong = 0;
  for (u32 i = 0; i < range_count_ && wrong == 0; ++i) {
    for_each_entry(static_cast<int>(pagemap), ranges_[i].start, ranges_[i].end, [&](u64 address, u64 entry) {
      bool was_absent = (entry & present_bit) != 0 && find_page(address) == absent;
      if (was_absent && !is_zero(reinterpret_cast<const char*>(address))) wrong = address;
      return wrong == 0;
    });
  }
  raw_call(SYS_close, pagemap);
  return wrong;
}

}  // namespace keyhole::explore
