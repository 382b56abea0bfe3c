// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Resolving constants: classes with their access check (JVMS 5.4.3.1), and the objects that ldc loads.

#include "gc/barrier.h"
#include "gc/heap/heap.h"
#include "runtime/base/mutex.h"
#include "runtime/threads/points.h"
#include "vm/link/exceptions.h"
#include "vm/link/indy/indy.h"
#include "vm/link/linker.h"
#include "vm/link/loading/loader_names.h"
#include "vm/link/module_access.h"
#include "vm/link/package_access.h"
#include "vm/link/resolution_failures.h"
#include "vm/link/well_known.h"
#include "vm/metadata/packages.h"

namespace keyhole {
namespace {

// Guards resolved_references and its count, of all pools; held for a few stores only.
Mutex references_mutex{LockRank::resolved_references};

}  // namespace

bool check_class_access(JavaThread* thread, const InstanceKlass* from, const Klass* klass) {
  if (klass->is_primitive()) return true;
  if (!check_package_access(thread, from, klass)) return false;
  if (!can_access_class(from, klass)) {
    const Klass* shown = bottom_class(klass);
    return throw_new(thread, names::java_lang_IllegalAccessError, "failed to access class {} from class {} ({})",
                     external_name(shown), external_name(from),
                     same_module(from, shown)
                         ? both_in_module_of_loader(shown, from)
                         : class_in_module_of_loader(shown) + "; " + class_in_module_of_loader(from));
  }
  std::string why;
  if (module_lets_see(thread, from, klass, why)) return true;
  if (has_exception(thread)) return false;
  return throw_new(thread, names::java_lang_IllegalAccessError, "{}", why);
}

Klass* resolve_class_at(JavaThread* thread, ConstantPool* constants, u32 index) {
  if (u64 known = constants->resolved[index].load(std::memory_order_acquire)) [[likely]]
    return reinterpret_cast<Klass*>(known);
  if (rethrow_resolution_failure(thread, constants, index)) return nullptr;
  Klass* klass = resolve_class(thread, constants->class_name(index), constants->holder->loader);
  if (klass == nullptr || !check_class_access(thread, constants->holder, klass)) {
    remember_resolution_failure(thread, constants, index);
    return nullptr;
  }
  constants->resolved[index].store(reinterpret_cast<u64>(klass), std::memory_order_release);
  return klass;
}

bool add_resolved_reference(JavaThread* thread, ConstantPool* constants, Handle object, u32& index) {
  HandleScope scope(thread);
  Handle larger = scope.make(nullptr);
  while (true) {
    u32 capacity;
    {
      // Nothing in here reaches a safepoint.
      MutexLock guard(references_mutex);
      Object* current = constants->resolved_references;
      capacity = current == nullptr ? 0 : static_cast<u32>(current->length());
      if (constants->resolved_reference_count == capacity && larger && static_cast<u32>(larger->length()) > capacity) {
        for (u32 i = 0; i < capacity; ++i) {
          barrier::store_element(larger.get(), static_cast<i32>(i), current->reference_at(static_cast<i32>(i)));
        }
        std::atomic_ref(constants->resolved_references).store(larger.get(), std::memory_order_release);
        current = larger.get();
        capacity = static_cast<u32>(current->length());
      }
      if (constants->resolved_reference_count < capacity) {
        index = constants->resolved_reference_count++;
        points::publish(object.get());
        barrier::store_element(current, static_cast<i32>(index), object.get());
        return true;
      }
    }
    Klass* array = array_klass_of(thread, well_known::Object_class);
    if (array == nullptr) return false;
    Object* made = heap::allocate_array(thread, array, static_cast<i32>(capacity == 0 ? 4 : capacity * 2));
    if (made == nullptr) return throw_out_of_memory(thread, "Java heap space");
    larger.set(made);
  }
}

Object* resolve_object_at(JavaThread* thread, ConstantPool* constants, u32 index, bool* is_null_constant) {
  if (is_null_constant != nullptr) *is_null_constant = false;
  ConstantTag tag = constants->tag(index);
  if (tag == ConstantTag::Class) {
    Klass* klass = resolve_class_at(thread, constants, index);
    return klass == nullptr ? nullptr : klass->mirror;
  }
  if (u64 known = constants->resolved[index].load(std::memory_order_acquire)) {
    Object* object = constants->resolved_references->reference_at(static_cast<i32>(known - 1));
    if (object == nullptr && is_null_constant != nullptr) *is_null_constant = true;
    return object;
  }
  if (rethrow_resolution_failure(thread, constants, index)) return nullptr;
  HandleScope scope(thread);
  Object* made = nullptr;
  bool is_null = false;
  switch (tag) {
    case ConstantTag::String: made = intern_symbol(thread, constants->string_text(index)); break;
    case ConstantTag::MethodHandle: made = resolve_method_handle_constant(thread, constants, index); break;
    case ConstantTag::MethodType: made = resolve_method_type_constant(thread, constants, index); break;
    case ConstantTag::Dynamic: made = resolve_dynamic_constant(thread, constants, index, &is_null); break;
    default: KEYHOLE_FATAL("constant {} of {} is not an object", index, constants->holder->name->text());
  }
  if (has_exception(thread)) {
    remember_resolution_failure(thread, constants, index);
    return nullptr;
  }
  Handle object = scope.make(made);
  u32 place;
  if (!add_resolved_reference(thread, constants, object, place)) return nullptr;
  u64 expected = 0;
  if (!constants->resolved[index].compare_exchange_strong(expected, u64{place} + 1, std::memory_order_acq_rel)) {
    // Another thread was first.
    object.set(constants->resolved_references->reference_at(static_cast<i32>(expected - 1)));
  }
  if (object.is_null() && is_null_constant != nullptr) *is_null_constant = true;
  return object.get();
}

}  // namespace keyhole
