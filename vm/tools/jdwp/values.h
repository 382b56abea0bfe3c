// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Values, classes and members in packets.
#pragma once

#include "vm/metadata/instance_klass.h"
#include "vm/tools/jdwp/packet.h"

namespace keyhole::jdwp {

// --- classes
std::string signature_of(const Klass* klass);  // "Ljava/lang/String;", "[I"
TypeTag type_tag_of(const Klass* klass);
i32 status_of(const Klass* klass);
inline std::string_view text_of(const Symbol* symbol) {  // "" for null
  return symbol == nullptr ? std::string_view() : symbol->text();
}
bool is_class_object(const Object* object) TOUCHES_OBJECTS;  // false for mirrors of primitive types
// May the debugger see the class? It must be prepared, or an array class.
bool is_visible(const Klass* klass);
inline u64 address_id(const void* address) { return reinterpret_cast<u64>(address); }
u64 type_id(const Klass* klass) TOUCHES_OBJECTS;  // 0 for null
i32 modifiers_of(u32 access_flags);

// The method with this id that the class declares; null if there is none.
Method* method_of(InstanceKlass* klass, u64 id);
// The field with this id that the class declares or inherits.
Field* field_of(InstanceKlass* klass, u64 id);
// The id of a frame's method: 0 for an obsolete one.
u64 method_id(const Method* method);

// --- values
u8 object_tag(const Object* object) TOUCHES_OBJECTS;
u8 tag_of(BasicType type);                                       // primitive types
void write_object(Writer& out, Object* object) TOUCHES_OBJECTS;  // tagged
// Writes the value at this address of the heap. Values of primitive types get no tag, references get one when `tagged`.
void write_value(Writer& out, BasicType type, const Object* holder, u32 offset, bool tagged) TOUCHES_OBJECTS;

// A value of a known type, read from a packet without a tag: as bits, or an object.
struct Value {
  u64 bits = 0;
  Object* object = nullptr;
  Error error = Error::None;
};
Value read_value(Reader& in, BasicType type);
// Stores a value. No poll may have been reached since it was read. A reference must be of class `wanted`.
Error store_value(Object* holder, u32 offset, BasicType type, const Klass* wanted, const Value& value) TOUCHES_OBJECTS;
// Stores a value into a static or instance field of `holder`, which is the mirror or the object.
Error store_field(Object* holder, const Field& field, const Value& value) TOUCHES_OBJECTS;
// The class of a reference descriptor for this loader. Null when the loader has not loaded it; then it has no
// instances.
const Klass* class_of_descriptor(std::string_view descriptor, LoaderData* loader);

}  // namespace keyhole::jdwp
