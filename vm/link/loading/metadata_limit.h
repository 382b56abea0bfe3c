// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Class metadata has limits of its own, which the allocation of objects does not reach: a program that mostly makes
// classes would never collect, and so never unload.
//
//   bytes: threshold reached --collection (Metadata GC Threshold)--> in use now / (1 - MinMetaspaceFreeRatio): the next
//                                                                       |       threshold, at least MetaspaceSize
//                                                                       +-- still MaxMetaspaceSize --+
//                                                                                                    v
//   class ids: none left --collection (Metadata GC Threshold)--> still none --> collection (Metadata GC Clear Soft
//                                                                               References)          |
//                                                                                                    | still
//                                OutOfMemoryError: Metaspace, Compressed class space <---------------+
//
// With -XX:-ClassUnloading no collection helps, and the error comes at once.
#pragma once

#include "runtime/base/capabilities.h"
#include "runtime/threads/java_thread.h"
#include "vm/link/loading/class_unit.h"

namespace keyhole {

// Called by a managed thread before a class is defined; may collect. False: OutOfMemoryError is pending.
[[nodiscard]] bool make_room_for_metadata(JavaThread* thread) MAY_SAFEPOINT;

// Gives an id to `klass`, which has just been made in the unit's arena, and adds it to the unit. Called by a managed
// thread; may collect, so the unit's loader must be in a handle or a frame, or the unit pinned. False: OutOfMemoryError
// is pending.
[[nodiscard]] bool add_class(JavaThread* thread, ClassUnit& unit, Klass* klass) MAY_SAFEPOINT;

}  // namespace keyhole
