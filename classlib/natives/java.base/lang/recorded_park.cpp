// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Records the blocker of a parking thread, and its owner.
#include "classlib/natives/java.base/lang/recorded_park.h"

#include "classlib/natives/java.base/lang/thread_waits.h"
#include "runtime/object/klass.h"
#include "runtime/recorder/object_numbers.h"
#include "runtime/sync/recording/recorded.h"

namespace keyhole::natives {

void record_park(JavaThread* thread) {
  WaitNames names = wait_names();
  const Object* blocker = park_blocker(thread, JavaThreadStatus::Parked, names);
  if (blocker == nullptr) return;
  u32 number = recorder::number_of(blocker);
  recorder::record(recorder::Kind::park, number, sync::recorded::caller_site_of(thread));
  if (names.ownable_synchronizer == nullptr || !blocker->klass()->is_subtype_of(names.ownable_synchronizer)) return;
  const JavaThread* owner = exclusive_owner(blocker, names);
  if (owner != nullptr && owner != thread)
    recorder::record(recorder::Kind::park_owner, number, static_cast<u32>(owner->id));
}

}  // namespace keyhole::natives
