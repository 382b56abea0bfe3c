// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A class file passes all transformers.
//
//   define, redefine    transformers that cannot retransform, agent by agent     a retransformation starts here
//                       transformers that can, agent by agent                    what comes out is parsed
//   retransform         only the latter
//
// A class that a transformer loads while it runs does not pass the same agent's transformers of the same kind: that
// would recurse for ever.
#pragma once

#include "vm/link/loading/class_file_hook.h"

namespace keyhole::natives {

void transform_class_file(JavaThread* thread, const OfferedClassFile& offered, RewrittenClassFile& rewritten)
    MAY_SAFEPOINT;

}  // namespace keyhole::natives
