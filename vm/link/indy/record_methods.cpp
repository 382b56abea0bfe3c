// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Implements the three methods of records: one generated static method per site.
//
//   toString   Point[x=1, y=2]                        the concatenation native of string_concat.h
//   hashCode   31 * (31 * 0 + hash(x)) + hash(y)      wrappers' hashCode, 0 for null
//   equals     same class, components equal           float and double by compare, references by Objects.equals
#include "vm/link/indy/record_methods.h"

#include "vm/link/indy/string_concat.h"

namespace keyhole::indy {

namespace {

LazyMethod simple_name(linkage_class, "simpleName", "(Ljava/lang/Class;)Ljava/lang/String;");

struct Component {
  std::string name;
  std::string descriptor;
};

BasicType type_of(const Component& component) { return basic_type_of_descriptor(component.descriptor[0]); }

void load_component(CodeWriter& code, const std::string& record, u32 local, const Component& component) {
  code.load(BasicType::Reference, local);
  code.field(opcode::getfield, record, component.name, component.descriptor);
}

void write_hash_code(CodeWriter& code, const std::string& record, const std::vector<Component>& components) {
  code.integer(0);
  for (const Component& component : components) {
    code.integer(31);
    code.op(opcode::imul);
    load_component(code, record, 0, component);
    switch (type_of(component)) {
      case BasicType::Int:
      case BasicType::Short:
      case BasicType::Byte:
      case BasicType::Char: break;
      case BasicType::Reference:
        code.invoke(opcode::invokestatic, "java/util/Objects", "hashCode", "(Ljava/lang/Object;)I");
        break;
      default:
        code.invoke(opcode::invokestatic, wrapper_of(component.descriptor), "hashCode",
                    fmt::format("({})I", component.descriptor));
        break;
    }
    code.op(opcode::iadd);
  }
  code.return_value(BasicType::Int);
}

void write_equals(CodeWriter& code, const std::string& record, const std::vector<Component>& components) {
  Label different, same;
  code.load(BasicType::Reference, 0);
  code.load(BasicType::Reference, 1);
  code.jump(opcode::if_acmpeq, same);
  code.load(BasicType::Reference, 1);
  code.type_op(opcode::instanceof, record);
  code.jump(opcode::ifeq, different);
  code.load(BasicType::Reference, 1);
  code.type_op(opcode::checkcast, record);
  code.store(BasicType::Reference, 2);
  for (const Component& component : components) {
    load_component(code, record, 0, component);
    load_component(code, record, 2, component);
    switch (type_of(component)) {
      case BasicType::Long:
        code.op(opcode::lcmp);
        code.jump(opcode::ifne, different);
        break;
      case BasicType::Float:
      case BasicType::Double:
        code.invoke(opcode::invokestatic, wrapper_of(component.descriptor), "compare",
                    fmt::format("({0}{0})I", component.descriptor));
        code.jump(opcode::ifne, different);
        break;
      case BasicType::Reference:
        code.invoke(opcode::invokestatic, "java/util/Objects", "equals", "(Ljava/lang/Object;Ljava/lang/Object;)Z");
        code.jump(opcode::ifeq, different);
        break;
      default: code.jump(opcode::if_icmpne, different); break;
    }
  }
  code.bind(same);
  code.integer(1);
  code.return_value(BasicType::Int);
  code.bind(different);
  code.integer(0);
  code.return_value(BasicType::Int);
}

}  // namespace

bool link_record_method(JavaThread* thread, Method* method, u32 constant_index, CallSiteLink& link, bool& handled) {
  ConstantPool* constants = method->constants;
  InstanceKlass* holder = constants->holder;
  const u16* bootstrap = constants->bootstraps[constants->first(constant_index)];
  u32 count = bootstrap[1];
  const u16* arguments = bootstrap + 2;
  std::string record = holder->name->string();
  std::string_view name = constants->ref_name(constant_index)->text();
  std::string_view descriptor = constants->ref_descriptor(constant_index)->text();
  handled = false;
  if (holder->is_hidden || count < 2 || constants->tag(arguments[0]) != ConstantTag::Class ||
      constants->tag(arguments[1]) != ConstantTag::String || constants->class_name(arguments[0]) != holder->name)
    return true;
  std::vector<Component> components;
  for (u32 i = 2; i < count; ++i) {
    u64 handle = constants->values[arguments[i]];
    if (constants->tag(arguments[i]) != ConstantTag::MethodHandle || (handle >> 16) != 1) return true;  // 1: getField
    u32 reference = static_cast<u32>(handle) & 0xFFFF;
    if (constants->ref_class_name(reference) != holder->name) return true;
    components.push_back({constants->ref_name(reference)->string(), constants->ref_descriptor(reference)->string()});
  }
  std::string names;
  for (const Component& component : components) names += (names.empty() ? "" : ";") + component.name;
  if (names != constants->string_text(arguments[1])->text()) return true;
  std::string self = descriptor_of_class(record);
  bool is_to_string = name == "toString" && descriptor == "(" + self + ")Ljava/lang/String;";
  bool is_hash_code = name == "hashCode" && descriptor == "(" + self + ")I";
  bool is_equals = name == "equals" && descriptor == "(" + self + "Ljava/lang/Object;)Z";
  if (!is_to_string && !is_hash_code && !is_equals) return true;
  handled = true;

  ClassWriter writer(access::Final | access::Super | access::Synthetic, record + "$$Record", "java/lang/Object");
  if (is_to_string) {
    std::vector<std::string> types;
    for (const Component& component : components) types.push_back(component.descriptor);
    std::string concat = add_concat_native(writer, types);
    CodeWriter code = writer.method(access::Static, name, "(" + self + "Ljava/lang/Object;)Ljava/lang/String;");
    for (const Component& component : components) {
      load_component(code, record, 0, component);
      convert_for_concat(code, component.descriptor);
    }
    code.load(BasicType::Reference, 1);
    code.invoke(opcode::invokestatic, writer.name(), "concat", concat);
    code.return_value(BasicType::Reference);
    code.end();
    InstanceKlass* klass = define_generated(thread, writer, holder);
    if (klass == nullptr) return false;
    bind_concat_native(klass);
    Object* text = simple_name.call(thread, {slot_of(holder->mirror)});
    if (text == nullptr) return false;
    std::vector<ConcatText> parts{{utf16_of(string_to_modified_utf8(text)) + u"[", false}};
    for (usize i = 0; i < components.size(); ++i) {
      parts.push_back({(i == 0 ? u"" : u", ") + utf16_of(components[i].name) + u"=", false});
      parts.push_back({{}, true});
    }
    parts.push_back({u"]", false});
    link.target = method_named(klass, name);
    link.appendix = make_concat_recipe(thread, holder, types, parts);
    return link.appendix != nullptr;
  }
  CodeWriter code = writer.method(access::Static, name, descriptor);
  if (is_hash_code) write_hash_code(code, record, components);
  else write_equals(code, record, components);
  code.end();
  InstanceKlass* klass = define_generated(thread, writer, holder);
  if (klass == nullptr) return false;
  link.target = method_named(klass, name);
  return true;
}

}  // namespace keyhole::indy
