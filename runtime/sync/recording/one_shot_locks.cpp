// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// One-shot locks: pending, counted, recorded. Rules: one_shot_locks.h.
#include "runtime/sync/recording/one_shot_locks.h"

#include <utility>

#include "runtime/object/klass.h"
#include "runtime/recorder/object_numbers.h"
#include "runtime/recorder/placeholders.h"
#include "runtime/recorder/recorder.h"

namespace keyhole::sync {

using recorder::Kind;

namespace {

constexpr u32 threshold = 64;     // the first 64 enter/exit pairs are recorded one by one, later pairs as counts
constexpr u64 often = 2'000'000;  // the time, in ticks of 2 to 4 GHz, after which a count is recorded

u32 klass_id_of(const Object* object) TOUCHES_OBJECTS { return const_cast<Object*>(object)->klass()->id; }

void add(const JavaThread* thread, bool is_caller, u64 time, Kind kind, u32 a, u32 b, u32 detail = 0) {
  if (is_caller) recorder::record_at(time, kind, a, b, detail);
  else recorder::record_for(static_cast<u32>(thread->id), time, kind, a, b, detail);
}

}  // namespace

bool OneShotLocks::is_of(const Site& each, const Object* object, u32 site) const {
  return each.site == site && each.klass_id == klass_id_of(object);
}

bool OneShotLocks::may_count(const Object* object, u32 site) const {
  const Site& each = sites_[place_of(site)];
  return each.streak >= threshold && pending_.record == nullptr && is_of(each, object, site) &&
         recorder::address_key(object) != last_counted_;  // W3
}

void OneShotLocks::took(const Object* object, const LockRecord* record, u32 site, u64 time, u32 word) {
  pending_ = {record, site, word, time};
}

bool OneShotLocks::counts(JavaThread* thread, const Object* object) {
  Site& each = sites_[place_of(pending_.site)];
  const u64 time = pending_.time;
  // W1: a pair is not counted if the recorder has numbered the object by the time of the exit.
  if (recorder::known_number_of(object) != 0) {
    each.streak = 0;
    record_pending(thread, true);
    return false;
  }
  last_counted_ = recorder::address_key(object);
  pending_.record = nullptr;
  if (each.placeholder == 0) {
    each.placeholder = recorder::placeholder_for(const_cast<Object*>(object)->klass());
    each.since = time;
  }
  ++each.pairs;
  each.last = time;
  if (time - each.since > often) record_pairs(thread, each, true);
  return true;
}

void OneShotLocks::record_pending(JavaThread* thread, bool is_caller) {
  Pending pending = std::exchange(pending_, {});
  if (pending.record == nullptr) return;
  u32 number = recorder::number_of(pending.record->object);
  add(thread, is_caller, pending.time, Kind::lock_enter, number, pending.site, pending.word);
}

void OneShotLocks::recorded_exit(JavaThread* thread, const Object* object, const LockRecord* record) {
  Recorded entered = std::exchange(recorded_, {});
  if (entered.record != record) return;  // this exit does not belong to the last recorded enter
  Site& each = sites_[place_of(entered.site)];
  if (!is_of(each, object, entered.site)) {
    record_pairs(thread, each, true);
    each = {.site = entered.site, .klass_id = klass_id_of(object)};
  }
  each.streak = entered.is_new ? each.streak + 1 : 0;
}

void OneShotLocks::record_pairs(const JavaThread* thread, Site& each, bool is_caller) const {
  if (u32 pairs = std::exchange(each.pairs, 0))
    add(thread, is_caller, each.last, Kind::lock_pairs, each.placeholder, pairs);
  each.since = each.last;
}

void OneShotLocks::end(JavaThread* thread, bool is_caller) {
  record_pending(thread, is_caller);
  for (Site& each : sites_) record_pairs(thread, each, is_caller);
  *this = {};
}

}  // namespace keyhole::sync
