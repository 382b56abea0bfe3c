// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Takes the stack of return addresses, and names them for a report.
#include "runtime/base/native_stack.h"

#include <execinfo.h>
#include <fmt/format.h>

#include <cstdlib>

namespace keyhole {

[[gnu::noinline]] void NativeStack::take() { count_ = backtrace(frames_, maximum_frames); }

std::string NativeStack::text() const {
  std::string text;
  char** names = backtrace_symbols(frames_, count_);
  for (int i = 1; names != nullptr && i < count_; ++i) text += fmt::format("\n#    {}", names[i]);
  free(names);
  return text;
}

}  // namespace keyhole
