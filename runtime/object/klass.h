// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Klass: the metadata of one Java class or array type. Lives in its loader's arena, never moves, has an id of
// layout::klass_bits bits.
//
//        ... vtable[1] | vtable[0] | Klass | InstanceKlass (vm/metadata/instance_klass.h) ...
//             at -16       at -8     ^ klass_table[id]
//
// The virtual method table grows down from the Klass, so its entries lie at constant negative offsets for every
// subclass of Klass, and a virtual call is: klass id from the header, load Klass*, load Method*.
//
// Subtype test (constant time for classes): a class at depth d < 8 has itself at supers[d] of all its subclasses.
// Interfaces and deeper classes are searched in `secondary_supers`, with the last hit cached; `absent_supers` shows
// for most other classes that they are not there.
//
// The collector reads only these fields of a klass: kind, strength, instance_bytes, reference_spans, and for the mirror
// the two static_reference_* fields, which the layout of a class fills before its mirror is made.
//
// Written while the class is loaded and linked (one thread, under the loader's lock), then immutable except for the
// atomics, whose comments name their writers.
#pragma once

#include <atomic>

#include "runtime/base/address_space.h"
#include "runtime/base/symbol.h"
#include "runtime/object/object.h"

namespace keyhole {

class Method;
struct ClassUnit;
struct LoaderData;
struct InstanceKlass;
struct ArrayKlass;

enum class KlassKind : u8 {
  Instance,   // ordinary instances
  Mirror,     // java.lang.Class: instances also have the static fields of the class that they represent
  Reference,  // java.lang.ref.Reference and its subclasses: `referent` is not a strong reference
  ReferenceArray,
  PrimitiveArray,
  Primitive,  // int, void ...: has a mirror and a name but no instances
  Filler,     // dead space between objects (gc/heap/filler.h): no class, no mirror, never referred to
};

enum class ReferenceStrength : u8 { None, Soft, Weak, Final, Phantom };

// `count` reference fields in a row, from `offset`.
struct ReferenceSpan {
  u32 offset;
  u32 count;
};

// The collector's knowledge about classes that die together (vm/link/loading/class_unit.h).
struct ClassLiveness {
  std::atomic<bool> reached{false};  // set by any worker of the current marking, relaxed
  void reach() {
    if (!reached.load(std::memory_order_relaxed)) reached.store(true, std::memory_order_relaxed);
  }
};

class Klass {
 public:
  static constexpr u32 display_depth = 8;

  u32 id;
  KlassKind kind;
  u8 element_shift;            // arrays
  BasicType element_type;      // in arrays; in a Primitive the type itself
  ReferenceStrength strength;  // KlassKind::Reference
  u32 instance_bytes;          // size of instances, aligned to 8; in a Mirror klass without statics
  // In instances that are no mirrors: the offset of 4 unused bytes for a stored hash. If it is instance_bytes, there
  // are none, and a stored hash lengthens the object.
  u32 hash_offset;
  // ACC_* as in the class file (JVMS 4.1). InstanceKlass::modifiers has the InnerClasses flags, for getModifiers.
  u32 access_flags;
  u16 depth;  // number of superclasses above this one
  u16 reference_span_count;
  const ReferenceSpan* reference_spans;  // own and inherited instance fields; for Reference klasses without `referent`,
                                         // but with `queue`, `next` and `discovered`
  u32 static_reference_offset;  // in this klass's mirror: the first static of reference type; other statics follow
  u32 static_reference_count;   // 0 if there are none, as in arrays and primitives

  ClassLiveness* liveness;  // that of its class unit; null if this class never dies
  const Symbol* name;       // internal form: "java/lang/String", "[I", "[Ljava/lang/String;", "int"
  Klass* super;             // null for Object, interfaces have Object
  LoaderData* loader;
  ClassUnit* unit;               // owns this and everything it points to; null in tests that make a klass by hand
  Object* mirror;                // GC root: the java.lang.Class instance
  Klass* supers[display_depth];  // supers[depth] == this when depth < 8
  Klass** secondary_supers;      // all interfaces, and superclasses at depth >= 8
  u32 secondary_super_count;
  u64 absent_supers;  // bit n is set: no secondary super has an id with id % 64 == n. 0: not computed
  u32 vtable_length;
  std::atomic<Klass*> secondary_super_cache;  // the last hit of a search; written by any thread, relaxed
  std::atomic<Klass*> array_klass;            // the array type, made on demand; release store under the loader's lock

  bool is_array() const { return kind == KlassKind::ReferenceArray || kind == KlassKind::PrimitiveArray; }
  bool is_primitive() const { return kind == KlassKind::Primitive; }
  bool is_instance() const { return kind <= KlassKind::Reference; }
  bool is_interface() const { return (access_flags & 0x0200) != 0; }
  bool is_abstract() const { return (access_flags & 0x0400) != 0; }

  std::atomic<Method*>& vtable_entry(u32 index) const {
    return reinterpret_cast<std::atomic<Method*>*>(const_cast<Klass*>(this))[-1 - static_cast<i64>(index)];
  }
  static constexpr i64 vtable_entry_offset(u32 index) { return -8 * (1 + static_cast<i64>(index)); }

  bool is_subtype_of(const Klass* other) const {
    if (this == other) return true;
    if (other->is_in_displays()) return has_in_display(other);
    return is_subtype_of_slow(other);
  }
  // Whether has_in_display decides subtypes of this class: a class that is not too deep.
  bool is_in_displays() const { return depth < display_depth && !is_interface() && !is_array(); }
  bool has_in_display(const Klass* other) const { return supers[other->depth] == other; }
  // Whether this is known to be a subtype of `other`. If the result is false and `other` is not in displays, a search
  // has to decide.
  bool is_known_subtype_of(const Klass* other) const {
    return this == other || secondary_super_cache.load(std::memory_order_relaxed) == other;
  }
  bool is_subtype_of_slow(const Klass* other) const;
  static constexpr u64 bit_of_super(u32 id) { return u64{1} << (id % 64); }
  void set_secondary_supers(Klass** supers, u32 count);

  InstanceKlass* as_instance() { return reinterpret_cast<InstanceKlass*>(this); }
  const InstanceKlass* as_instance() const { return reinterpret_cast<const InstanceKlass*>(this); }
  ArrayKlass* as_array() { return reinterpret_cast<ArrayKlass*>(this); }
  const ArrayKlass* as_array() const { return reinterpret_cast<const ArrayKlass*>(this); }
};

// An array type. `int[][]` has component `int[]`, bottom `int` and 2 dimensions.
struct ArrayKlass : Klass {
  Klass* component;
  Klass* bottom;
  u32 dimensions;
};

// The table of all klasses, at a constant address. Id 0 is never used, so that a zeroed header is noticed.
inline Klass** klass_table() { return reinterpret_cast<Klass**>(address_space::klass_table_base); }
inline Klass* klass_of_id(u32 id) { return klass_table()[id]; }
inline Klass* Object::klass() const { return klass_of_id(klass_id()); }

// Gives `klass` a free id, a released one if possible, and enters it in the table (release). False when headers have no
// more klass ids, or -XX:KlassIdLimit is reached: see vm/link/loading/metadata_limit.h.
[[nodiscard]] bool try_register_klass(Klass* klass);
// As try_register_klass, for the VM's own klasses; a failure is fatal.
void register_klass(Klass* klass);
// Frees the id for another class. World stopped; no object's header has the id any more.
void release_klass(Klass* klass);
u32 klass_count();  // the highest id; ids of dead classes have no klass
template <typename Visitor> void for_each_klass(Visitor&& visit) CALLS_VISITOR {
  for (u32 id = 1, count = klass_count(); id <= count; ++id) {
    if (Klass* klass = klass_of_id(id); klass != nullptr && klass->kind != KlassKind::Filler) visit(klass);
  }
}

// The bytes that `object` occupies. They follow from its klass, from its length or mirrored class, and from its word,
// which may record an appended hash.
u64 object_bytes(const Object* object) TOUCHES_OBJECTS;
u64 object_bytes(const Object* object, const Klass* klass) TOUCHES_OBJECTS;

// The extent of an object: the number that determines its size besides its klass. An array's length, a mirror's bytes,
// a filler's words; 0 for other objects.
inline u32 extent_of(const Object* object, const Klass* klass) TOUCHES_OBJECTS;
// The bytes of an object as it was allocated.
inline u64 plain_bytes(const Klass* klass, u32 extent);

// Offsets in instances of java.lang.Class: of the injected 8-byte field with the mirrored Klass*, and of the injected
// 4-byte field with the instance's size in bytes. Set when java.lang.Class is loaded.
extern u32 mirror_klass_offset;
extern u32 mirror_bytes_offset;
inline Klass* klass_of_mirror(const Object* mirror) TOUCHES_OBJECTS { return mirror->get<Klass*>(mirror_klass_offset); }
// Offsets in java.lang.ref.Reference. Set when that class is loaded.
extern u32 reference_referent_offset;
extern u32 reference_discovered_offset;
extern u32 reference_next_offset;
// SoftReference.timestamp (instance) and SoftReference.clock (static: offset in the mirror of soft_reference_klass),
// both long. Set when that class is loaded; while the klass is null every soft reference counts as just used.
extern Klass* soft_reference_klass;
extern u32 soft_reference_timestamp_offset;
extern u32 soft_reference_clock_offset;

inline u32 extent_of(const Object* object, const Klass* klass) {
  switch (klass->kind) {
    case KlassKind::Instance:
    case KlassKind::Reference: return 0;
    case KlassKind::Mirror: return object->get<u32>(mirror_bytes_offset);
    // A filler of one word may have no room for a size. A longer filler keeps its size, in words, where arrays keep
    // their length.
    case KlassKind::Filler: return klass->instance_bytes != 0 ? 0 : object->get<u32>(layout::array_length_offset);
    default: return static_cast<u32>(object->length());
  }
}

inline u64 plain_bytes(const Klass* klass, u32 extent) {
  switch (klass->kind) {
    case KlassKind::Instance:
    case KlassKind::Reference: return klass->instance_bytes;
    case KlassKind::Mirror: return extent;
    case KlassKind::Filler: return klass->instance_bytes != 0 ? klass->instance_bytes : u64{extent} * 8;
    default: return layout::array_bytes(klass->element_shift, extent);
  }
}

}  // namespace keyhole
