// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Array types, made on first use, and the nine primitive types.
#include <fmt/format.h>

#include <cstring>

#include "runtime/base/mutex.h"
#include "vm/link/exceptions.h"
#include "vm/link/linker.h"
#include "vm/link/loading/array_klasses.h"
#include "vm/link/loading/metadata_limit.h"
#include "vm/link/loading/mirrors.h"
#include "vm/link/well_known.h"

namespace keyhole {
namespace {

Klass* primitives[16];  // indexed by BasicType; filled once at start
Klass* primitive_arrays[16];

struct PrimitiveName {
  BasicType type;
  const char* name;
  char letter;
};
constexpr PrimitiveName primitive_names[] = {
    {BasicType::Boolean, "boolean", 'Z'}, {BasicType::Char, "char", 'C'}, {BasicType::Float, "float", 'F'},
    {BasicType::Double, "double", 'D'},   {BasicType::Byte, "byte", 'B'}, {BasicType::Short, "short", 'S'},
    {BasicType::Int, "int", 'I'},         {BasicType::Long, "long", 'J'}, {BasicType::Void, "void", 'V'},
};

char letter_of(BasicType type) {
  for (const PrimitiveName& row : primitive_names)
    if (row.type == type) return row.letter;
  return 'L';
}

// All array types implement the same two interfaces.
Klass** array_interfaces() {
  static Klass* both[2] = {well_known::Cloneable_class, well_known::Serializable_class};
  return both;
}

ArrayKlass* build_array_klass(Klass* component) {
  Klass* object = well_known::Object_class;
  Klass* bottom = component->is_array() ? component->as_array()->bottom : component;
  ClassUnit* unit = bottom->unit;
  LoaderData* loader = unit->loader;
  std::string name;
  if (component->is_array()) name = fmt::format("[{}", component->name->text());
  else if (component->is_primitive()) name = fmt::format("[{}", letter_of(component->element_type));
  else name = fmt::format("[L{};", component->name->text());

  usize table_bytes = object->vtable_length * sizeof(Method*);
  char* memory;
  const Symbol* symbol;
  {
    MutexLock guard(loader->mutex);
    if (unit->is_mortal) {
      SymbolHandle held(name);
      symbol = held;
      unit->keep(std::move(held));
    } else {
      symbol = Symbol::intern(name);
    }
    memory = static_cast<char*>(unit->arena.allocate(table_bytes + sizeof(ArrayKlass), alignof(ArrayKlass)));
  }
  auto* klass = reinterpret_cast<ArrayKlass*>(memory + table_bytes);
  klass->vtable_length = object->vtable_length;
  for (u32 slot = 0; slot < object->vtable_length; ++slot) {
    klass->vtable_entry(slot).store(object->vtable_entry(slot).load(std::memory_order_relaxed),
                                    std::memory_order_relaxed);
  }
  klass->kind = component->is_primitive() ? KlassKind::PrimitiveArray : KlassKind::ReferenceArray;
  klass->element_type = component->is_primitive() ? component->element_type : BasicType::Reference;
  klass->element_shift = static_cast<u8>(element_shift(klass->element_type));
  u32 visibility = component->is_instance() ? component->as_instance()->modifiers : component->access_flags;
  visibility &= access::Public | access::Private | access::Protected;
  klass->access_flags = visibility | access::Final | access::Abstract;
  klass->depth = 1;
  klass->name = symbol;
  klass->super = object;
  klass->supers[0] = object;
  klass->supers[1] = klass;
  klass->set_secondary_supers(array_interfaces(), 2);
  klass->loader = loader;
  klass->component = component;
  klass->bottom = bottom;
  klass->dimensions = component->is_array() ? component->as_array()->dimensions + 1 : 1;
  return klass;
}

}  // namespace

Klass* array_klass_of(JavaThread* thread, Klass* component) {
  if (Klass* known = component->array_klass.load(std::memory_order_acquire)) [[likely]]
    return known;
  if (component->is_array() && component->as_array()->dimensions == 255) {
    return throw_message(thread, names::java_lang_IllegalArgumentException, nullptr);
  }
  // Two threads may build the type at once: the first to publish wins, and the other's copy is never used.
  ArrayKlass* made = build_array_klass(component);
  if (!add_class(thread, *made->bottom->unit, made)) return nullptr;
  if (mirrors_can_be_made() && !make_mirror(thread, made)) return nullptr;
  Klass* expected = nullptr;
  if (component->array_klass.compare_exchange_strong(expected, made, std::memory_order_acq_rel)) return made;
  made->mirror = nullptr;
  return expected;
}

Klass* primitive_klass(BasicType type) { return primitives[static_cast<u32>(type)]; }
Klass* primitive_array_klass(BasicType type) { return primitive_arrays[static_cast<u32>(type)]; }

bool make_primitive_klasses(JavaThread* thread) {
  for (const PrimitiveName& row : primitive_names) {
    LoaderData* loader = boot_loader();
    Klass* klass;
    {
      MutexLock guard(loader->mutex);
      klass = loader->unit.arena.create_array<Klass>(1);
    }
    klass->kind = KlassKind::Primitive;
    klass->element_type = row.type;
    klass->access_flags = access::Public | access::Final | access::Abstract;
    klass->name = Symbol::intern(row.name);
    klass->loader = loader;
    klass->supers[0] = klass;
    {
      MutexLock guard(loader->mutex);
      loader->unit.add(klass);
    }
    if (!make_mirror(thread, klass)) return false;
    primitives[static_cast<u32>(row.type)] = klass;
    if (row.type == BasicType::Void) continue;
    primitive_arrays[static_cast<u32>(row.type)] = array_klass_of(thread, klass);
    if (primitive_arrays[static_cast<u32>(row.type)] == nullptr) return false;
  }
  boolean_array_klass_id = primitive_array_klass(BasicType::Boolean)->id;
  return true;
}

}  // namespace keyhole
