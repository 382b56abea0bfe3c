// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Makes java.lang.reflect objects of the VM's members, and boxes.
#include "classlib/natives/java.base/reflect/reflect_objects.h"

#include "classlib/natives/late_bound.h"
#include "vm/link/package_access.h"

namespace keyhole::natives {

namespace {

// Stores a new object into a field of `holder`. False: the object could not be made.
bool store_made(JavaThread* thread, Handle holder, u32 offset, Object* made) TOUCHES_OBJECTS {
  if (has_exception(thread)) return false;
  barrier::store(holder.get(), offset, made);
  return true;
}

Object* text_or_null(JavaThread* thread, const Symbol* symbol) MAY_SAFEPOINT {
  return symbol == nullptr ? nullptr : make_string(thread, symbol->text());
}

// The Class[] of the parameter types.
Object* parameter_mirrors(JavaThread* thread, const Method* method) MAY_SAFEPOINT {
  HandleScope scope(thread);
  Object* object = new_reference_array(thread, well_known::Class_class, method->argument_count);
  if (object == nullptr) return nullptr;
  Handle array = scope.make(object);
  i32 index = 0;
  for (DescriptorIterator argument(method->descriptor); !argument.at_end(); argument.next()) {
    Klass* klass = resolve_descriptor_in(thread, argument.text(), method->holder);
    if (klass == nullptr) return nullptr;
    barrier::store_element(array.get(), index++, klass->mirror);
  }
  return array.get();
}

Object* exception_mirrors(JavaThread* thread, const Method* method) MAY_SAFEPOINT {
  HandleScope scope(thread);
  Object* object = new_reference_array(thread, well_known::Class_class, method->checked_exception_count);
  if (object == nullptr) return nullptr;
  Handle array = scope.make(object);
  for (u16 i = 0; i < method->checked_exception_count; ++i) {
    Klass* klass = resolve_class_at(thread, method->constants, method->checked_exceptions[i]);
    if (klass == nullptr) return nullptr;
    barrier::store_element(array.get(), i, klass->mirror);
  }
  return array.get();
}

// Makes the part that objects of methods and constructors share.
template <typename Row>
bool fill_executable(JavaThread* thread, Handle object, const Row* row, const Method* method) MAY_SAFEPOINT {
  barrier::store(object.get(), row->clazz, method->holder->mirror);
  object->set<i32>(row->slot, method->method_index);
  object->set<i32>(row->modifiers, static_cast<i32>(method->access_flags & 0xFFFF));
  return store_made(thread, object, row->parameter_types, parameter_mirrors(thread, method)) &&
         store_made(thread, object, row->exception_types, exception_mirrors(thread, method)) &&
         store_made(thread, object, row->signature, text_or_null(thread, method->generic_signature)) &&
         store_made(thread, object, row->annotations,
                    new_byte_array(thread, method->annotations, method->annotations_length)) &&
         store_made(thread, object, row->parameter_annotations,
                    new_byte_array(thread, method->parameter_annotations, method->parameter_annotations_length));
}

}  // namespace

Object* make_field_object(JavaThread* thread, const Field* field) {
  HandleScope scope(thread);
  const late::Field* row = late::get<late::Field>(thread);
  if (row == nullptr || !initialize_class(thread, row->klass)) return nullptr;
  Klass* type = resolve_descriptor_in(thread, field->descriptor->text(), field->holder);
  if (type == nullptr) return nullptr;
  Object* made = new_instance(thread, row->klass);
  if (made == nullptr) return nullptr;
  Handle object = scope.make(made);
  barrier::store(object.get(), row->clazz, field->holder->mirror);
  barrier::store(object.get(), row->type, type->mirror);
  object->set<i32>(row->slot, field->field_index);
  object->set<i32>(row->modifiers, static_cast<i32>(field->access_flags & 0xFFFF));
  object->set<u8>(row->trusted_final,
                  field->is_final() && (field->is_static() || field->holder->is_hidden || field->holder->is_record));
  if (!store_made(thread, object, row->name, intern_symbol(thread, field->name)) ||
      !store_made(thread, object, row->signature, text_or_null(thread, field->generic_signature)) ||
      !store_made(thread, object, row->annotations,
                  new_byte_array(thread, field->annotations, field->annotations_length)))
    return nullptr;
  return object.get();
}

Object* make_method_object(JavaThread* thread, const Method* method) {
  HandleScope scope(thread);
  const late::Method* row = late::get<late::Method>(thread);
  if (row == nullptr || !initialize_class(thread, row->klass)) return nullptr;
  Klass* result = resolve_descriptor_in(thread, return_descriptor_of(method->descriptor->text()), method->holder);
  if (result == nullptr) return nullptr;
  Object* made = new_instance(thread, row->klass);
  if (made == nullptr) return nullptr;
  Handle object = scope.make(made);
  barrier::store(object.get(), row->return_type, result->mirror);
  if (!fill_executable(thread, object, row, method) ||
      !store_made(thread, object, row->name, intern_symbol(thread, method->name)) ||
      !store_made(thread, object, row->annotation_default,
                  new_byte_array(thread, method->annotation_default, method->annotation_default_length)))
    return nullptr;
  return object.get();
}

Object* make_constructor_object(JavaThread* thread, const Method* constructor) {
  HandleScope scope(thread);
  const late::Constructor* row = late::get<late::Constructor>(thread);
  if (row == nullptr || !initialize_class(thread, row->klass)) return nullptr;
  Object* made = new_instance(thread, row->klass);
  if (made == nullptr) return nullptr;
  Handle object = scope.make(made);
  if (!fill_executable(thread, object, row, constructor)) return nullptr;
  return object.get();
}

Field* field_of(JavaThread* thread, Object* reflect_field) {
  HandleScope scope(thread);
  Handle object = scope.make(reflect_field);
  const late::Field* row = late::get<late::Field>(thread);
  if (row == nullptr) return nullptr;
  InstanceKlass* holder = klass_of_mirror(object->get_reference(row->clazz))->as_instance();
  return &holder->fields[object->get<i32>(row->slot)];
}

Method* method_of(JavaThread* thread, Object* reflect_method_or_constructor) {
  HandleScope scope(thread);
  Handle object = scope.make(reflect_method_or_constructor);
  const late::Method* method = late::get<late::Method>(thread);
  const late::Constructor* constructor = method == nullptr ? nullptr : late::get<late::Constructor>(thread);
  if (constructor == nullptr) return nullptr;
  bool is_method = object->klass() == method->klass;
  InstanceKlass* holder =
      klass_of_mirror(object->get_reference(is_method ? method->clazz : constructor->clazz))->as_instance();
  return holder->methods[object->get<i32>(is_method ? method->slot : constructor->slot)];
}

// --- boxes -----------------------------------------------------------------------------------------------------------

namespace {

template <typename Row, typename T> Object* box_as(JavaThread* thread, T value) MAY_SAFEPOINT {
  const Row* row = late::get<Row>(thread);
  if (row == nullptr || !initialize_class(thread, row->klass)) return nullptr;
  Object* object = new_instance(thread, row->klass);
  if (object != nullptr) object->set<T>(row->value, value);
  return object;
}

// The eight boxes, complete once `boxes_loaded` is seen.
struct BoxRow {
  const Klass* klass;
  BasicType type;
  u32 value_offset;
};
BoxRow box_rows[8];
std::atomic<bool> boxes_loaded;

template <typename Row> bool load_box(JavaThread* thread, u32 index, BasicType type) MAY_SAFEPOINT {
  const Row* row = late::get<Row>(thread);
  if (row == nullptr) return false;
  box_rows[index] = {row->klass, type, row->value};
  return true;
}

u64 read_value(const Object* object, BasicType type, u32 offset) TOUCHES_OBJECTS {
  switch (type) {
    case BasicType::Boolean: return object->get<u8>(offset);
    case BasicType::Byte: return slot_of(static_cast<i32>(object->get<i8>(offset)));
    case BasicType::Char: return object->get<u16>(offset);
    case BasicType::Short: return slot_of(static_cast<i32>(object->get<i16>(offset)));
    case BasicType::Long:
    case BasicType::Double: return object->get<u64>(offset);
    default: return object->get<u32>(offset);
  }
}

}  // namespace

Object* box(JavaThread* thread, BasicType type, u64 value) {
  switch (type) {
    case BasicType::Boolean: return box_as<late::Boolean, u8>(thread, static_cast<u8>(value & 1));
    case BasicType::Byte: return box_as<late::Byte, i8>(thread, static_cast<i8>(value));
    case BasicType::Char: return box_as<late::Character, u16>(thread, static_cast<u16>(value));
    case BasicType::Short: return box_as<late::Short, i16>(thread, static_cast<i16>(value));
    case BasicType::Int: return box_as<late::Integer, i32>(thread, static_cast<i32>(value));
    case BasicType::Long: return box_as<late::Long, i64>(thread, static_cast<i64>(value));
    case BasicType::Float: return box_as<late::Float, f32>(thread, __builtin_bit_cast(f32, static_cast<u32>(value)));
    case BasicType::Double: return box_as<late::Double, f64>(thread, __builtin_bit_cast(f64, value));
    case BasicType::Reference: return object_of(value);
    default: return nullptr;
  }
}

bool load_boxes(JavaThread* thread) {
  if (boxes_loaded.load(std::memory_order_acquire)) return true;
  if (!load_box<late::Integer>(thread, 0, BasicType::Int) || !load_box<late::Long>(thread, 1, BasicType::Long) ||
      !load_box<late::Double>(thread, 2, BasicType::Double) ||
      !load_box<late::Boolean>(thread, 3, BasicType::Boolean) ||
      !load_box<late::Character>(thread, 4, BasicType::Char) || !load_box<late::Byte>(thread, 5, BasicType::Byte) ||
      !load_box<late::Short>(thread, 6, BasicType::Short) || !load_box<late::Float>(thread, 7, BasicType::Float))
    return false;
  boxes_loaded.store(true, std::memory_order_release);
  return true;
}

Unboxed unbox(const Object* object) {
  if (object == nullptr) return {BasicType::Illegal, 0};
  const Klass* klass = object->klass();
  for (const BoxRow& row : box_rows)
    if (row.klass == klass) return {row.type, read_value(object, row.type, row.value_offset)};
  return {BasicType::Illegal, 0};
}

bool widen(BasicType from, BasicType to, u64& value) {
  if (from == to) return true;
  i64 integer = from == BasicType::Long ? static_cast<i64>(value) : static_cast<i32>(value);
  f32 single = __builtin_bit_cast(f32, static_cast<u32>(value));
  bool small = from == BasicType::Byte || from == BasicType::Short || from == BasicType::Char || from == BasicType::Int;
  switch (to) {
    case BasicType::Short: return from == BasicType::Byte;
    case BasicType::Int: return small;
    case BasicType::Long: value = static_cast<u64>(integer); return small;
    case BasicType::Float: value = slot_of(static_cast<f32>(integer)); return small || from == BasicType::Long;
    case BasicType::Double:
      value = slot_of(from == BasicType::Float ? static_cast<f64>(single) : static_cast<f64>(integer));
      return small || from == BasicType::Long || from == BasicType::Float;
    default: return false;
  }
}

}  // namespace keyhole::natives
