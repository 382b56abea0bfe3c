// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Finding members for java.lang.invoke.MemberName, checking that a class may use them, and defining lambda classes for
// LambdaMetafactory called from Java.
#include "classlib/natives/java.base/invoke/declarations.h"
#include "gc/barrier.h"
#include "vm/link/indy/lambda.h"

namespace keyhole::natives {

namespace {

void store_member(Handle declaring, Handle found, const Klass* holder, u64 address, u32 flags) TOUCHES_OBJECTS {
  barrier::store_element(declaring.get(), 0, holder->mirror);
  found->elements<u64>()[0] = address;
  found->elements<u64>()[1] = flags;
}

std::vector<std::string> strings_of(Handle array) TOUCHES_OBJECTS {
  std::vector<std::string> texts;
  for (i32 i = 0; i < array->length(); ++i) texts.push_back(string_to_modified_utf8(array->reference_at(i)));
  return texts;
}

}  // namespace

bool MemberName_resolveMethod(JavaThread* thread, Handle referenced, Handle name, Handle descriptor, Handle declaring,
                              Handle found) {
  Klass* klass = klass_of_mirror(referenced.get());
  if (klass->is_primitive()) return false;
  if (klass->is_instance() && !link_class(thread, klass->as_instance())) return false;
  SymbolHandle method_name = symbol_of_string(name.get());
  SymbolHandle method_descriptor = symbol_of_string(descriptor.get());
  Method* method = nullptr;
  if (method_name == names::object_initializer) {
    if (klass->is_instance()) method = klass->as_instance()->find_declared_method(method_name, method_descriptor);
  } else if (method_name != names::class_initializer) {
    method = find_method(klass, method_name, method_descriptor);
  }
  if (method == nullptr) return false;
  u32 flags = indy::member_flags(method);
  if (has_conflicting_defaults(klass, method)) flags |= indy::conflicting_member;
  store_member(declaring, found, method->holder, reinterpret_cast<u64>(method), flags);
  return true;
}

bool MemberName_resolveField(JavaThread* thread, Handle referenced, Handle name, Handle descriptor, Handle declaring,
                             Handle found) {
  Klass* klass = klass_of_mirror(referenced.get());
  if (!klass->is_instance()) return false;
  if (!link_class(thread, klass->as_instance())) return false;
  Field* field = find_field(klass->as_instance(), symbol_of_string(name.get()), symbol_of_string(descriptor.get()));
  if (field == nullptr) return false;
  store_member(declaring, found, field->holder, field->offset, indy::member_flags(field));
  return true;
}

void MemberName_checkMethodLinkage(JavaThread* thread, Handle caller, Handle referenced, i64 address, bool constrains) {
  InstanceKlass* from = klass_of_mirror(caller.get())->as_instance();
  Klass* reference_class = klass_of_mirror(referenced.get());
  auto* method = reinterpret_cast<Method*>(address);
  static_cast<void>(check_method_access(thread, from, reference_class, method) &&
                    (!constrains || check_method_constraints(thread, from, reference_class, method)));
}

void MemberName_checkFieldConstraints(JavaThread* thread, Handle caller, Handle declaring, Handle name,
                                      Handle descriptor) {
  InstanceKlass* from = klass_of_mirror(caller.get())->as_instance();
  const Field* field = klass_of_mirror(declaring.get())
                           ->as_instance()
                           ->find_declared_field(symbol_of_string(name.get()), symbol_of_string(descriptor.get()));
  static_cast<void>(check_field_constraints(thread, from, field));
}

Object* LambdaMetafactory_define(JavaThread* thread, Handle caller, Handle shape_texts, Handle captures, Handle bridges,
                                 Handle markers, i32 kind, bool serializable, i64 implementation,
                                 Handle through_handle) {
  std::vector<std::string> texts = strings_of(shape_texts);
  auto* method = reinterpret_cast<Method*>(implementation);
  indy::LambdaShape shape;
  shape.caller = klass_of_mirror(caller.get())->as_instance();
  shape.interface = texts[0];
  shape.method_name = texts[1];
  shape.method_descriptor = texts[2];
  shape.instantiated_descriptor = texts[3];
  shape.owner = texts[4];
  shape.name = texts[5];
  shape.descriptor = texts[6];
  shape.captures = strings_of(captures);
  shape.bridges = strings_of(bridges);
  shape.markers = strings_of(markers);
  shape.kind = static_cast<indy::ReferenceKind>(kind);
  shape.serializable = serializable;
  shape.owner_is_interface = method->holder->is_interface();
  shape.implementation_flags = method->access_flags;
  shape.implementation_holder = method->holder;
  through_handle->elements<u8>()[0] = shape.through_handle() ? 1 : 0;
  Method* factory = nullptr;
  InstanceKlass* klass = indy::make_lambda_class(thread, shape, factory);
  return klass == nullptr ? nullptr : klass->mirror;
}

}  // namespace keyhole::natives
