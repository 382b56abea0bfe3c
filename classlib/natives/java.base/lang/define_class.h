// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Defines a class from bytes that Java passes.
#pragma once

#include "classlib/natives/support.h"

namespace keyhole::natives {

// Copies the bytes, because the array may move. `name` may be null. `domain` becomes the class's protection domain.
// Returns the mirror.
[[nodiscard]] Object* define_from_array(JavaThread* thread, Handle loader, Handle name, Handle bytes, i32 offset,
                                        i32 length, Handle domain, const DefineOptions& options) MAY_SAFEPOINT;

}  // namespace keyhole::natives
