// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Removes smaller and smaller parts of the script while the program still fails.
#include "vm/tools/explore/shrink.h"

#include <algorithm>

namespace keyhole::explore {

void shrink(std::vector<Step>& script, const std::function<bool(std::vector<Step>& script)>& fails,
            const std::function<bool()>& is_late) {
  for (usize part = std::max<usize>(script.size() / 2, 1); part != 0 && !script.empty();) {
    bool has_shrunk = false;
    for (usize begin = 0; begin < script.size() && !is_late();) {
      std::vector<Step> shorter = script;
      auto first = shorter.begin() + static_cast<i64>(begin);
      shorter.erase(first, first + static_cast<i64>(std::min(part, shorter.size() - begin)));
      if (fails(shorter) && shorter.size() < script.size()) {
        script = std::move(shorter);
        has_shrunk = true;
      } else {
        begin += part;
      }
    }
    if (is_late()) return;
    if (part == 1 && !has_shrunk) return;
    part = std::max<usize>(std::min(part / 2, script.size()), has_shrunk && part == 1 ? 1 : part / 2);
    if (part == 0) part = 1;
  }
}

}  // namespace keyhole::explore
