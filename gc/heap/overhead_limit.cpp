// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The two fractions, and their limits.
#include "gc/heap/overhead_limit.h"

#include <algorithm>

#include "runtime/base/flags.h"
#include "runtime/base/log.h"

namespace keyhole::gc {

OverheadLimit overhead_limit;

void OverheadLimit::add_pause(i64 start, i64 end, bool everything, f64 free_fraction) {
  pauses_nanoseconds_ += end - start;
  if (!everything) return;
  f64 elapsed = static_cast<f64>(std::max<i64>(end - last_end_, 1));
  f64 time_percent = 100 * static_cast<f64>(pauses_nanoseconds_) / elapsed, free_percent = 100 * free_fraction;
  bool hopeless =
      time_percent > static_cast<f64>(flags::GCTimeLimit) && free_percent < static_cast<f64>(flags::GCHeapFreeLimit);
  count_ = hopeless && flags::UseGCOverheadLimit ? count_ + 1 : 0;
  last_end_ = end;
  pauses_nanoseconds_ = 0;
  if (count_ == 0) return;
  KEYHOLE_LOG(debug, gc_ergo, "{:.1f}% of the time in collections, {:.1f}% of the heap free: {} of {} in a row",
              time_percent, free_percent, count_, collections_in_a_row);
  if (count_ < collections_in_a_row) return;
  KEYHOLE_LOG(info, gc, "GC overhead limit exceeded: {:.1f}% of the time in collections, {:.1f}% of the heap free",
              time_percent, free_percent);
  exceeded_ = true;
  count_ = 0;
}

}  // namespace keyhole::gc
