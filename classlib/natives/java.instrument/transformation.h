// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A class file on its way past all transformers.
//
//   define, redefine    transformers that cannot retransform, agent by agent     here a retransformation begins
//                       transformers that can, agent by agent                    what comes out is parsed
//   retransform         only the latter
//
// A class that a transformer needs while it works is not shown to the same agent's transformers of the same kind: it
// would never end.
#pragma once

#include "vm/link/class_file_hook.h"

namespace keyhole::natives {

void transform_class_file(JavaThread* thread, const OfferedClassFile& offered, RewrittenClassFile& rewritten);

}  // namespace keyhole::natives
