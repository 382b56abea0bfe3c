// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// NullPointerException.getExtendedNPEMessage: the helpful message of JEP 358, computed at its first use.
#include "classlib/natives/declarations.h"
#include "classlib/natives/support.h"
#include "runtime/base/flags.h"
#include "vm/verify/null_pointer_message.h"

namespace keyhole::natives {

// Null when no bytecode threw the exception: it was made by `new`, by a native method, or in a hidden frame.
Object* NullPointerException_getExtendedNPEMessage(JavaThread* thread, Handle self) {
  if (!flags::ShowCodeDetailsInExceptionMessages) return nullptr;
  BacktraceEntry top = backtrace_entry(self.get(), 0);
  if (top.method == nullptr || top.bci < 0 || top.is_below_hidden) return nullptr;
  std::string message = null_pointer_message(top.method, static_cast<u32>(top.bci));
  return message.empty() ? nullptr : make_string(thread, message);
}

}  // namespace keyhole::natives
