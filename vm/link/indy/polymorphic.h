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
// With 254 slots of arguments no parameter is left for the type of Exact and Generic. Such a site has an adapter of its
// own, with the type in a static field.
//
// All box the arguments into an Object[], call MethodHandle.invokeBoxed and unbox the result.
#pragma once

#include "vm/link/indy/support.h"

namespace keyhole::indy {

enum class AdapterKind : u8 { Exact, Generic, Constant, Mutable };

// `descriptor`: of the site, without the handle. Null with a pending exception.
[[nodiscard]] Method* handle_adapter(JavaThread* thread, AdapterKind kind, std::string_view descriptor) MAY_SAFEPOINT;

// Appends: new Object[] { boxed locals } for the parameters of a descriptor that start at `local`. Returns the local
// after them.
u32 write_boxed_arguments(CodeWriter& code, const std::vector<std::string>& parameters, u32 local);
// Appends the return of a boxed result of this type.
void write_unboxed_return(CodeWriter& code, std::string_view result);

}  // namespace keyhole::indy
