// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A class file passes all transformers.
//
//   define, redefine    transformers that cannot retransform, agent by agent     a retransformation starts here
//                       transformers that can, agent by agent                    what comes out is parsed
//   retransform         only the latter
//
// A class that is loaded while a transformer runs does not pass the transformers of the same agent and kind, because
// that would recurse for ever.
#pragma once

#include "vm/link/loading/class_file_hook.h"

namespace keyhole::natives {

void transform_class_file(JavaThread* thread, const OfferedClassFile& offered, RewrittenClassFile& rewritten)
    MAY_SAFEPOINT;

}  // namespace keyhole::natives
