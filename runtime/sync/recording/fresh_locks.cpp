// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Pending, counted, told.
#include "runtime/sync/recording/fresh_locks.h"

#include <utility>

#include "runtime/object/klass.h"
#include "runtime/recorder/fresh_objects.h"
#include "runtime/recorder/object_numbers.h"
#include "runtime/recorder/recorder.h"

namespace keyhole::sync {

using recorder::Kind;

namespace {

constexpr u32 threshold = 64;        // pairs told before the next ones are counted
constexpr u64 often = 2'000'000;     // ticks of 2 to 4 GHz: counted pairs are told about as often

u32 klass_id_of(const Object* object) TOUCHES_OBJECTS { return const_cast<Object*>(object)->klass()->id; }

void tell(const JavaThread* thread, bool is_caller, u64 time, Kind kind, u32 a, u32 b, u32 detail = 0) {
  if (is_caller) recorder::record_at(time, kind, a, b, detail);
  else recorder::record_for(static_cast<u32>(thread->id), time, kind, a, b, detail);
}

}  // namespace

bool FreshLocks::is_of(const Site& each, const Object* object, u32 site) const {
  return each.site == site && each.klass_id == klass_id_of(object);
}

bool FreshLocks::may_count(const Object* object, u32 site) const {
  const Site& each = sites_[place_of(site)];
  return each.streak >= threshold && pending_.record == nullptr && is_of(each, object, site) &&
         recorder::address_key(object) != last_counted_;   // W3
}

void FreshLocks::took(const Object* object, const LockRecord* record, u32 site, u64 time, u32 word) {
  pending_ = {record, site, word, time};
}

bool FreshLocks::counts(JavaThread* thread, const Object* object) {
  Site& each = sites_[place_of(pending_.site)];
  const u64 time = pending_.time;
  if (recorder::known_number_of(object) != 0) {   // W1: it had one before, or another thread wants it
    each.streak = 0;
    tell_pending(thread, true);
    return false;
  }
  last_counted_ = recorder::address_key(object);
  pending_.record = nullptr;
  if (each.stand_in == 0) {
    each.stand_in = recorder::stand_in_for(const_cast<Object*>(object)->klass());
    each.since = time;
  }
  ++each.pairs;
  each.last = time;
  if (time - each.since > often) tell_pairs(thread, each, true);
  return true;
}

void FreshLocks::tell_pending(JavaThread* thread, bool is_caller) {
  Pending pending = std::exchange(pending_, {});
  if (pending.record == nullptr) return;
  u32 number = recorder::number_of(pending.record->object);
  tell(thread, is_caller, pending.time, Kind::lock_enter, number, pending.site, pending.word);
}

void FreshLocks::told_exit(JavaThread* thread, const Object* object, const LockRecord* record) {
  Told told = std::exchange(told_, {});
  if (told.record != record) return;   // something else was told in between
  Site& each = sites_[place_of(told.site)];
  if (!is_of(each, object, told.site)) {
    tell_pairs(thread, each, true);
    each = {.site = told.site, .klass_id = klass_id_of(object)};
  }
  each.streak = told.is_new ? each.streak + 1 : 0;
}

void FreshLocks::tell_pairs(const JavaThread* thread, Site& each, bool is_caller) const {
  if (u32 pairs = std::exchange(each.pairs, 0))
    tell(thread, is_caller, each.last, Kind::lock_pairs, each.stand_in, pairs);
  each.since = each.last;
}

void FreshLocks::end(JavaThread* thread, bool is_caller) {
  tell_pending(thread, is_caller);
  for (Site& each : sites_) tell_pairs(thread, each, is_caller);
  *this = {};
}

}  // namespace keyhole::sync
