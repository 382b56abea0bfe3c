// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The two ways to verify one method.
//
//   verify_by_stack_maps   version 50 and later (JVMS 4.10.1): one pass; each join is declared in StackMapTable and
//                          checked
//   verify_by_inference    older (JVMS 4.10.2): to the fixed point of the dataflow, subroutines by context
#pragma once

#include <string>

#include "vm/link/verification.h"
#include "vm/verify/type_hierarchy.h"

namespace keyhole {

// These return no rejection if the method is sound, a class did not load (hierarchy.threw()), or an exception is
// pending in `thread`.
Rejection verify_by_stack_maps(JavaThread* thread, TypeHierarchy& hierarchy, const Method* method) MAY_SAFEPOINT;
Rejection verify_by_inference(TypeHierarchy& hierarchy, const Method* method) MAY_SAFEPOINT;

}  // namespace keyhole
