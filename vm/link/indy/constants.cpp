// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The constants of dynamic linkage: method handles, method types, and values computed by bootstrap methods.
#include "gc/barrier.h"
#include "vm/link/indy/indy.h"
#include "vm/link/indy/lambda.h"
#include "vm/link/indy/support.h"
#include "vm/link/loading/loader_names.h"

namespace keyhole {

using namespace indy;

namespace {

LazyMethod make_handle(linkage_class, "handle",
                       "(ILjava/lang/Class;Ljava/lang/String;Ljava/lang/Object;Ljava/lang/Class;)"
                       "Ljava/lang/invoke/MethodHandle;");
LazyMethod link_constant(linkage_class, "linkConstant",
                         "(Ljava/lang/Class;Ljava/lang/invoke/MethodHandle;Ljava/lang/String;Ljava/lang/Class;[Ljava/"
                         "lang/Object;)Ljava/lang/Object;");

// Checks the kind of a method handle's reference: a method of a class needs a Methodref, a method of an interface an
// InterfaceMethodref.
bool check_reference_kind(JavaThread* thread, const ConstantPool* constants, u32 index, u32 reference,
                          const Klass* referenced) MAY_SAFEPOINT {
  bool wants_interface = referenced->is_interface();
  if (wants_interface == (constants->tag(reference) == ConstantTag::InterfaceMethodref)) return true;
  constexpr const char* kinds[] = {"CONSTANT_MethodRef", "CONSTANT_InterfaceMethodRef"};
  return throw_new(
      thread, names::java_lang_IncompatibleClassChangeError,
      "Inconsistent constant pool data in classfile for class {}. Method '{}' at index {} is {} and should "
      "be {}",
      referenced->name->text(),
      external_method_name(nullptr, constants->ref_name(reference), constants->ref_descriptor(reference)), index,
      kinds[!wants_interface], kinds[wants_interface]);
}

// Reports a missing member before the classes of its type are resolved. The look-up in Java checks constructors and
// signature-polymorphic methods.
bool check_exists(JavaThread* thread, ConstantPool* constants, u32 reference, Klass* referenced, bool is_field)
    MAY_SAFEPOINT {
  const Symbol *name = constants->ref_name(reference), *descriptor = constants->ref_descriptor(reference);
  if (is_field) {
    bool exists = referenced->is_instance() && find_field(referenced->as_instance(), name, descriptor) != nullptr;
    return exists || resolve_field_at(thread, constants, reference, false, false, nullptr) != nullptr;
  }
  if (name == names::object_initializer || find_method(referenced, name, descriptor) != nullptr) return true;
  ResolvedCall call{};
  InvokeKind kind = referenced->is_interface() ? InvokeKind::Interface : InvokeKind::Virtual;
  return resolve_call_at(thread, constants, reference, kind, nullptr, call);
}

}  // namespace

namespace indy {

u32 member_flags(const Method* method) {
  return method->access_flags | (method->caller_sensitive ? caller_sensitive_member : 0);
}

u32 member_flags(const Field* field) {
  bool is_trusted = field->is_final() && (field->is_static() || field->holder->is_record || field->holder->is_hidden);
  return field->access_flags | (is_trusted ? trusted_final_member : 0);
}

bool bootstrap_arguments(JavaThread* thread, ConstantPool* constants, u32 dynamic_index, Handle bootstrap_method,
                         Handle arguments) {
  const u16* bootstrap = constants->bootstraps[constants->first(dynamic_index)];
  HandleScope scope(thread);
  Object* handle = resolve_object_at(thread, constants, bootstrap[0]);
  if (handle == nullptr) return false;
  bootstrap_method.set(handle);
  Object* array = allocate_objects(thread, bootstrap[1]);
  if (array == nullptr) return false;
  arguments.set(array);
  Handle value = scope.make(nullptr);
  for (u32 i = 0; i < bootstrap[1]; ++i) {
    if (!bootstrap_argument(thread, constants, bootstrap[2 + i], value)) return false;
    barrier::store_element(arguments.get(), static_cast<i32>(i), value.get());
  }
  return true;
}

}  // namespace indy

// Resolves by JVMS 5.4.3.5: a java.lang.invoke lookup of the class resolves the member, in Java.
Object* resolve_method_handle_constant(JavaThread* thread, ConstantPool* constants, u32 index) {
  auto kind = static_cast<ReferenceKind>(constants->values[index] >> 16);
  u32 reference = static_cast<u32>(constants->values[index]) & 0xFFFF;
  bool is_field = kind <= ReferenceKind::PutStatic;
  Klass* referenced = resolve_class_at(thread, constants, constants->first(reference));
  if (referenced == nullptr) return nullptr;
  if (!is_field && !check_reference_kind(thread, constants, index, reference, referenced)) return nullptr;
  if (!check_exists(thread, constants, reference, referenced, is_field)) return nullptr;
  HandleScope scope(thread);
  const InstanceKlass* from = constants->holder;
  std::string_view descriptor = constants->ref_descriptor(reference)->text();
  Handle type =
      scope.make(is_field ? mirror_of(thread, descriptor, from->loader) : method_type_of(thread, descriptor, from));
  if (type.is_null()) return nullptr;
  Object* name = intern_symbol(thread, constants->ref_name(reference));
  if (name == nullptr) return nullptr;
  return make_handle.call(thread, {slot_of(static_cast<i32>(kind)), slot_of(referenced->mirror), slot_of(name),
                                   slot_of(type), slot_of(from->mirror)});
}

Object* resolve_method_type_constant(JavaThread* thread, ConstantPool* constants, u32 index) {
  return method_type_of(thread, constants->utf8(static_cast<u32>(constants->values[index]))->text(), constants->holder);
}

namespace {

Object* call_bootstrap(JavaThread* thread, ConstantPool* constants, u32 index) MAY_SAFEPOINT {
  HandleScope scope(thread);
  Handle bootstrap = scope.make(nullptr), arguments = scope.make(nullptr);
  if (!bootstrap_arguments(thread, constants, index, bootstrap, arguments)) return nullptr;
  Handle type = scope.make(mirror_of(thread, constants->ref_descriptor(index)->text(), constants->holder->loader));
  if (type.is_null()) return nullptr;
  Object* name = intern_symbol(thread, constants->ref_name(index));
  if (name == nullptr) return nullptr;
  return link_constant.call(thread, {slot_of(constants->holder->mirror), slot_of(bootstrap), slot_of(name),
                                     slot_of(type), slot_of(arguments)});
}

}  // namespace

Object* resolve_dynamic_constant(JavaThread* thread, ConstantPool* constants, u32 index, bool* is_null_constant) {
  Object* value = call_bootstrap(thread, constants, index);
  if (has_exception(thread)) {
    wrap_in_bootstrap_error(thread);
    return nullptr;
  }
  if (is_null_constant != nullptr) *is_null_constant = value == nullptr;
  return value;
}

}  // namespace keyhole
