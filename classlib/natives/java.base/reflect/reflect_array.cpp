// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// java.lang.reflect.Array.
#include <vector>

#include "classlib/natives/declarations.h"
#include "classlib/natives/java.base/reflect/reflect_objects.h"

namespace keyhole::natives {

namespace {

template <typename T> constexpr BasicType type_of = BasicType::Illegal;
template <> inline constexpr BasicType type_of<bool> = BasicType::Boolean;
template <> inline constexpr BasicType type_of<i8> = BasicType::Byte;
template <> inline constexpr BasicType type_of<u16> = BasicType::Char;
template <> inline constexpr BasicType type_of<i16> = BasicType::Short;
template <> inline constexpr BasicType type_of<i32> = BasicType::Int;
template <> inline constexpr BasicType type_of<i64> = BasicType::Long;
template <> inline constexpr BasicType type_of<f32> = BasicType::Float;
template <> inline constexpr BasicType type_of<f64> = BasicType::Double;

// Checks that `array` is an array (of primitives) with this element. False: the exception of the JDK's Array is
// pending.
bool check_array(JavaThread* thread, Handle array) MAY_SAFEPOINT {
  if (array.is_null()) return throw_null_pointer(thread);
  if (!array->klass()->is_array()) return throw_illegal_argument(thread, "Argument is not an array");
  return true;
}
bool check_primitive(JavaThread* thread, Handle array) MAY_SAFEPOINT {
  if (!check_array(thread, array)) return false;
  return array->klass()->kind == KlassKind::PrimitiveArray
             ? true
             : static_cast<bool>(throw_illegal_argument(thread, "Argument is not an array of primitive type"));
}
bool check_index(JavaThread* thread, Handle array, i32 index) MAY_SAFEPOINT {
  if (index >= 0 && index < array->length()) return true;
  return throw_message(thread, names::java_lang_ArrayIndexOutOfBoundsException, nullptr);
}

u64 read_element(Object* array, i32 index) TOUCHES_OBJECTS {
  const Klass* klass = array->klass();
  u32 offset = Object::element_offset(klass->element_shift, static_cast<u32>(index));
  switch (klass->element_type) {
    case BasicType::Boolean: return array->get<u8>(offset);
    case BasicType::Byte: return slot_of(static_cast<i32>(array->get<i8>(offset)));
    case BasicType::Char: return array->get<u16>(offset);
    case BasicType::Short: return slot_of(static_cast<i32>(array->get<i16>(offset)));
    case BasicType::Long:
    case BasicType::Double: return array->get<u64>(offset);
    default: return array->get<u32>(offset);
  }
}

void write_element(Object* array, i32 index, u64 value) TOUCHES_OBJECTS {
  const Klass* klass = array->klass();
  u32 offset = Object::element_offset(klass->element_shift, static_cast<u32>(index));
  switch (klass->element_shift) {
    case 0:
      array->set<u8>(offset, static_cast<u8>(klass->element_type == BasicType::Boolean ? value & 1 : value));
      break;
    case 1: array->set<u16>(offset, static_cast<u16>(value)); break;
    case 2: array->set<u32>(offset, static_cast<u32>(value)); break;
    default: array->set<u64>(offset, value); break;
  }
}

Object* make_nested(JavaThread* thread, Klass* array_klass, const std::vector<i32>& lengths, usize level)
    MAY_SAFEPOINT {
  HandleScope scope(thread);
  Object* object = new_array(thread, array_klass, lengths[level]);
  if (object == nullptr || level + 1 == lengths.size()) return object;
  Handle array = scope.make(object);
  for (i32 i = 0; i < lengths[level]; ++i) {
    Object* inner = make_nested(thread, array_klass->as_array()->component, lengths, level + 1);
    if (inner == nullptr) return nullptr;
    barrier::store_element(array.get(), i, inner);
  }
  return array.get();
}

}  // namespace

i32 Array_getLength(JavaThread* thread, Handle array) { return check_array(thread, array) ? array->length() : 0; }

Object* Array_get(JavaThread* thread, Handle array, i32 index) {
  if (!check_array(thread, array) || !check_index(thread, array, index)) return nullptr;
  if (array->klass()->kind == KlassKind::ReferenceArray) return array->reference_at(index);
  return box(thread, array->klass()->element_type, read_element(array.get(), index));
}

template <typename T> T Array_get_primitive(JavaThread* thread, Handle array, i32 index) {
  if (!check_primitive(thread, array) || !check_index(thread, array, index)) return T{};
  u64 value = read_element(array.get(), index);
  if (!widen(array->klass()->element_type, type_of<T>, value)) {
    throw_illegal_argument(thread, "argument type mismatch");
    return T{};
  }
  if constexpr (std::is_same_v<T, f32>) return __builtin_bit_cast(f32, static_cast<u32>(value));
  else if constexpr (std::is_same_v<T, f64>) return __builtin_bit_cast(f64, value);
  else return static_cast<T>(value);
}

void Array_set(JavaThread* thread, Handle array, i32 index, Handle element) {
  if (!check_array(thread, array)) return;
  if (array->klass()->kind == KlassKind::ReferenceArray) {
    if (!check_index(thread, array, index)) return;
    if (!element.is_null() && !element->klass()->is_subtype_of(array->klass()->as_array()->component)) {
      throw_illegal_argument(thread, "array element type mismatch");
      return;
    }
    barrier::store_element(array.get(), index, element.get());
    return;
  }
  if (!load_boxes(thread)) return;
  Unboxed value = unbox(element.get());
  if (value.type == BasicType::Illegal) {
    throw_illegal_argument(thread, element.is_null() ? nullptr : "argument type mismatch");
    return;
  }
  if (!check_index(thread, array, index)) return;
  if (widen(value.type, array->klass()->element_type, value.value)) write_element(array.get(), index, value.value);
  else throw_illegal_argument(thread, "argument type mismatch");
}

template <typename T> void Array_set_primitive(JavaThread* thread, Handle array, i32 index, T value) {
  if (!check_primitive(thread, array) || !check_index(thread, array, index)) return;
  u64 slot;
  if constexpr (std::is_same_v<T, f32> || std::is_same_v<T, f64> || std::is_same_v<T, i64>) slot = slot_of(value);
  else slot = slot_of(static_cast<i32>(value));
  if (widen(type_of<T>, array->klass()->element_type, slot)) write_element(array.get(), index, slot);
  else throw_illegal_argument(thread, "argument type mismatch");
}

Object* Array_newArray(JavaThread* thread, Handle component, i32 length) {
  if (component.is_null()) return throw_null_pointer(thread);
  Klass* klass = klass_of(component);
  if (length < 0) return throw_new(thread, names::java_lang_NegativeArraySizeException, "{}", length);
  if (klass->is_primitive() && klass->element_type == BasicType::Void) return throw_illegal_argument(thread, nullptr);
  if (klass->is_array() && klass->as_array()->dimensions >= 255) return throw_illegal_argument(thread, nullptr);
  return new_reference_array(thread, klass, length);
}

Object* Array_multiNewArray(JavaThread* thread, Handle component, Handle dimensions) {
  if (component.is_null() || dimensions.is_null()) return throw_null_pointer(thread);
  i32 count = dimensions->length();
  Klass* klass = klass_of(component);
  u32 inner = klass->is_array() ? klass->as_array()->dimensions : 0;
  if (count == 0 || inner + static_cast<u32>(count) > 255 ||
      (klass->is_primitive() && klass->element_type == BasicType::Void))
    return throw_illegal_argument(thread, nullptr);
  std::vector<i32> lengths(dimensions->elements<i32>(), dimensions->elements<i32>() + count);
  for (i32 length : lengths)
    if (length < 0) return throw_new(thread, names::java_lang_NegativeArraySizeException, "{}", length);
  for (i32 i = 0; i < count; ++i) {
    klass = array_klass_of(thread, klass);
    if (klass == nullptr) return nullptr;
  }
  return make_nested(thread, klass, lengths, 0);
}

#define INSTANTIATE(T)                                         \
  template T Array_get_primitive<T>(JavaThread*, Handle, i32); \
  template void Array_set_primitive<T>(JavaThread*, Handle, i32, T);
INSTANTIATE(bool)
INSTANTIATE(i8) INSTANTIATE(u16) INSTANTIATE(i16) INSTANTIATE(i32) INSTANTIATE(i64) INSTANTIATE(f32) INSTANTIATE(f64)
#undef INSTANTIATE

}  // namespace keyhole::natives
