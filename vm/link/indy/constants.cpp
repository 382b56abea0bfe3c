// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The constants of dynamic linkage: method handles, method types, and values computed by bootstrap methods.
#include "gc/barrier.h"
#include "vm/link/indy/indy.h"
#include "vm/link/indy/lambda.h"
#include "vm/link/indy/polymorphic.h"
#include "vm/link/indy/support.h"
#include "vm/link/indy/var_handle_site.h"

namespace keyhole {

using namespace indy;

namespace {

LazyMethod make_handle(linkage_class, "handle",
                       "(ILjava/lang/Class;Ljava/lang/Class;Ljava/lang/String;Ljava/lang/invoke/MethodType;Ljava/lang/"
                       "Class;IJLjava/lang/Class;)"
                       "Ljava/lang/invoke/MethodHandle;");
LazyMethod polymorphic_handle(linkage_class, "polymorphicHandle",
                              "(Ljava/lang/invoke/MethodType;Z)Ljava/lang/invoke/MethodHandle;");
LazyMethod polymorphic_access(linkage_class, "polymorphicAccess",
                              "(Ljava/lang/invoke/MethodType;I)Ljava/lang/invoke/MethodHandle;");
LazyMethod link_constant(linkage_class, "linkConstant",
                         "(Ljava/lang/Class;Ljava/lang/invoke/MethodHandle;Ljava/lang/String;Ljava/lang/Class;[Ljava/"
                         "lang/Object;)Ljava/lang/Object;");

struct Member {                  // what a handle constant resolved to
  InstanceKlass* declaring;
  u32 flags;
  u64 address;                   // Method*, or a field's offset
};

Object* handle_of(JavaThread* thread, ConstantPool* constants, ReferenceKind kind, u32 reference, const Member& member,
                  bool is_field) MAY_SAFEPOINT {
  HandleScope scope(thread);
  LoaderData* loader = constants->holder->loader;
  std::string_view descriptor = constants->ref_descriptor(reference)->text();
  Klass* referenced = resolve_class_at(thread, constants, constants->first(reference));
  if (referenced == nullptr) return nullptr;
  Handle type =
      scope.make(is_field ? mirror_of(thread, descriptor, loader) : method_type_of(thread, descriptor, loader));
  if (type.is_null()) return nullptr;
  Object* name = intern_symbol(thread, constants->ref_name(reference));
  if (name == nullptr) return nullptr;
  return make_handle.call(
      thread, {slot_of(static_cast<i32>(kind)), slot_of(referenced->mirror), slot_of(member.declaring->mirror),
               slot_of(name), is_field ? 0 : slot_of(type), is_field ? slot_of(type) : 0,
               slot_of(static_cast<i32>(member.flags)), 0, member.address, slot_of(constants->holder->mirror)});
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

Object* resolve_method_handle_constant(JavaThread* thread, ConstantPool* constants, u32 index) {
  auto kind = static_cast<ReferenceKind>(constants->values[index] >> 16);
  u32 reference = static_cast<u32>(constants->values[index]) & 0xFFFF;
  if (kind <= ReferenceKind::PutStatic) {
    bool is_static = kind == ReferenceKind::GetStatic || kind == ReferenceKind::PutStatic;
    bool is_put = kind == ReferenceKind::PutField || kind == ReferenceKind::PutStatic;
    Field* field = resolve_field_at(thread, constants, reference, is_static, is_put, nullptr);
    if (field == nullptr) return nullptr;
    return handle_of(thread, constants, kind, reference, {field->holder, member_flags(field), field->offset}, true);
  }
  InvokeKind invoke = InvokeKind::Special;
  if (kind == ReferenceKind::InvokeVirtual) invoke = InvokeKind::Virtual;
  else if (kind == ReferenceKind::InvokeStatic) invoke = InvokeKind::Static;
  else if (kind == ReferenceKind::InvokeInterface) invoke = InvokeKind::Interface;
  ResolvedCall call{};
  if (!resolve_call_at(thread, constants, reference, invoke, nullptr, call)) return nullptr;
  if (call.method->polymorphic_signature) {
    Object* type = method_type_of(thread, constants->ref_descriptor(reference)->text(), constants->holder->loader);
    if (type == nullptr) return nullptr;
    i32 mode = access_mode_of(call.method->name->text());
    if (mode >= 0 && call.method->holder->name->text() == "java/lang/invoke/VarHandle")
      return polymorphic_access.call(thread, {slot_of(type), slot_of(mode)});
    return polymorphic_handle.call(thread, {slot_of(type), slot_of(i32{call.method->name->text() == "invokeExact"})});
  }
  u64 address = reinterpret_cast<u64>(call.method);
  return handle_of(thread, constants, kind, reference, {call.method->holder, member_flags(call.method), address},
                   false);
}

Object* resolve_method_type_constant(JavaThread* thread, ConstantPool* constants, u32 index) {
  return method_type_of(thread, constants->utf8(static_cast<u32>(constants->values[index]))->text(),
                        constants->holder->loader);
}

Object* resolve_dynamic_constant(JavaThread* thread, ConstantPool* constants, u32 index, bool* is_null_constant) {
  HandleScope scope(thread);
  Handle bootstrap = scope.make(nullptr), arguments = scope.make(nullptr);
  if (!bootstrap_arguments(thread, constants, index, bootstrap, arguments)) return nullptr;
  Handle type = scope.make(mirror_of(thread, constants->ref_descriptor(index)->text(), constants->holder->loader));
  if (type.is_null()) return nullptr;
  Object* name = intern_symbol(thread, constants->ref_name(index));
  if (name == nullptr) return nullptr;
  Object* value = link_constant.call(thread, {slot_of(constants->holder->mirror), slot_of(bootstrap), slot_of(name),
                                              slot_of(type), slot_of(arguments)});
  if (has_exception(thread)) return nullptr;
  if (is_null_constant != nullptr) *is_null_constant = value == nullptr;
  return value;
}

}  // namespace keyhole
