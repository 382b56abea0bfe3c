// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Adapters between typed call sites and interpreted method handles: one generated static method per kind and erased
// descriptor.
//
//   kind       parameters                              does
//   Exact      MethodHandle, arguments, MethodType     invokeExact: the handle's type must be the site's
//   Generic    MethodHandle, arguments, MethodType     invoke: the handle is adapted (and remembers the adapted one)
//   Constant   arguments, MethodHandle                 an invokedynamic whose call site is constant
//   Mutable    arguments, CallSite                     any other invokedynamic: each call fetches the target
//
// A site with 254 slots of arguments leaves no parameter for the type that Exact and Generic take. It gets an adapter
// of its own, which has the type in a static field.
//
// All box the arguments into an Object[], call MethodHandle.invokeBoxed and unbox the result.
#pragma once

#include "vm/link/indy/support.h"

namespace keyhole::indy {

enum class AdapterKind : u8 { Exact, Generic, Constant, Mutable };

// Returns the adapter for a site's `descriptor`, which does not contain the handle. Null with a pending exception.
[[nodiscard]] Method* handle_adapter(JavaThread* thread, AdapterKind kind, std::string_view descriptor) MAY_SAFEPOINT;

// Appends: new Object[] { boxed locals } for the parameters of a descriptor that start at `local`. Returns the local
// after them.
u32 write_boxed_arguments(CodeWriter& code, const std::vector<std::string>& parameters, u32 local);
// Appends the return of a boxed result of this type.
void write_unboxed_return(CodeWriter& code, std::string_view result);

}  // namespace keyhole::indy
