// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads and writes heap values for packets. No function in this file reaches a safepoint poll.
#include "vm/tools/jdwp/values.h"

#include <cstring>

#include "gc/barrier.h"
#include "vm/link/linker.h"
#include "vm/link/well_known.h"
#include "vm/tools/jdwp/object_ids.h"

namespace keyhole::jdwp {

std::string signature_of(const Klass* klass) {
  std::string name = klass->name->string();
  if (klass->is_array()) return name;
  if (klass->is_instance() && klass->as_instance()->is_hidden) {
    if (usize plus = name.rfind('+'); plus != std::string::npos) name[plus] = '.';  // JVMTI writes a dot
  }
  return "L" + name + ";";
}

TypeTag type_tag_of(const Klass* klass) {
  return klass->is_array() ? TypeTag::Array : klass->is_interface() ? TypeTag::Interface : TypeTag::Class;
}

i32 status_of(const Klass* klass) {
  if (!klass->is_instance()) return 0;
  switch (klass->as_instance()->state.load(std::memory_order_acquire)) {
    case ClassState::Loaded:
    case ClassState::Linking: return 0;
    case ClassState::Linked:
    case ClassState::BeingInitialized: return class_status::verified | class_status::prepared;
    case ClassState::Initialized: return class_status::verified | class_status::prepared | class_status::initialized;
    case ClassState::Erroneous: return class_status::verified | class_status::prepared | class_status::error;
  }
  return 0;
}

bool is_class_object(const Object* object) {
  if (object->klass() != well_known::Class_class) return false;
  const Klass* klass = klass_of_mirror(object);
  return klass != nullptr && !klass->is_primitive();
}

bool is_visible(const Klass* klass) {
  return klass->mirror != nullptr && (klass->is_array() || (klass->is_instance() && klass->as_instance()->is_linked()));
}

u64 type_id(const Klass* klass) { return klass == nullptr ? 0 : object_ids::id_of(klass->mirror); }

i32 modifiers_of(u32 access_flags) {
  i32 modifiers = static_cast<i32>(access_flags & 0xFFFF);
  return (access_flags & access::Synthetic) != 0 ? modifiers | synthetic_modifier : modifiers;
}

Method* method_of(InstanceKlass* klass, u64 id) {
  for (u32 i = 0; i < klass->method_count; ++i)
    if (address_id(klass->methods[i]) == id) return klass->methods[i];
  return nullptr;
}

Field* field_of(InstanceKlass* klass, u64 id) {
  auto declared = [&](InstanceKlass* each) -> Field* {
    for (u32 i = 0; i < each->field_count; ++i)
      if (address_id(&each->fields[i]) == id) return &each->fields[i];
    return nullptr;
  };
  for (Klass* each = klass; each != nullptr; each = each->super)
    if (Field* field = declared(each->as_instance())) return field;
  for (u32 i = 0; i < klass->interface_table_count; ++i)
    if (Field* field = declared(klass->interface_tables[i].interface)) return field;
  return nullptr;
}

u64 method_id(const Method* method) {
  InstanceKlass* holder = method->holder;
  if (holder->methods[method->method_index] == method) return address_id(method);
  const Method* current = holder->methods[method->method_index];
  bool does_the_same =
      current->code_length == method->code_length && memcmp(current->code, method->code, method->code_length) == 0;
  return does_the_same ? address_id(current) : 0;
}

u8 object_tag(const Object* object) {
  if (object == nullptr) return tag::object;
  const Klass* klass = object->klass();
  if (klass->is_array()) return tag::array;
  if (klass == well_known::String_class) return tag::string;
  if (klass == well_known::Class_class) return tag::class_object;
  if (klass->is_subtype_of(well_known::Thread_class)) return tag::thread;
  if (klass->is_subtype_of(well_known::ThreadGroup_class)) return tag::thread_group;
  if (klass->is_subtype_of(well_known::ClassLoader_class)) return tag::class_loader;
  return tag::object;
}

u8 tag_of(BasicType type) {
  switch (type) {
    case BasicType::Boolean: return 'Z';
    case BasicType::Char: return 'C';
    case BasicType::Float: return 'F';
    case BasicType::Double: return 'D';
    case BasicType::Byte: return 'B';
    case BasicType::Short: return 'S';
    case BasicType::Int: return 'I';
    case BasicType::Long: return 'J';
    case BasicType::Void: return tag::nothing;
    default: return tag::object;
  }
}

void write_object(Writer& out, Object* object) {
  out.write_u8(object_tag(object));
  out.write_u64(object_ids::id_of(object));
}

void write_value(Writer& out, BasicType type, const Object* holder, u32 offset, bool tagged) {
  if (type == BasicType::Reference) return write_object(out, holder->get_reference(offset));
  if (tagged) out.write_u8(tag_of(type));
  switch (element_shift(type)) {
    case 0: return out.write_u8(holder->get<u8>(offset));
    case 1: return out.write_u16(holder->get<u16>(offset));
    case 2: return out.write_i32(holder->get<i32>(offset));
    default: return out.write_u64(holder->get<u64>(offset));
  }
}

Value read_value(Reader& in, BasicType type) {
  if (type == BasicType::Reference) {
    u64 id = in.read_u64();
    if (id == 0) return {};
    object_ids::Found found = object_ids::find(id);
    return {.object = found.object, .error = found.object == nullptr ? Error::InvalidObject : Error::None};
  }
  switch (element_shift(type)) {
    case 0: return {.bits = in.read_u8()};
    case 1: return {.bits = in.read_u16()};
    case 2: return {.bits = static_cast<u32>(in.read_i32())};
    default: return {.bits = in.read_u64()};
  }
}

const Klass* class_of_descriptor(std::string_view descriptor, LoaderData* loader) {
  SymbolHandle symbol =
      Symbol::find(descriptor.front() == 'L' ? descriptor.substr(1, descriptor.size() - 2) : descriptor);
  if (static_cast<const Symbol*>(symbol) == nullptr) return nullptr;
  const Klass* klass = find_loaded_class(symbol, loader);
  return klass != nullptr ? klass : find_loaded_class(symbol, boot_loader());
}

Error store_field(Object* holder, const Field& field, const Value& value) {
  const Klass* wanted = field.type == BasicType::Reference
                            ? class_of_descriptor(field.descriptor->text(), field.holder->loader)
                            : nullptr;
  return store_value(holder, field.offset, field.type, wanted, value);
}

Error store_value(Object* holder, u32 offset, BasicType type, const Klass* wanted, const Value& value) {
  if (value.error != Error::None) return value.error;
  if (type == BasicType::Reference) {
    if (value.object != nullptr && (wanted == nullptr || !value.object->klass()->is_subtype_of(wanted)))
      return Error::TypeMismatch;
    barrier::store(holder, offset, value.object);
    return Error::None;
  }
  u64 bits = type == BasicType::Boolean ? value.bits & 1 : value.bits;
  switch (element_shift(type)) {
    case 0: holder->set<u8>(offset, static_cast<u8>(bits)); break;
    case 1: holder->set<u16>(offset, static_cast<u16>(bits)); break;
    case 2: holder->set<u32>(offset, static_cast<u32>(bits)); break;
    default: holder->set<u64>(offset, bits); break;
  }
  return Error::None;
}

}  // namespace keyhole::jdwp
