// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Which methods are compiled in place of calls to them: getters, setters, constructors, forwarders, anything that is a
// few cells in a row without branches.
#pragma once

#include "vm/link/method.h"

namespace keyhole::baseline {

// Object.<init>: nothing, unless the object is finalizable.
bool is_object_initializer(const Method* method);
// Its cells are known to inliner.cpp, and obey I1 there.
bool can_be_inlined(Method* method);

}  // namespace keyhole::baseline
