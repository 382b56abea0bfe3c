// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Which methods are inlined: getters, setters, constructors, forwarders, anything of a few cells without branches.
#pragma once

#include "vm/metadata/method.h"

namespace keyhole::baseline {

// Object.<init>: nothing, unless the object is finalizable.
bool is_object_initializer(const Method* method);
// inliner.cpp supports its cells, and they obey I1.
bool can_be_inlined(Method* method);

}  // namespace keyhole::baseline
