// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// MemoryImage: the private writable memory of a process at one moment, to which the process can go back.
//
//   take():     a copy of every page; all pages become read-only
//   a write:    page fault --> the page is hot: writable from then on, and copied back by each restore()
//   restore():  copies hot pages back, or fills them with zeroes if they were absent from the image
//
// After a few executions the set of hot pages is stable, and an execution costs no page faults.
//
// M1: the image has all private writable mappings but those that the caller excludes. Shared mappings are left out, so
//     the image's own data lies in one.
// M2: of mappings of files all pages are copied, because an absent page has the file's bytes. Of anonymous mappings
//     pages that are present are copied, and an absent page holds zeroes.
// M3: the kernel writes to no page between take() and restore(): a system call that fills memory fails on a read-only
//     page, so callers touch() the memory before.
// M4: functions called between take() and restore() use no heap, and change no global variable.
#pragma once

#include "runtime/base/types.h"

namespace keyhole::explore {

class MemoryImage {
 public:
  // An image in shared memory. Null: there is none.
  static MemoryImage* make();
  static void destroy(MemoryImage* image);

  // Forgets the image of another process.
  void reset();
  // Copies the memory. False: it does not fit.
  bool take();
  void restore();
  // The address of a page that restore() did not bring back, or 0.
  u64 verify();

  // Handles a write to a read-only page. False: the fault is not the image's.
  bool handle_write(u64 address);
  // Adds memory that was mapped, read-only, after take(): it holds zeroes in the image. False: too many mappings.
  bool add_zeroes(u64 start, u64 end);
  // Fills the memory with zeroes, as the kernel does for new mappings.
  void clear(u64 start, u64 end);
  // Makes pages hot that the kernel is about to write.
  void touch(u64 start, u64 bytes);
  bool contains(u64 start, u64 end) const;
  u32 hot_pages() const { return hot_count_; }
  u32 pages() const { return page_count_; }
  bool is_full() const { return hot_count_ == max_hot; }

 private:
  static constexpr u32 max_ranges = 4096, max_pages = 1u << 17, max_hot = 1u << 16, hash_slots = 1u << 18;
  static constexpr u32 absent = UINT32_MAX;
  struct Range {
    u64 start, end;
  };
  struct HotPage {
    u64 address;
    u32 page;  // in pages_, or absent
  };

  bool add_mapping(u64 start, u64 end, bool is_file);
  bool add_page(u64 address);
  u32 find_page(u64 address) const;
  bool is_hot(u64 address) const;
  char* copy_of(u32 page) { return store_ + u64{page} * 4096; }

  u32 range_count_ = 0, page_count_ = 0, hot_count_ = 0;
  Range ranges_[max_ranges] = {};
  u64 pages_[max_pages] = {};  // addresses, ascending
  HotPage hot_[max_hot] = {};
  u32 hot_index_[hash_slots] = {};  // by address: one more than the index in hot_
  char* store_ = nullptr;
  char text_[1u << 20] = {};  // of /proc/self/maps
};

}  // namespace keyhole::explore
