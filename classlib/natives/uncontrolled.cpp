// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Compares native methods with the table. Rules: uncontrolled.h.
#include "classlib/natives/uncontrolled.h"

#include <fcntl.h>
#include <fmt/format.h>

#include "runtime/base/controlled/strands.h"
#include "vm/frames/application_place.h"

namespace keyhole::natives::uncontrolled {

namespace {

struct Row {
  std::string_view class_name, method, words;
};
constexpr Row rows[] = {
#define UNCONTROLLED(class_name, method, words) {class_name, method, words},
#include "classlib/natives/uncontrolled.def"
#undef UNCONTROLLED
};

[[noreturn]] void refuse(const JavaThread* thread, const std::string& words) {
  controlled::finish(controlled::Outcome::uncontrolled, words.c_str(), application_place(thread).c_str());
}

}  // namespace

void check_link(const JavaThread* thread, const Method* method) {
  if (!controlled::is_exploring() || !method->holder->is_boot) return;
  for (const Row& row : rows) {
    if (row.class_name == method->holder->name->text() && row.method == method->name->text())
      refuse(thread, fmt::format("{} ({})", row.words, method->external_name()));
  }
}

void check_open(const JavaThread* thread, const std::string& path, int flags) {
  if (!controlled::is_exploring()) return;
  if ((flags & O_ACCMODE) != O_RDONLY || (flags & (O_CREAT | O_TRUNC)) != 0)
    refuse(thread, fmt::format("opens {} for writing", path));
  if (path == "/dev/random" || path == "/dev/urandom") refuse(thread, "reads random bytes of the system");
}

}  // namespace keyhole::natives::uncontrolled
