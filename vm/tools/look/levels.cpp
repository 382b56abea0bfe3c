// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Merges short slices, thread by thread.
#include "vm/tools/look/levels.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace keyhole::look {

namespace {

// Adjacent slices of one thread that are being merged into one.
class Cluster {
 public:
  bool is_empty() const { return count_ == 0; }
  bool takes(const Slice& next, i64 width) const {
    return count_ != 0 && next.begin - merged_.end < width && next.end - merged_.begin < 2 * width &&
           merged_.length() < width;
  }
  void add(const Slice& next) {
    if (count_++ == 0) merged_ = next, longest_ = next.length(), times_ = {};
    else {
      if (next.length() > longest_) {
        i64 begin = merged_.begin;
        longest_ = next.length();
        merged_ = next;
        merged_.begin = begin;
      }
      merged_.end = next.end;
    }
    times_[static_cast<usize>(next.doing) - 1] += next.length();
  }
  void write_to(std::vector<Slice>& out) {
    if (count_ > 1) {
      for (usize i = 0; i < times_.size(); ++i)
        merged_.shares[i] = static_cast<u8>(
            std::lround(255.0 * static_cast<f64>(times_[i]) / static_cast<f64>(std::max<i64>(merged_.length(), 1))));
      if (merged_.shares == std::array<u8, 4>{}) merged_.shares[static_cast<usize>(merged_.doing) - 1] = 1;
    }
    if (count_ != 0) out.push_back(merged_);
    count_ = 0;
  }

 private:
  u32 count_ = 0;
  i64 longest_ = 0;
  Slice merged_{};
  std::array<i64, 4> times_{};  // blocked, waiting, parked, sleeping
};

std::vector<Slice> merged(const std::vector<Slice>& exact, i64 width) {
  std::unordered_map<u32, Cluster> clusters;  // by thread
  std::vector<Slice> out;
  for (const Slice& each : exact) {
    Cluster& cluster = clusters[each.thread];
    bool is_long = each.length() >= width;
    if (is_long || !cluster.takes(each, width)) cluster.write_to(out);
    if (is_long) out.push_back(each);
    else cluster.add(each);
  }
  for (auto& [thread, cluster] : clusters) cluster.write_to(out);
  std::ranges::sort(out, {}, [](const Slice& each) { return std::pair(each.begin, each.event); });
  return out;
}

}  // namespace

std::vector<Level> levels_of(std::vector<Slice> exact, i64 nanoseconds) {
  std::vector<Level> levels;
  for (i64 width = nanoseconds / 1000; width > 1; width /= 8) {
    std::vector<Slice> all = merged(exact, width);
    if (all.size() * 4 > exact.size() * 3) break;
    levels.push_back({width, std::move(all)});
  }
  levels.push_back({0, std::move(exact)});
  return levels;
}

}  // namespace keyhole::look
