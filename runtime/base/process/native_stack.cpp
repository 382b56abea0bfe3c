// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Takes the stack of return addresses, and names them for a report.
#include "runtime/base/process/native_stack.h"

#include <execinfo.h>
#include <fmt/format.h>

#include <cstdlib>

#include "runtime/base/process/executable_symbols.h"

namespace keyhole {

[[gnu::noinline]] void NativeStack::take() { count_ = backtrace(frames_, maximum_frames); }

std::string NativeStack::text() const {
  std::string text;
  const ExecutableSymbols symbols;
  char** others = backtrace_symbols(frames_, count_);
  for (int i = 1; others != nullptr && i < count_; ++i) {
    usize offset = 0;
    const char* name = symbols.name_at(reinterpret_cast<uptr>(frames_[i]), offset);
    text += name == nullptr ? fmt::format("\n#    {}", others[i]) : fmt::format("\n#    {}+{:#x}", name, offset);
  }
  free(others);
  return text;
}

}  // namespace keyhole
