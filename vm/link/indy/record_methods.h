// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// toString, hashCode and equals of records: java.lang.runtime.ObjectMethods, linked natively.
#pragma once

#include "vm/link/indy/support.h"

namespace keyhole::indy {

// Links an invokedynamic of ObjectMethods.bootstrap to a generated method that reads the record's fields itself.
// `handled` as in lambda.h: components must be given as plain getField handles of the record class, which is what javac
// writes.
[[nodiscard]] bool link_record_method(JavaThread* thread, Method* method, u32 constant_index, CallSiteLink& link,
                                      bool& handled) MAY_SAFEPOINT;

}  // namespace keyhole::indy
