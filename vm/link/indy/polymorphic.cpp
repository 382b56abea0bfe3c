// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Sites of MethodHandle.invoke and invokeExact, and the dispatch of all signature-polymorphic sites.
#include "vm/link/indy/polymorphic.h"

#include <unordered_map>

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

// Leaves the handle to call in local 0 when it has, or was adapted to, the site's type.
void write_type_check(CodeWriter& code, bool exact, u32 site_type) {
  Label fits;
  code.load(BasicType::Reference, 0);
  code.field(opcode::getfield, handle_class, "type", type_descriptor);
  code.load(BasicType::Reference, site_type);
  code.jump(opcode::if_acmpeq, fits);
  code.load(BasicType::Reference, 0);
  code.load(BasicType::Reference, site_type);
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
  ClassWriter writer(access::Final | access::Super | access::Synthetic, "java/lang/invoke/Invoker", "java/lang/Object");
  CodeWriter code = writer.method(access::Static, "invoke", descriptor_of(parameters, result));
  u32 first = is_invoke ? 1 : 0;
  u32 last = first;
  for (const std::string& argument : arguments) last += slot_count(basic_type_of_descriptor(argument[0]));
  switch (kind) {
    case AdapterKind::Exact: case AdapterKind::Generic:
      write_type_check(code, kind == AdapterKind::Exact, last);
      code.load(BasicType::Reference, 0);
      break;
    case AdapterKind::Constant: code.load(BasicType::Reference, last); break;
    case AdapterKind::Mutable:
      code.load(BasicType::Reference, last);
      code.invoke(opcode::invokevirtual, "java/lang/invoke/CallSite", "getTarget", "()Ljava/lang/invoke/MethodHandle;");
      break;
  }
  write_boxed_arguments(code, arguments, first);
  code.invoke(opcode::invokevirtual, handle_class, "invokeBoxed", "([Ljava/lang/Object;)Ljava/lang/Object;");
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
  LoaderData* loader = constants->holder->loader;
  link = {nullptr, nullptr};
  if (constants->ref_class_name(constant_index)->text() == "java/lang/invoke/VarHandle") {
    return indy::link_var_handle_site(thread, name, descriptor, loader, link);
  }
  link.target = indy::handle_adapter(
      thread, name == "invokeExact" ? indy::AdapterKind::Exact : indy::AdapterKind::Generic, descriptor);
  if (link.target == nullptr) return false;
  link.appendix = indy::method_type_of(thread, descriptor, loader);
  return link.appendix != nullptr;
}

}  // namespace keyhole
