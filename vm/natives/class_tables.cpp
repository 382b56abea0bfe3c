// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Side tables keyed by class. An entry lives as long as its class, which is for ever while classes are not unloaded.
#include "vm/natives/class_tables.h"

#include <mutex>
#include <unordered_map>

namespace keyhole::natives {

namespace {

class Table {
 public:
  Object* get(const Klass* klass) {
    std::lock_guard guard(mutex_);
    auto found = entries_.find(klass);
    return found == entries_.end() ? nullptr : found->second.get();
  }
  void set(const Klass* klass, Object* value) {
    std::lock_guard guard(mutex_);
    auto found = entries_.find(klass);
    if (found != entries_.end()) found->second.set(value);
    else if (value != nullptr) entries_.emplace(klass, GlobalHandles::make(value));
  }

 private:
  std::mutex mutex_;   // never held across a safepoint
  std::unordered_map<const Klass*, Handle> entries_;
};

Table& protection_domains() {
  static auto* table = new Table;
  return *table;
}
Table& signers() {
  static auto* table = new Table;
  return *table;
}

}  // namespace

Object* protection_domain_of(const Klass* klass) { return protection_domains().get(klass); }
void set_protection_domain(const Klass* klass, Object* domain) { protection_domains().set(klass, domain); }
Object* signers_of(const Klass* klass) { return signers().get(klass); }
void set_signers(const Klass* klass, Object* value) { signers().set(klass, value); }

}  // namespace keyhole::natives
