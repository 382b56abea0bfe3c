// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// AbstractOwnableSynchronizer.setExclusiveOwnerThread, where locks are recorded.
#include "classlib/natives/java.base/lang/recorded_synchronizer.h"

#include "classlib/natives/declarations.h"
#include "classlib/natives/java.base/lang/thread_waits.h"
#include "classlib/natives/support.h"
#include "runtime/recorder/object_numbers.h"
#include "runtime/sync/recording/recorded.h"
#include "vm/frames/layout/virtual_frame.h"
#include "vm/link/linker.h"
#include "vm/link/well_known.h"

namespace keyhole::natives {

namespace {

u32 owner_offset = 0;  // of exclusiveOwnerThread; written once, while the VM boots

// Does the thread acquire the lock by tryLock, which never waits for ever? The frames of java.util.concurrent tell.
bool is_tried(const JavaThread* thread) {
  for (const VirtualFrame& activation : virtual_frames(thread)) {
    const Method* method = activation.method();
    if (!method->holder->name->text().starts_with("java/util/concurrent/")) return false;
    if (method->name->text() == "tryLock") return true;
  }
  return false;
}

}  // namespace

bool record_synchronizers(JavaThread* thread) {
  Klass* klass =
      resolve_class(thread, Symbol::intern("java/util/concurrent/locks/AbstractOwnableSynchronizer"), boot_loader());
  if (klass == nullptr) return false;
  owner_offset = wait_names().exclusive_owner;
  Method* method = klass->as_instance()->find_declared_method(Symbol::intern("setExclusiveOwnerThread"),
                                                              Symbol::intern("(Ljava/lang/Thread;)V"));
  if (owner_offset != 0 && method != nullptr) well_known::make_native(method);
  return true;
}

void AbstractOwnableSynchronizer_setExclusiveOwnerThread(JavaThread* thread, Handle self, Handle owner) {
  using recorder::Kind;
  bool acquires = owner.get() != nullptr;
  if (sync::recorded::is_on() && (!acquires || owner.get() == thread->current_object)) {
    u32 number = recorder::number_of(self.get());
    u32 site = sync::recorded::caller_site_of(thread);
    if (acquires) recorder::record(Kind::synchronizer_acquired, number, site, is_tried(thread));
    else recorder::record(Kind::synchronizer_released, number, site);
  }
  barrier::store(self.get(), owner_offset, owner.get());
}

}  // namespace keyhole::natives
