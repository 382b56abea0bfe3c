// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Implements the command sets ObjectReference, StringReference and ArrayReference.
#include "vm/link/linker.h"
#include "vm/link/well_known.h"
#include "vm/tools/jdwp/commands.h"

namespace keyhole::jdwp {

Error object_reference_reference_type(Call& call) {
  auto [object, error] = read_object(call);
  if (error != Error::None) return error;
  call.out.write_tag(type_tag_of(object->klass()));
  call.out.write_u64(type_id(object->klass()));
  return Error::None;
}

namespace {

// Finds the field with this id: an instance field is in the object, a static field in a class mirror.
struct Place {
  Object* holder = nullptr;
  const Field* field = nullptr;
};
Place place_of(Object* object, u64 id) TOUCHES_OBJECTS {
  Klass* klass = object->klass();
  Field* field = klass->is_instance() ? field_of(klass->as_instance(), id) : nullptr;
  if (field == nullptr) return {};
  return {field->is_static() ? field->holder->mirror : object, field};
}

}  // namespace

Error object_reference_get_values(Call& call) {
  auto [object, error] = read_object(call);
  if (error != Error::None) return error;
  u32 count = call.in.read_count(8);
  call.out.write_i32(static_cast<i32>(count));
  for (; count > 0; --count) {
    auto [holder, field] = place_of(object, call.in.read_u64());
    if (field == nullptr) return Error::InvalidFieldid;
    write_value(call.out, field->type, holder, field->offset, true);
  }
  return Error::None;
}

Error object_reference_set_values(Call& call) {
  auto [object, error] = read_object(call);
  if (error != Error::None) return error;
  for (u32 count = call.in.read_count(9); count > 0; --count) {
    auto [holder, field] = place_of(object, call.in.read_u64());
    if (field == nullptr) return Error::InvalidFieldid;
    error = store_field(holder, *field, read_value(call.in, field->type));
    if (error != Error::None) return error;
  }
  return Error::None;
}

Error object_reference_disable_collection(Call& call) {
  return object_ids::set_strong(call.in.read_u64(), true) ? Error::None : Error::InvalidObject;
}

// Allows the collector to free the object again. It is no error if the object has died.
Error object_reference_enable_collection(Call& call) {
  object_ids::set_strong(call.in.read_u64(), false);
  return Error::None;
}

Error object_reference_is_collected(Call& call) {
  object_ids::Found found = object_ids::find(call.in.read_u64());
  if (!found.is_known) return Error::InvalidObject;
  call.out.write_boolean(found.object == nullptr);
  return Error::None;
}

Error string_reference_value(Call& call) {
  auto [object, error] = read_object(call);
  if (error != Error::None) return error;
  if (object->klass() != well_known::String_class) return Error::InvalidString;
  call.out.write_string(string_to_utf8(object));
  return Error::None;
}

namespace {

struct ArrayArgument {
  Object* array = nullptr;
  Error error = Error::None;
};
ArrayArgument read_array(Call& call) TOUCHES_OBJECTS {
  auto [object, error] = read_object(call);
  if (error != Error::None) return {.error = error};
  if (!object->klass()->is_array()) return {.error = Error::InvalidArray};
  return {.array = object};
}

// Returns whether the array has `count` elements from index `first` on.
Error check_range(const Object* array, i32 first, i32 count) TOUCHES_OBJECTS {
  if (first < 0 || first > array->length()) return Error::InvalidIndex;
  return count < 0 || count > array->length() - first ? Error::InvalidLength : Error::None;
}

u8 tag_of_elements(const Klass* array_klass) {
  if (array_klass->kind == KlassKind::PrimitiveArray) return tag_of(array_klass->element_type);
  return array_klass->as_array()->component->is_array() ? tag::array : tag::object;
}

}  // namespace

Error array_reference_length(Call& call) {
  auto [array, error] = read_array(call);
  if (error != Error::None) return error;
  call.out.write_i32(array->length());
  return Error::None;
}

Error array_reference_get_values(Call& call) {
  auto [array, error] = read_array(call);
  if (error != Error::None) return error;
  i32 first = call.in.read_i32(), count = call.in.read_i32();
  if (count == -1) count = array->length() - first;
  error = check_range(array, first, count);
  if (error != Error::None) return error;
  const Klass* klass = array->klass();
  call.out.write_u8(tag_of_elements(klass));
  call.out.write_i32(count);
  for (i32 i = first; i < first + count; ++i)
    write_value(call.out, klass->element_type, array, Object::element_offset(klass->element_shift, static_cast<u32>(i)),
                false);
  return Error::None;
}

Error array_reference_set_values(Call& call) {
  auto [array, error] = read_array(call);
  if (error != Error::None) return error;
  i32 first = call.in.read_i32();
  const Klass* klass = array->klass();
  i32 count = static_cast<i32>(
      call.in.read_count(usize{1} << (klass->kind == KlassKind::PrimitiveArray ? klass->element_shift : 3)));
  error = check_range(array, first, count);
  for (i32 i = first; error == Error::None && i < first + count; ++i) {
    Value value = read_value(call.in, klass->element_type);
    error = store_value(array, Object::element_offset(klass->element_shift, static_cast<u32>(i)), klass->element_type,
                        klass->as_array()->component, value);
  }
  return error;
}

}  // namespace keyhole::jdwp
