// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Allocation that throws, for natives.
#include "classlib/natives/support.h"

#include <cstdio>

namespace keyhole::natives {

namespace {

// HotSpot's limit for arrays whose elements are smaller than a word: less than int's range, because of the header.
constexpr i32 maximum_array_length = INT32_MAX - 2;

}  // namespace

Object* new_instance(JavaThread* thread, InstanceKlass* klass) {
  Object* object = heap::allocate_instance(thread, klass);
  if (object == nullptr) return throw_out_of_memory(thread, "Java heap space");
  return object;
}

Object* new_array(JavaThread* thread, Klass* array_klass, i32 length) {
  if (length < 0) return throw_new(thread, names::java_lang_NegativeArraySizeException, "{}", length);
  if (length > maximum_array_length) return throw_out_of_memory(thread, "Requested array size exceeds VM limit");
  Object* array = heap::allocate_array(thread, array_klass, length);
  if (array == nullptr) return throw_out_of_memory(thread, "Java heap space");
  return array;
}

Object* new_reference_array(JavaThread* thread, Klass* element, i32 length) {
  Klass* array_klass = array_klass_of(thread, element);
  if (array_klass == nullptr) return nullptr;
  return new_array(thread, array_klass, length);
}

Object* new_primitive_array(JavaThread* thread, BasicType type, i32 length) {
  return new_array(thread, primitive_array_klass(type), length);
}

Object* new_byte_array(JavaThread* thread, const u8* bytes, u32 length) {
  if (bytes == nullptr) return nullptr;
  Object* array = new_primitive_array(thread, BasicType::Byte, static_cast<i32>(length));
  if (array != nullptr) memcpy(array->elements<u8>(), bytes, length);
  return array;
}

Object* new_string_array(JavaThread* thread, std::span<const std::string> texts) {
  HandleScope scope(thread);
  Object* object = new_reference_array(thread, well_known::String_class, static_cast<i32>(texts.size()));
  if (object == nullptr) return nullptr;
  Handle array = scope.make(object);
  for (usize i = 0; i < texts.size(); ++i) {
    Object* text = make_string_utf8(thread, texts[i]);
    if (text == nullptr) return nullptr;
    barrier::store_element(array.get(), static_cast<i32>(i), text);
  }
  return array.get();
}

std::string file_contents(const std::string& path) {
  std::string text;
  if (FILE* file = fopen(path.c_str(), "re")) {
    char buffer[4096];
    for (usize length; (length = fread(buffer, 1, sizeof buffer, file)) > 0;) text.append(buffer, length);
    fclose(file);
  }
  return text;
}

}  // namespace keyhole::natives
