// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Sites of MethodHandle.invoke and invokeExact, and the dispatch of all signature-polymorphic sites.
#include "vm/link/indy/polymorphic.h"

#include <unordered_map>

#include "gc/barrier.h"
#include "runtime/base/mutex.h"
#include "vm/link/indy/var_handle_site.h"

namespace keyhole {

namespace indy {

namespace {

constexpr std::string_view handle_class = "java/lang/invoke/MethodHandle",
                           handle_descriptor = "Ljava/lang/invoke/MethodHandle;",
                           type_descriptor = "Ljava/lang/invoke/MethodType;",
                           site_descriptor = "Ljava/lang/invoke/CallSite;";

Mutex adapters_mutex{LockRank::invoke_adapters};
std::unordered_map<std::string, Method*>& adapters() REQUIRES(adapters_mutex) {
  static std::unordered_map<std::string, Method*> table;
  return table;
}

constexpr std::string_view invoker_class = "java/lang/invoke/Invoker", own_type = "type";

// Where an adapter finds the site's MethodType: in its last parameter, or in a static field of its class.
struct SiteType {
  bool is_own;
  u32 local;
  void load(CodeWriter& code) const {
    if (is_own) code.field(opcode::getstatic, invoker_class, own_type, type_descriptor);
    else code.load(BasicType::Reference, local);
  }
};

// Leaves the handle to call in local 0. Its type is the site's: checked for invokeExact, adapted for invoke.
void write_type_check(CodeWriter& code, bool exact, const SiteType& site_type) {
  Label fits;
  code.load(BasicType::Reference, 0);
  code.field(opcode::getfield, handle_class, "type", type_descriptor);
  site_type.load(code);
  code.jump(opcode::if_acmpeq, fits);
  code.load(BasicType::Reference, 0);
  site_type.load(code);
  if (exact) {
    code.invoke(
        opcode::invokestatic, handle_class, "wrongType",
        "(Ljava/lang/invoke/MethodHandle;Ljava/lang/invoke/MethodType;)Ljava/lang/invoke/WrongMethodTypeException;");
    code.op(opcode::athrow);
  } else {
    code.invoke(opcode::invokevirtual, handle_class, "asType",
                "(Ljava/lang/invoke/MethodType;)Ljava/lang/invoke/MethodHandle;");
    code.store(BasicType::Reference, 0);
  }
  code.bind(fits);
}

void write_invoke_boxed(CodeWriter& code) {
  if constexpr (checks_types) {
    code.invoke(opcode::invokestatic, "java/lang/invoke/TypeBoundary", "invoke",
                "(Ljava/lang/invoke/MethodHandle;[Ljava/lang/Object;)Ljava/lang/Object;");
  } else {
    code.invoke(opcode::invokevirtual, handle_class, "invokeBoxed", "([Ljava/lang/Object;)Ljava/lang/Object;");
  }
}

u32 slots_of(const std::vector<std::string>& parameters) {
  u32 slots = 0;
  for (const std::string& each : parameters) slots += slot_count(basic_type_of_descriptor(each[0]));
  return slots;
}

// The largest number of parameter slots (JVMS 4.3.3). The adapter's parameters are the site's, the handle and the type.
constexpr u32 most_slots = 255;
bool leaves_no_place_for_type(std::string_view descriptor) {
  return slots_of(parameters_of(descriptor)) + 2 > most_slots;
}

// Makes an adapter for one site only, with the site's type in a static field. It lives as long as the caller's class.
Method* own_adapter(JavaThread* thread, InstanceKlass* caller, bool exact, std::string_view descriptor, Handle type)
    MAY_SAFEPOINT {
  std::string result;
  std::vector<std::string> arguments = parameters_of(erased(descriptor), &result);
  std::vector<std::string> parameters = arguments;
  parameters.emplace(parameters.begin(), handle_descriptor);
  ClassWriter writer(access::Final | access::Super | access::Synthetic, invoker_class, "java/lang/Object");
  writer.field(access::Static, own_type, type_descriptor);
  CodeWriter code = writer.method(access::Static, "invoke", descriptor_of(parameters, result));
  write_type_check(code, exact, {true, 0});
  code.load(BasicType::Reference, 0);
  write_boxed_arguments(code, arguments, 1);
  write_invoke_boxed(code);
  write_unboxed_return(code, result);
  code.end();
  InstanceKlass* klass = define_for(thread, writer, caller);
  if (klass == nullptr) return nullptr;
  const Field* field = klass->find_declared_field(Symbol::intern(own_type), Symbol::intern(type_descriptor));
  barrier::store(klass->mirror, field->offset, type.get());
  return method_named(klass, "invoke");
}

}  // namespace

u32 write_boxed_arguments(CodeWriter& code, const std::vector<std::string>& parameters, u32 local) {
  code.integer(static_cast<i32>(parameters.size()));
  code.type_op(opcode::anewarray, "java/lang/Object");
  for (usize i = 0; i < parameters.size(); ++i) {
    BasicType type = basic_type_of_descriptor(parameters[i][0]);
    code.op(opcode::dup);
    code.integer(static_cast<i32>(i));
    code.load(type, local);
    code.box(parameters[i]);
    code.op(opcode::aastore);
    local += slot_count(type);
  }
  return local;
}

void write_unboxed_return(CodeWriter& code, std::string_view result) {
  BasicType type = basic_type_of_descriptor(result[0]);
  if (type == BasicType::Void) code.op(opcode::pop);
  else code.unbox(result);
  code.return_value(type);
}

Method* handle_adapter(JavaThread* thread, AdapterKind kind, std::string_view descriptor) {
  std::string erasure = erased(descriptor);
  std::string key = fmt::format("{}{}", static_cast<u32>(kind), erasure);
  {
    MutexLock guard(adapters_mutex);
    if (auto found = adapters().find(key); found != adapters().end()) return found->second;
  }
  std::string result;
  std::vector<std::string> arguments = parameters_of(erasure, &result);
  std::vector<std::string> parameters = arguments;
  bool is_invoke = kind == AdapterKind::Exact || kind == AdapterKind::Generic;
  if (is_invoke) parameters.emplace(parameters.begin(), handle_descriptor);
  parameters.emplace_back(is_invoke                       ? type_descriptor
                          : kind == AdapterKind::Constant ? handle_descriptor
                                                          : site_descriptor);
  ClassWriter writer(access::Final | access::Super | access::Synthetic, invoker_class, "java/lang/Object");
  CodeWriter code = writer.method(access::Static, "invoke", descriptor_of(parameters, result));
  u32 first = is_invoke ? 1 : 0;
  u32 last = first + slots_of(arguments);
  switch (kind) {
    case AdapterKind::Exact:
    case AdapterKind::Generic:
      write_type_check(code, kind == AdapterKind::Exact, {false, last});
      code.load(BasicType::Reference, 0);
      break;
    case AdapterKind::Constant: code.load(BasicType::Reference, last); break;
    case AdapterKind::Mutable:
      code.load(BasicType::Reference, last);
      code.invoke(opcode::invokevirtual, "java/lang/invoke/CallSite", "getTarget", "()Ljava/lang/invoke/MethodHandle;");
      break;
  }
  write_boxed_arguments(code, arguments, first);
  write_invoke_boxed(code);
  write_unboxed_return(code, result);
  code.end();
  InstanceKlass* klass = define_generated(thread, writer, nullptr);
  if (klass == nullptr) return nullptr;
  MutexLock guard(adapters_mutex);
  return adapters().try_emplace(key, method_named(klass, "invoke")).first->second;
}

}  // namespace indy

bool link_polymorphic_call(JavaThread* thread, Method* caller, u32 constant_index, CallSiteLink& link) {
  ConstantPool* constants = caller->constants;
  std::string_view name = constants->ref_name(constant_index)->text();
  std::string_view descriptor = constants->ref_descriptor(constant_index)->text();
  const InstanceKlass* from = constants->holder;
  link = {nullptr, nullptr};
  if (constants->ref_class_name(constant_index)->text() == "java/lang/invoke/VarHandle") {
    return indy::link_var_handle_site(thread, name, descriptor, from, link);
  }
  bool exact = name == "invokeExact";
  if (indy::leaves_no_place_for_type(descriptor)) {
    HandleScope scope(thread);
    Handle type = scope.make(indy::method_type_of(thread, descriptor, from));
    if (type.is_null()) return false;
    link.target = indy::own_adapter(thread, constants->holder, exact, descriptor, type);
    return link.target != nullptr;
  }
  link.target = indy::handle_adapter(thread, exact ? indy::AdapterKind::Exact : indy::AdapterKind::Generic, descriptor);
  if (link.target == nullptr) return false;
  link.appendix = indy::method_type_of(thread, descriptor, from);
  return link.appendix != nullptr;
}

}  // namespace keyhole
