// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A method's line numbers and its name in messages.
#include "vm/metadata/method.h"

#include "vm/metadata/external_names.h"

namespace keyhole {

i32 Method::line_of(u32 bci) const {
  if (is_native()) return -2;
  // Takes the entry with the greatest start at or before bci, because tables need not be sorted.
  i32 best_start = -1, line = -1;
  for (u32 i = 0; i < line_count; ++i) {
    const u8* entry = lines + 4 * i;
    i32 start = entry[0] << 8 | entry[1];
    if (start <= static_cast<i32>(bci) && start >= best_start) {
      best_start = start;
      line = entry[2] << 8 | entry[3];
    }
  }
  return line;
}

std::string Method::external_name() const { return external_method_name(holder, name, descriptor); }

}  // namespace keyhole
