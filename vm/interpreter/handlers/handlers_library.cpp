// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Entries without a frame for methods that have a library kernel (library_kernels.def, kernel_calls.h). If the call
// declines, the method's body or native function runs.
#include <string_view>

#include "vm/interpreter/entries.h"
#include "vm/interpreter/handlers/intrinsic_macros.h"
#include "vm/interpreter/kernel_calls.h"

namespace keyhole::interpreter {

#define KERNEL(name, effect, flag, support, class_name, method, descriptor)                               \
  HANDLER(intrinsic_##name) {                                                                             \
    const i64 slots = reinterpret_cast<const Method*>(tos)->argument_slots;                               \
    const i64 result = kernel_call_of(Intrinsic::name)->of_slots(sp + 1);                                 \
    if (result == kernel_calls::declined) [[unlikely]] {                                                  \
      if (reinterpret_cast<const Method*>(tos)->is_native()) GO(interp_entry_native_value);               \
      RUN_BODY();                                                                                         \
    }                                                                                                     \
    if constexpr (std::string_view(descriptor).ends_with('V')) RETURN_NOTHING(slots);                     \
    else if constexpr (std::string_view(descriptor).ends_with(")[I")) RETURN_ONE(slots, to_slot(result)); \
    else RETURN_ONE(slots, to_slot(static_cast<i32>(result)));                                            \
  }
#include "vm/interpreter/library_kernels.def"

}  // namespace keyhole::interpreter
