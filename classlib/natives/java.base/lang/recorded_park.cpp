// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Records the blocker of a parking thread and its owner, and the lines where threads park and sleep.
#include "classlib/natives/java.base/lang/recorded_park.h"

#include "classlib/natives/java.base/lang/thread_waits.h"
#include "runtime/object/klass.h"
#include "runtime/recorder/object_numbers.h"
#include "runtime/sync/recording/recorded.h"

namespace keyhole::natives {

void record_park(JavaThread* thread) {
  WaitNames names = wait_names();
  const Object* blocker = park_blocker(thread, JavaThreadStatus::Parked, names);
  u32 number = blocker == nullptr ? 0 : recorder::number_of(blocker);
  recorder::record(recorder::Kind::park, number, sync::recorded::caller_site_of(thread));
  if (blocker == nullptr || names.ownable_synchronizer == nullptr ||
      !blocker->klass()->is_subtype_of(names.ownable_synchronizer))
    return;
  const JavaThread* owner = exclusive_owner(blocker, names);
  if (owner != nullptr && owner != thread)
    recorder::record(recorder::Kind::park_owner, number, static_cast<u32>(owner->id));
}

void record_sleep(JavaThread* thread) {
  recorder::record(recorder::Kind::sleep, sync::recorded::caller_site_of(thread));
}

}  // namespace keyhole::natives
