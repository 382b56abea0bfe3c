// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Memory of lock elements. Slots are freed only when an algorithm's instance is drained; in the VM elements live for
// ever (lock_element.h R1).
#include "runtime/sync/algorithms/lock_element.h"
#include "runtime/sync/lock_statistics.h"
#include "runtime/sync/slot_pool.h"
#include "runtime/sync/sync_world.h"

namespace keyhole::sync {

static SlotPool<lock_element_bytes> elements;

void* SyncWorld::allocate_element() { return elements.take(); }
void SyncWorld::free_element(void* slot) { elements.give_back(slot); }

usize statistics::element_bytes() { return elements.reserved_bytes(); }

}  // namespace keyhole::sync
