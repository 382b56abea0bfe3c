// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Maps each type to the compiled code that has assumptions about it.
#include "jit/code/assumptions.h"

#include <algorithm>
#include <unordered_map>

#include "runtime/base/mutex.h"

namespace keyhole::assumptions {
namespace {

Mutex mutex{LockRank::assumptions};
std::unordered_map<const InstanceKlass*, std::vector<Assumption>> by_type GUARDED_BY(mutex);

// Calls `visit` with the class itself and with all its supertypes.
template <typename Visit> void for_each_type_of(const InstanceKlass* klass, Visit&& visit) {
  for (const Klass* super = klass; super != nullptr; super = super->super) visit(super->as_instance());
  for (u32 i = 0; i < klass->secondary_super_count; ++i) {
    if (klass->secondary_supers[i]->is_interface()) visit(klass->secondary_supers[i]->as_instance());
  }
}

void erase(const CompiledCode* code) REQUIRES(mutex) {
  auto is_its = [code](const Assumption& entry) { return entry.code == code; };
  for (auto& [type, entries] : by_type) std::erase_if(entries, is_its);
  std::erase_if(by_type, [](const auto& type) { return type.second.empty(); });
}

}  // namespace

bool add(CompiledCode* code, std::span<const UniqueConcreteMethod> assumed) {
  if (assumed.empty()) return true;
  MutexLock guard(mutex);
  for (const UniqueConcreteMethod& each : assumed) by_type[each.type].push_back({code, each});
  if (std::ranges::all_of(assumed, [](const UniqueConcreteMethod& each) { return holds(each); })) {
    code->has_assumptions = true;
    return true;
  }
  erase(code);
  return false;
}

void forget(const CompiledCode* code) {
  if (!code->has_assumptions) return;
  MutexLock guard(mutex);
  erase(code);
}

std::vector<Assumption> invalidated_by(const InstanceKlass* klass) {
  std::vector<Assumption> found;
  auto is_found = [&](const CompiledCode* code) {
    return std::ranges::any_of(found, [code](const Assumption& each) { return each.code == code; });
  };
  MutexLock guard(mutex);
  if (by_type.empty()) return found;
  for_each_type_of(klass, [&](const InstanceKlass* type) NO_THREAD_SAFETY_ANALYSIS {
    auto entries = by_type.find(type);
    if (entries == by_type.end()) return;
    for (const Assumption& entry : entries->second) {
      bool is_invalidated = entry.code->retired.load(std::memory_order_relaxed) == Retired::Invalidated;
      if (!is_invalidated && is_invalidated_by(entry.assumed, klass) && !is_found(entry.code)) found.push_back(entry);
    }
  });
  return found;
}

}  // namespace keyhole::assumptions
