// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The defaults of the flags of sync_flags.def as constants. Settings of protocols take them from here, so that the VM,
// the model checker and the simulator agree without linking the flags.
#pragma once

#include <string_view>

#include "runtime/base/types.h"

namespace keyhole::sync::flag_defaults {

#define FLAG_BOOL(name, value, kind, sentence) inline constexpr bool name = value;
#define FLAG_INT(name, value, kind, minimum, maximum, sentence) inline constexpr i64 name = value;
#define FLAG_TEXT(name, value, kind, sentence) inline constexpr std::string_view name = value;
#include "runtime/sync/sync_flags.def"
#undef FLAG_BOOL
#undef FLAG_INT
#undef FLAG_TEXT

}  // namespace keyhole::sync::flag_defaults
