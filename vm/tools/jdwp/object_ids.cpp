// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Implements the table of ids, and provides its strong and weak roots to the collector.
#include "vm/tools/jdwp/object_ids.h"

#include <unordered_map>
#include <utility>

#include "gc/roots.h"
#include "runtime/base/mutex.h"
#include "runtime/threads/stopped_world.h"
#include "vm/tools/jdwp/values.h"

namespace keyhole::jdwp::object_ids {
namespace {

struct Entry {
  Object* object;
  i64 references = 0;  // number of times that the id was sent to the debugger
  bool strong = false;
  std::string signature;  // for a class: its signature, which the event of its unloading needs
};

struct Table {
  Mutex mutex{LockRank::debugger_objects};
  std::unordered_map<u64, Entry> entries GUARDED_BY(mutex);
  std::unordered_map<const Object*, u64> ids GUARDED_BY(mutex);
  bool objects_have_moved GUARDED_BY(mutex) = false;
  u64 last_id GUARDED_BY(mutex) = 0;
  std::vector<std::string> unloaded GUARDED_BY(mutex);
};

Table& table() {
  static auto* made = new Table();  // outlives every static destructor
  return *made;
}

void visit_strong(gc::RootVisitor& visitor) {
  safepoint::assert_holds(table().mutex);
  for (auto& [id, entry] : table().entries)
    if (entry.strong && entry.object != nullptr) visitor.visit(&entry.object);
  table().objects_have_moved = true;
}

void visit_weak(gc::RootVisitor& visitor) {
  safepoint::assert_holds(table().mutex);
  for (auto& [id, entry] : table().entries) {
    if (entry.strong || entry.object == nullptr) continue;
    visitor.visit(&entry.object);
    if (entry.object == nullptr && !entry.signature.empty())
      table().unloaded.push_back(std::exchange(entry.signature, {}));
  }
  table().objects_have_moved = true;
}

void find_again(Table& all) REQUIRES(all.mutex) {
  if (!std::exchange(all.objects_have_moved, false)) return;
  all.ids.clear();
  for (auto& [id, entry] : all.entries)
    if (entry.object != nullptr) all.ids.emplace(entry.object, id);
}

}  // namespace

void register_roots() {
  gc::register_strong_roots("debugger's objects", visit_strong);
  gc::register_weak_roots("debugger's ids", visit_weak);
}

u64 id_of(Object* object) {
  if (object == nullptr) return 0;
  MutexLock guard(table().mutex);
  find_again(table());
  auto [place, is_new] = table().ids.try_emplace(object, 0);
  if (is_new) {
    place->second = ++table().last_id;
    const Klass* mirrored = is_class_object(object) ? klass_of_mirror(object) : nullptr;
    table().entries.emplace(place->second,
                            Entry{.object = object, .signature = mirrored == nullptr ? "" : signature_of(mirrored)});
  }
  ++table().entries.at(place->second).references;
  return place->second;
}

Found find(u64 id) {
  MutexLock guard(table().mutex);
  auto place = table().entries.find(id);
  if (place == table().entries.end()) return {};
  return {place->second.object, true};
}

void give_back(u64 id, i32 references) {
  MutexLock guard(table().mutex);
  auto place = table().entries.find(id);
  if (place == table().entries.end() || (place->second.references -= references) > 0) return;
  if (place->second.object != nullptr && !table().objects_have_moved) table().ids.erase(place->second.object);
  table().entries.erase(place);
}

bool set_strong(u64 id, bool strong) {
  MutexLock guard(table().mutex);
  auto place = table().entries.find(id);
  if (place == table().entries.end() || place->second.object == nullptr) return false;
  place->second.strong = strong;
  return true;
}

void forget_all() {
  MutexLock guard(table().mutex);
  table().entries.clear();
  table().ids.clear();
  table().unloaded.clear();
}

std::vector<std::string> take_unloaded_classes() {
  MutexLock guard(table().mutex);
  return std::exchange(table().unloaded, {});
}

}  // namespace keyhole::jdwp::object_ids
