// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds the classes of late_bound.def. Two threads may do so at once: both find the same.
#include "classlib/natives/late_bound.h"

#include "vm/classfile/class_path.h"
#include "vm/link/linker.h"

namespace keyhole::late {

namespace {

template <typename Row> std::atomic<const Row*> row_of;

InstanceKlass* find_class(JavaThread* thread, std::string_view name) MAY_SAFEPOINT {
  Klass* klass = resolve_class(thread, Symbol::intern(name), boot_loader());
  if (klass == nullptr || !link_class(thread, klass->as_instance())) return nullptr;
  return klass->as_instance();
}

u32 offset_or_none(InstanceKlass* klass, std::string_view name, std::string_view descriptor) {
  const keyhole::Field* field = klass->find_declared_field(Symbol::intern(name), Symbol::intern(descriptor));
  return field == nullptr ? 0 : field->offset;
}

u32 offset_of(InstanceKlass* klass, std::string_view name, std::string_view descriptor) {
  const keyhole::Field* field = klass->find_declared_field(Symbol::intern(name), Symbol::intern(descriptor));
  KEYHOLE_CHECK(field != nullptr, "{} has no field {} {}", klass->name->text(), name, descriptor);
  return field->offset;
}

keyhole::Method* method_of(InstanceKlass* klass, std::string_view name, std::string_view descriptor) {
  keyhole::Method* method = klass->find_declared_method(Symbol::intern(name), Symbol::intern(descriptor));
  KEYHOLE_CHECK(method != nullptr, "{} has no method {}{}", klass->name->text(), name, descriptor);
  return method;
}

// The release store of the pointer publishes the result. A thread that loses the race drops its copy.
template <typename Row, typename Fill>
const Row* find_once(JavaThread* thread, std::string_view name, std::atomic<const Row*>& found, Fill&& fill)
    MAY_SAFEPOINT {
  if (const Row* row = found.load(std::memory_order_acquire)) [[likely]]
    return row;
  InstanceKlass* klass = find_class(thread, name);
  if (klass == nullptr) return nullptr;
  auto* row = new Row{};
  row->klass = klass;
  fill(*row);
  const Row* expected = nullptr;
  if (found.compare_exchange_strong(expected, row, std::memory_order_acq_rel)) return row;
  delete row;
  return expected;
}

}  // namespace

#define FIELD(identifier, name, descriptor) row.identifier = offset_of(row.klass, name, descriptor);
#define FIELD_OPTIONAL(identifier, name, descriptor) row.identifier = offset_or_none(row.klass, name, descriptor);
#define METHOD(identifier, name, descriptor) row.identifier = method_of(row.klass, name, descriptor);
#define LATE_CLASS(Identifier, name, ...)                                                                \
  template <> const Identifier* get<Identifier>(JavaThread * thread) MAY_SAFEPOINT {                     \
    return find_once<Identifier>(thread, name, row_of<Identifier>, [](Identifier& row) { __VA_ARGS__ }); \
  }                                                                                                      \
  template <> const Identifier* found<Identifier>() { return row_of<Identifier>.load(std::memory_order_acquire); }
#define LATE_WHEN(first, last, row)     \
  if (library_is_within(first, last)) { \
    row                                 \
  }
#include "classlib/natives/late_bound.def"
#undef FIELD
#undef METHOD
#undef LATE_CLASS

}  // namespace keyhole::late
