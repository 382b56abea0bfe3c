// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Calls the library, which chooses the method itself (jdk.internal.misc.MethodFinder).
#include "vm/launcher/instance_main.h"

#include "classlib/natives/java.base/reflect/reflect_objects.h"
#include "classlib/natives/late_bound.h"
#include "gc/heap/heap.h"
#include "vm/classfile/class_path.h"
#include "vm/link/exceptions.h"
#include "vm/link/java_call.h"
#include "vm/link/loading/mirrors.h"

namespace keyhole {
namespace {

Method* constructor_of(const Klass* klass) {
  return const_cast<Klass*>(klass)->as_instance()->find_declared_method(names::object_initializer,
                                                                        Symbol::intern("()V"));
}

bool is_inner(const Klass* klass) {
  const InstanceKlass* own = const_cast<Klass*>(klass)->as_instance();
  for (u16 i = 0; i < own->inner_class_count; ++i) {
    const InnerClass& entry = own->inner_classes[i];
    if (entry.inner_class != 0 && entry.outer_class != 0 && own->constants->class_name(entry.inner_class) == own->name)
      return (class_modifiers(klass) & access::Static) == 0;
  }
  return false;
}

}  // namespace

bool library_has_instance_main() { return library_is_within(25, ~0u); }

Method* find_instance_main(JavaThread* thread, Klass* klass) {
  const late::MethodFinder* finder = late::get<late::MethodFinder>(thread);
  if (finder == nullptr || !initialize_class(thread, finder->klass)) return nullptr;
  Slot arguments[] = {slot_of(klass->mirror)};
  Object* found = object_of(call_java(thread, finder->find_main_method, arguments));
  return has_exception(thread) || found == nullptr ? nullptr : natives::method_of(thread, found);
}

std::optional<MainProblem> problem_of_instance_main(const Klass* klass) {
  if (klass->is_abstract()) return MainProblem::Abstract;
  if (is_inner(klass)) return MainProblem::Inner;
  const Method* constructor = constructor_of(klass);
  if (constructor == nullptr || constructor->is_private()) return MainProblem::NoConstructor;
  return std::nullopt;
}

void call_instance_main(JavaThread* thread, Klass* klass, Method* method, Handle array) {
  HandleScope scope(thread);
  if (!initialize_class(thread, klass->as_instance())) return;
  std::vector<Slot> slots;
  Handle object;
  if (!method->is_static()) {
    object = scope.make(heap::allocate_instance(thread, klass));
    if (!object) {
      throw_out_of_memory(thread, "Java heap space");
      return;
    }
    Slot self[] = {slot_of(object)};
    call_java(thread, constructor_of(klass), self);
    if (has_exception(thread)) return;
    slots.push_back(slot_of(object));
  }
  if (method->descriptor == names::main_descriptor) slots.push_back(slot_of(array));
  if (method->is_static() || method->is_private()) call_java(thread, method, slots);
  else call_java_virtual(thread, method, slots);
}

}  // namespace keyhole
