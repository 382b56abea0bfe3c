// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads and writes values, classes and members in packets.
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
// Returns whether the object is the mirror of a class, an interface or an array, and not of int, void or the like.
bool is_class_object(const Object* object) TOUCHES_OBJECTS;
// Returns whether the class is visible to the debugger: it must be prepared, or be an array class.
bool is_visible(const Klass* klass);
inline u64 address_id(const void* address) { return reinterpret_cast<u64>(address); }
u64 type_id(const Klass* klass) TOUCHES_OBJECTS;  // 0 for null
i32 modifiers_of(u32 access_flags);

// Returns the method with this id that the class declares, or null.
Method* method_of(InstanceKlass* klass, u64 id);
// Returns the field with this id that the class declares or inherits, or null.
Field* field_of(InstanceKlass* klass, u64 id);
// Returns the id of a frame's method, which is 0 for an obsolete method.
u64 method_id(const Method* method);

// --- values
u8 object_tag(const Object* object) TOUCHES_OBJECTS;
u8 tag_of(BasicType type);                                       // primitive types
void write_object(Writer& out, Object* object) TOUCHES_OBJECTS;  // tagged
// Writes the value at a heap address. Primitive values get no tag. References get a tag if `tagged` is true.
void write_value(Writer& out, BasicType type, const Object* holder, u32 offset, bool tagged) TOUCHES_OBJECTS;

// A value that was read from a packet without a tag, because its type is known: the bits of a primitive value, or an
// object.
struct Value {
  u64 bits = 0;
  Object* object = nullptr;
  Error error = Error::None;
};
Value read_value(Reader& in, BasicType type);
// Stores a value. No safepoint poll may lie between reading the value from the packet and this call. A reference must
// be an instance of `wanted`.
Error store_value(Object* holder, u32 offset, BasicType type, const Klass* wanted, const Value& value) TOUCHES_OBJECTS;
// Stores a value into a field. `holder` is the class mirror for a static field, otherwise the object.
Error store_field(Object* holder, const Field& field, const Value& value) TOUCHES_OBJECTS;
// Returns the class that a reference descriptor names for this loader, or null if the loader has not loaded that class.
// Then the class has no instances.
const Klass* class_of_descriptor(std::string_view descriptor, LoaderData* loader);

}  // namespace keyhole::jdwp
