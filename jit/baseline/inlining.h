// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Inlining decisions: getters, setters, constructors, forwarders, and other methods of a few bytecodes without
// branches.
#pragma once

#include "vm/metadata/method.h"

namespace keyhole::baseline {

// Whether the method is Object.<init>, which does nothing except for finalizable objects.
bool is_object_initializer(const Method* method);
// Whether inliner.cpp supports all bytecodes of the method, and the bytecodes obey I1 (inliner.h).
bool can_be_inlined(Method* method);

}  // namespace keyhole::baseline
