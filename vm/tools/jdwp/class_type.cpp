// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Implements the command sets ClassType, ArrayType, ClassLoaderReference and ModuleReference.
#include "gc/heap/heap.h"
#include "runtime/threads/stopped_world.h"
#include "vm/link/linker.h"
#include "vm/link/well_known.h"
#include "vm/tools/jdwp/commands.h"

namespace keyhole::jdwp {

Error class_type_superclass(Call& call) {
  auto [klass, error] = read_type(call);
  if (error != Error::None) return error;
  call.out.write_u64(klass->is_interface() ? 0 : type_id(klass->super));
  return Error::None;
}

Error class_type_set_values(Call& call) {
  auto [klass, error] = read_class(call);
  if (error != Error::None) return error;
  for (u32 count = call.in.read_count(9); count > 0; --count) {
    const Field* field = field_of(klass, call.in.read_u64());
    if (field == nullptr || !field->is_static()) return Error::InvalidFieldid;
    if (!field->holder->is_linked()) return Error::ClassNotPrepared;
    error = store_field(field->holder->mirror, *field, read_value(call.in, field->type));
    if (error != Error::None) return error;
  }
  return Error::None;
}

Error array_type_new_instance(Call& call) {
  auto [klass, error] = read_type(call);
  if (error != Error::None) return error;
  if (!klass->is_array()) return Error::InvalidClass;
  i32 length = call.in.read_i32();
  if (length < 0) return Error::InvalidLength;
  Object* array = heap::allocate_array(call.thread, klass, length);
  if (array == nullptr) return Error::OutOfMemory;
  write_object(call.out, array);
  return Error::None;
}

Error class_loader_reference_visible_classes(Call& call) {
  u64 id = call.in.read_u64();
  Object* loader = object_ids::find(id).object;
  if (id != 0 && (loader == nullptr || object_tag(loader) != tag::class_loader)) return Error::InvalidClassLoader;
  return stopped(call, "DebuggerClasses", [&]() TOUCHES_OBJECTS {
    Object* wanted = object_ids::find(id).object;
    usize place = call.out.place_count();
    u32 count = 0;
    for (ClassUnit* unit : all_units()) {
      if (unit->is_hidden || unit->loader->java_loader != wanted) continue;
      safepoint::assert_holds(unit->loader->mutex);
      for (const auto& [name, klass] : unit->loader->dictionary) {
        if (klass == nullptr || klass->mirror == nullptr || klass->is_primitive()) continue;
        call.out.write_tag(type_tag_of(klass));
        call.out.write_u64(type_id(klass));
        ++count;
      }
    }
    call.out.set_count(place, count);
    return Error::None;
  });
}

namespace {

struct ModuleArgument {
  Object* object = nullptr;
  Error error = Error::None;
};
ModuleArgument read_module(Call& call) TOUCHES_OBJECTS {
  auto [object, error] = read_object(call);
  if (error != Error::None) return {.error = error};
  if (!object->klass()->is_subtype_of(well_known::Module_class)) return {.error = Error::InvalidModule};
  return {.object = object};
}

}  // namespace

Error module_reference_name(Call& call) {
  auto [module, error] = read_module(call);
  if (error != Error::None) return error;
  Object* name = module->get_reference(well_known::Module_name);
  call.out.write_string(name == nullptr ? "" : string_to_utf8(name));
  return Error::None;
}

Error module_reference_class_loader(Call& call) {
  auto [module, error] = read_module(call);
  if (error != Error::None) return error;
  call.out.write_u64(object_ids::id_of(module->get_reference(well_known::Module_loader)));
  return Error::None;
}

}  // namespace keyhole::jdwp
