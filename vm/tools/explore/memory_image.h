// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// MemoryImage: a snapshot of a process's private writable memory, which the process can restore.
//
//   take():     a copy of every page; all pages become read-only
//   a write:    page fault --> the page is hot: writable from then on, and copied back by each restore()
//   restore():  copies hot pages back, or fills them with zeroes if they were absent from the image
//
// After a few executions the set of hot pages is stable, and an execution costs no page faults.
//
// M1: the image covers all private writable mappings except those that the caller excludes. It does not cover shared
//     mappings, so the image itself is stored in one.
// M2: of a file mapping, take() copies all pages, because a page that is not present has the file's bytes. Of an
//     anonymous mapping, take() copies the pages that are present; an absent page holds zeroes.
// M3: between take() and restore(), a system call that writes to a read-only page of the image would fail. So callers
//     touch() the memory before such a system call.
// M4: the functions of this class that run between take() and restore() use no heap, and change no global variable.
// M5: a page cannot become hot if there are too many, or if the kernel has no mapping left for it. Then the image has a
//     limit(), for which callers ask after each fault and each system call.
#pragma once

#include "runtime/base/types.h"

namespace keyhole::explore {

class MemoryImage {
 public:
  // Allocates an image in shared memory. Returns null if there is no memory.
  static MemoryImage* make();
  static void destroy(MemoryImage* image);

  // Empties the image, which an earlier process may have filled.
  void reset();
  // Copies the process's memory into the image. Returns false if the memory does not fit.
  bool take();
  void restore();
  // Returns the address of a page whose content differs from the image after restore(), or 0.
  u64 verify();

  // Handles a write fault. Returns false if the address is not in a page that the image has made read-only.
  bool handle_write(u64 address);
  // Adds memory that was mapped read-only after take(); the image treats it as zeroes. Returns false if there are too
  // many mappings.
  bool add_zeroes(u64 start, u64 end);
  // Removes a range from the image, because the program has made it an inaccessible guard. restore() then does not
  // write to it. Returns false if there are too many mappings.
  bool exclude(u64 start, u64 end);
  // Fills the memory with zeroes, as the kernel does for new mappings.
  void clear(u64 start, u64 end);
  // Makes the pages of a buffer hot (writable), before a system call writes to it.
  void touch(u64 start, u64 bytes);
  bool contains(u64 start, u64 end) const;
  u32 hot_pages() const { return hot_count_; }
  u32 pages() const { return page_count_; }

  static constexpr u32 max_hot = 1u << 16;
  enum class Limit : u8 { none, pages, mappings };
  Limit limit() const { return limit_; }  // M5
  void reach(Limit limit) { limit_ = limit; }

 private:
  static constexpr u32 max_ranges = 4096, max_pages = 1u << 17, hash_slots = 1u << 18;
  static constexpr u32 absent = UINT32_MAX;
  struct Range {
    u64 start, end;
  };
  struct HotPage {
    u64 address;  // 0: it was taken out
    u32 page;     // in pages_, or absent
  };

  bool add_mapping(u64 start, u64 end, bool is_file);
  bool add_page(u64 address);
  u32 find_page(u64 address) const;
  bool is_hot(u64 address) const;
  char* copy_of(u32 page) { return store_ + u64{page} * 4096; }

  Limit limit_ = Limit::none;
  u32 range_count_ = 0, page_count_ = 0, hot_count_ = 0;
  Range ranges_[max_ranges] = {};
  u64 pages_[max_pages] = {};  // addresses, ascending
  HotPage hot_[max_hot] = {};
  u32 hot_index_[hash_slots] = {};  // hash table by page address: the page's index in hot_, plus 1
  char* store_ = nullptr;
  char text_[1u << 20] = {};  // of /proc/self/maps
};

}  // namespace keyhole::explore
