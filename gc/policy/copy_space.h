// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Policy: copy live objects out of from-space regions into to-space regions (Cheney), in place when there is no room.
//
//   before   Full Full Full Humongous Full  Free Free ...
//   flip     From From From Humongous From  Free Free ...
//   trace    From From From Humongous From  To   To  Free       a slot is either updated already or in the ring below
//   after    Free Free Free Humongous Free  Full Shared Free    the last to-space has room left: mutators go on there
//
// A copy leaves its new address in the old header (lock bits 11). When no region is left for copies the object forwards to itself
// (self-forwarded bit), stays, and its region is kept: Full again, the gaps filled.
//
// Headers are copied as they are: the hash and the age move along, an inflated header still points to its monitor, a
// lightweight-locked object is found by the updated lock stacks.
#pragma once

#include "gc/collection.h"

namespace keyhole::gc {

void copy_collection(Collection& collection);

}  // namespace keyhole::gc
