// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// java.lang.ref.Reference and PhantomReference. The collector's part: gc/references.h.
#include "classlib/natives/declarations.h"
#include "gc/references.h"

namespace keyhole::natives {

Object* Reference_getAndClearReferencePendingList(JavaThread* thread) { return gc::take_pending_references(thread); }
bool Reference_hasReferencePendingList(JavaThread*) { return gc::has_pending_references(); }
void Reference_waitForReferencePendingList(JavaThread* thread) { gc::wait_for_pending_references(thread); }
// -XX:-Finalization does not exist here.
bool Finalizer_isFinalizationEnabled(JavaThread*) { return true; }
Object* Reference_get0(JavaThread*, Handle self) { return gc::referent(self.get()); }
void Reference_clear0(JavaThread*, Handle self) { gc::clear_referent(self.get()); }
bool Reference_refersTo0(JavaThread*, Handle self, Handle object) { return gc::refers_to(self.get(), object.get()); }
bool PhantomReference_refersTo0(JavaThread*, Handle self, Handle object) {
  return gc::refers_to(self.get(), object.get());
}

}  // namespace keyhole::natives
