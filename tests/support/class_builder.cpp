// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Writes the class file around the code: constants, members, attributes. tests/support/assembler.cpp assembles the
// code.
#include "tests/support/class_builder.h"

#include "runtime/base/arena.h"
#include "runtime/base/check.h"
#include "tests/support/assembler.h"
#include "tests/support/byte_writer.h"
#include "vm/link/loading/loader_data.h"

namespace keyhole::testing {

ClassBuilder::ClassBuilder(std::string name, std::string super, u16 major_version, u16 access_flags)
    : name_(std::move(name)), major_version_(major_version), access_flags_(access_flags) {
  constants_.push_back({ConstantTag::Unused, 0, {}});
  this_class_ = class_constant(name_);
  super_class_ = super.empty() ? u16{0} : class_constant(super);
}

u16 ClassBuilder::constant(ConstantTag tag, u64 value, std::string text) {
  auto [found, is_new] =
      index_of_.try_emplace({static_cast<u8>(tag), {value, text}}, static_cast<u16>(constants_.size()));
  if (is_new) {
    constants_.push_back({tag, value, std::move(text)});
    if (tag == ConstantTag::Long || tag == ConstantTag::Double) constants_.push_back({ConstantTag::Unused, 0, {}});
  }
  return found->second;
}

u16 ClassBuilder::utf8(std::string_view text) { return constant(ConstantTag::Utf8, 0, std::string(text)); }
u16 ClassBuilder::class_constant(std::string_view name) { return constant(ConstantTag::Class, utf8(name)); }
u16 ClassBuilder::string_constant(std::string_view text) { return constant(ConstantTag::String, utf8(text)); }
u16 ClassBuilder::name_and_type(std::string_view name, std::string_view descriptor) {
  u64 first = utf8(name);
  return constant(ConstantTag::NameAndType, first << 16 | utf8(descriptor));
}
u16 ClassBuilder::member(ConstantTag tag, std::string_view owner, std::string_view name, std::string_view descriptor) {
  u64 first = class_constant(owner);
  return constant(tag, first << 16 | name_and_type(name, descriptor));
}
u16 ClassBuilder::number(ConstantTag tag, u64 bits) { return constant(tag, bits); }

ClassBuilder& ClassBuilder::implements(std::string name) {
  interfaces_.push_back(class_constant(name));
  return *this;
}

ClassBuilder& ClassBuilder::field(u16 access_flags, std::string_view name, std::string_view descriptor) {
  fields_.push_back({access_flags, utf8(name), utf8(descriptor)});
  return *this;
}

ClassBuilder& ClassBuilder::method(u32 access_flags, std::string_view name, std::string_view descriptor,
                                   std::string_view assembly) {
  Body body;
  body.member = {static_cast<u16>(access_flags), utf8(name), utf8(descriptor)};
  if ((access_flags & (access::Abstract | access::Native)) == 0) {
    body.has_code = true;
    u32 arguments = ((access_flags & access::Static) != 0 ? 0 : 1) + argument_slots_of(descriptor);
    body.max_stack = 16;
    body.max_locals = static_cast<u16>(arguments + 8);
    Assembler(*this, body).run(assembly);
  }
  methods_.push_back(std::move(body));
  return *this;
}

ClassBuilder& ClassBuilder::default_constructor() {
  return method(access::Public, "<init>", "()V",
                fmt::format(R"(
      aload_0
      invokespecial {}.<init> ()V
      return
  )",
                            constants_[constants_[super_class_].value].text));
}

ClassBuilder& ClassBuilder::bootstrap(std::string_view owner, std::string_view name, std::string_view descriptor,
                                      std::vector<u16> arguments) {
  constexpr u64 reference_kind_invoke_static = 6;
  u16 handle = constant(ConstantTag::MethodHandle,
                        reference_kind_invoke_static << 16 | member(ConstantTag::Methodref, owner, name, descriptor));
  bootstraps_.push_back({handle, std::move(arguments)});
  return *this;
}

std::vector<u8> ClassBuilder::bytes() const {
  ClassBuilder self = *this;  // attribute names become constants
  u16 code_name = self.utf8("Code"), frames_name = self.utf8("StackMapTable"),
      bootstraps_name = self.utf8("BootstrapMethods");
  u16 locals_name = self.utf8("LocalVariableTable");
  ByteWriter out;
  out.put4(0xCAFEBABE);
  out.put2(0);
  out.put2(major_version_);
  out.put2(static_cast<u32>(self.constants_.size()));
  for (const Constant& constant : self.constants_) {
    if (constant.tag == ConstantTag::Unused) continue;
    out.put1(static_cast<u32>(constant.tag));
    switch (constant.tag) {
      case ConstantTag::Utf8:
        out.put2(static_cast<u32>(constant.text.size()));
        for (char c : constant.text) out.put1(static_cast<u8>(c));
        break;
      case ConstantTag::Integer:
      case ConstantTag::Float: out.put4(static_cast<u32>(constant.value)); break;
      case ConstantTag::Long:
      case ConstantTag::Double:
        out.put4(static_cast<u32>(constant.value >> 32));
        out.put4(static_cast<u32>(constant.value));
        break;
      case ConstantTag::Class:
      case ConstantTag::String:
      case ConstantTag::MethodType:
      case ConstantTag::Module:
      case ConstantTag::Package: out.put2(static_cast<u32>(constant.value)); break;
      case ConstantTag::MethodHandle:
        out.put1(static_cast<u32>(constant.value >> 16));
        out.put2(static_cast<u32>(constant.value) & 0xFFFF);
        break;
      default:
        out.put2(static_cast<u32>(constant.value >> 16));
        out.put2(static_cast<u32>(constant.value) & 0xFFFF);
        break;
    }
  }
  out.put2(access_flags_);
  out.put2(this_class_);
  out.put2(super_class_);
  out.put2(static_cast<u32>(interfaces_.size()));
  for (u16 interface : interfaces_) out.put2(interface);
  out.put2(static_cast<u32>(fields_.size()));
  for (const Member& field : fields_) {
    out.put2(field.access_flags);
    out.put2(field.name);
    out.put2(field.descriptor);
    out.put2(0);
  }
  out.put2(static_cast<u32>(methods_.size()));
  for (const Body& body : methods_) {
    out.put2(body.member.access_flags);
    out.put2(body.member.name);
    out.put2(body.member.descriptor);
    out.put2(body.has_code ? 1 : 0);
    if (!body.has_code) continue;
    ByteWriter code;
    code.put2(body.max_stack);
    code.put2(body.max_locals);
    code.put4(static_cast<u32>(body.code.size()));
    code.put(body.code);
    code.put2(static_cast<u32>(body.handlers.size()));
    for (const Handler& handler : body.handlers) {
      code.put2(handler.start);
      code.put2(handler.end);
      code.put2(handler.handler);
      code.put2(handler.type);
    }
    code.put2((body.frame_count != 0 ? 1 : 0) + (body.local_variables.empty() ? 0 : 1));
    if (body.frame_count != 0) {
      code.put2(frames_name);
      code.put4(static_cast<u32>(body.stack_map.size()) + 2);
      code.put2(body.frame_count);
      code.put(body.stack_map);
    }
    if (!body.local_variables.empty()) {
      code.put2(locals_name);
      code.put4(static_cast<u32>(body.local_variables.size()) * 10 + 2);
      code.put2(static_cast<u32>(body.local_variables.size()));
      for (const Local& local : body.local_variables) {
        code.put2(local.start);
        code.put2(local.length);
        code.put2(local.name);
        code.put2(local.descriptor);
        code.put2(local.slot);
      }
    }
    out.put2(code_name);
    out.put4(static_cast<u32>(code.bytes().size()));
    out.put(code.bytes());
  }
  if (bootstraps_.empty()) {
    out.put2(0);
    return out.bytes();
  }
  ByteWriter table;
  table.put2(static_cast<u32>(bootstraps_.size()));
  for (const Bootstrap& bootstrap : bootstraps_) {
    table.put2(bootstrap.handle);
    table.put2(static_cast<u32>(bootstrap.arguments.size()));
    for (u16 argument : bootstrap.arguments) table.put2(argument);
  }
  out.put2(1);
  out.put2(bootstraps_name);
  out.put4(static_cast<u32>(table.bytes().size()));
  out.put(table.bytes());
  return out.bytes();
}

LooseClass ClassBuilder::loose() const {
  static Arena* arena = new Arena();
  auto* klass = arena->create<InstanceKlass>();
  auto* pool = arena->create<ConstantPool>();
  pool->holder = klass;
  pool->count = static_cast<u16>(constants_.size());
  pool->tags = arena->create_array<u8>(constants_.size());
  pool->values = arena->create_array<u64>(constants_.size());
  pool->resolved = arena->create_array<std::atomic<u64>>(constants_.size());
  for (usize index = 0; index < constants_.size(); ++index) {
    pool->tags[index] = static_cast<u8>(constants_[index].tag);
    pool->values[index] = constants_[index].tag == ConstantTag::Utf8
                              ? reinterpret_cast<u64>(Symbol::intern(constants_[index].text))
                              : constants_[index].value;
  }
  klass->constants = pool;
  klass->name = Symbol::intern(name_);
  klass->major_version = major_version_;
  klass->access_flags = access_flags_;
  if (super_class_ != 0) {
    klass->super = arena->create<InstanceKlass>();
    klass->super->name = Symbol::intern(constants_[constants_[super_class_].value].text);
  }
  klass->method_count = static_cast<u16>(methods_.size());
  klass->methods = arena->create_array<Method*>(methods_.size());
  for (usize index = 0; index < methods_.size(); ++index) {
    const Body& body = methods_[index];
    auto* method = arena->create<Method>();
    klass->methods[index] = method;
    method->holder = klass;
    method->constants = pool;
    method->name = pool->utf8(body.member.name);
    method->descriptor = pool->utf8(body.member.descriptor);
    method->access_flags = body.member.access_flags;
    method->method_index = static_cast<u16>(index);
    u32 slots = method->is_static() ? 0 : 1;
    for (DescriptorIterator it(method->descriptor); !it.at_end(); it.next()) {
      slots += slot_count(it.type());
      ++method->argument_count;
    }
    method->argument_slots = static_cast<u16>(slots);
    std::string_view descriptor = method->descriptor->text();
    method->return_type = return_type_of(descriptor);
    method->max_locals = method->argument_slots;
    if (!body.has_code) continue;
    method->max_stack = body.max_stack;
    method->max_locals = body.max_locals;
    method->code_length = static_cast<u32>(body.code.size());
    u8* code = arena->create_array<u8>(body.code.size());
    std::copy(body.code.begin(), body.code.end(), code);
    method->code = code;
    method->handler_count = static_cast<u16>(body.handlers.size());
    auto* handlers = arena->create_array<ExceptionHandler>(body.handlers.size());
    for (usize handler = 0; handler < body.handlers.size(); ++handler) {
      handlers[handler] = {body.handlers[handler].start, body.handlers[handler].end, body.handlers[handler].handler,
                           body.handlers[handler].type};
    }
    method->handlers = handlers;
    if (!body.local_variables.empty()) {
      ByteWriter table;
      for (const Local& local : body.local_variables) {
        table.put2(local.start);
        table.put2(local.length);
        table.put2(local.name);
        table.put2(local.descriptor);
        table.put2(local.slot);
      }
      u8* rows = arena->create_array<u8>(table.bytes().size());
      std::copy(table.bytes().begin(), table.bytes().end(), rows);
      method->local_variables = rows;
      method->local_variable_count = static_cast<u16>(body.local_variables.size());
    }
    if (body.frame_count != 0) {
      ByteWriter frames;
      frames.put2(body.frame_count);
      frames.put(body.stack_map);
      u8* stack_map = arena->create_array<u8>(frames.bytes().size());
      std::copy(frames.bytes().begin(), frames.bytes().end(), stack_map);
      method->stack_map = stack_map;
      method->stack_map_length = static_cast<u32>(frames.bytes().size());
    }
  }
  return {klass};
}

Method* LooseClass::method(std::string_view name) const {
  for (u32 index = 0; index < klass->method_count; ++index)
    if (klass->methods[index]->name->text() == name) return klass->methods[index];
  return nullptr;
}

void LooseClass::enter(LoaderData* loader) const {
  klass->loader = loader;
  klass->unit = &loader->unit;
  klass->state.store(ClassState::Initialized, std::memory_order_release);
}

}  // namespace keyhole::testing
