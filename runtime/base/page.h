// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The unit in which the kernel of x86-64 maps memory.
#pragma once

#include "runtime/base/types.h"

namespace keyhole {

inline constexpr usize page_bytes = 4_KiB;

}  // namespace keyhole
