// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Implements the command sets ReferenceType and ClassObjectReference: facts about a class.
#include <algorithm>

#include "gc/heap/heap.h"
#include "vm/link/well_known.h"
#include "vm/tools/jdwp/commands.h"

namespace keyhole::jdwp {
namespace {

// Calls write(klass) for the command's class. of_type() accepts every class, of_class() rejects array classes.
template <typename Write> Error of_type(Call& call, Write write) TOUCHES_OBJECTS {
  auto [klass, error] = read_type(call);
  return error != Error::None ? error : (write(klass), Error::None);
}

template <typename Write> Error of_class(Call& call, Write write) TOUCHES_OBJECTS {
  auto [klass, error] = read_class(call);
  if (error != Error::None) return error;
  return write(klass);
}

// Writes the fields of a class. An array class has no members.
Error write_fields(Call& call, bool with_generic) TOUCHES_OBJECTS {
  return of_type(call, [&](Klass* klass) {
    u32 count = klass->is_instance() ? klass->as_instance()->field_count : 0;
    call.out.write_i32(static_cast<i32>(count));
    for (u32 i = 0; i < count; ++i) {
      const Field& field = klass->as_instance()->fields[i];
      call.out.write_u64(address_id(&field));
      call.out.write_string(field.name->text());
      call.out.write_string(field.descriptor->text());
      if (with_generic) call.out.write_string(text_of(field.generic_signature));
      call.out.write_i32(modifiers_of(field.access_flags));
    }
  });
}

Error write_methods(Call& call, bool with_generic) TOUCHES_OBJECTS {
  return of_type(call, [&](Klass* klass) {
    u32 count = klass->is_instance() ? klass->as_instance()->method_count : 0;
    call.out.write_i32(static_cast<i32>(count));
    for (u32 i = 0; i < count; ++i) {
      const Method* method = klass->as_instance()->methods[i];
      call.out.write_u64(address_id(method));
      call.out.write_string(method->name->text());
      call.out.write_string(method->descriptor->text());
      if (with_generic) call.out.write_string(text_of(method->generic_signature));
      call.out.write_i32(modifiers_of(method->access_flags));
    }
  });
}

std::string_view generic_of(const Klass* klass) {
  return klass->is_instance() ? text_of(klass->as_instance()->generic_signature) : "";
}

}  // namespace

Error reference_type_signature(Call& call) {
  return of_type(call, [&](Klass* klass) { call.out.write_string(signature_of(klass)); });
}

Error reference_type_signature_with_generic(Call& call) {
  return of_type(call, [&](Klass* klass) {
    call.out.write_string(signature_of(klass));
    call.out.write_string(generic_of(klass));
  });
}

Error reference_type_class_loader(Call& call) {
  return of_type(
      call, [&](Klass* klass) TOUCHES_OBJECTS { call.out.write_u64(object_ids::id_of(klass->loader->java_loader)); });
}

Error reference_type_modifiers(Call& call) {
  return of_type(call, [&](Klass* klass) {
    u32 flags = klass->is_instance() ? klass->as_instance()->modifiers | (klass->access_flags & access::Super)
                                     : klass->access_flags;
    call.out.write_i32(static_cast<i32>(flags & 0xFFFF));
  });
}

Error reference_type_fields(Call& call) { return write_fields(call, false); }
Error reference_type_fields_with_generic(Call& call) { return write_fields(call, true); }
Error reference_type_methods(Call& call) { return write_methods(call, false); }
Error reference_type_methods_with_generic(Call& call) { return write_methods(call, true); }

Error reference_type_get_values(Call& call) {
  return of_class(call, [&](InstanceKlass* klass) TOUCHES_OBJECTS {
    u32 count = call.in.read_count(8);
    call.out.write_i32(static_cast<i32>(count));
    for (; count > 0; --count) {
      const Field* field = field_of(klass, call.in.read_u64());
      if (field == nullptr || !field->is_static()) return Error::InvalidFieldid;
      if (!field->holder->is_linked()) return Error::ClassNotPrepared;
      write_value(call.out, field->type, field->holder->mirror, field->offset, true);
    }
    return Error::None;
  });
}

Error reference_type_source_file(Call& call) {
  auto [klass, error] = read_type(call);
  if (error != Error::None) return error;
  if (!klass->is_instance() || klass->as_instance()->source_file == nullptr) return Error::AbsentInformation;
  call.out.write_string(klass->as_instance()->source_file->text());
  return Error::None;
}

// Writes the nested types of the command's class: the loaded classes of the same loader whose names begin with the name
// of that class and '$'.
Error reference_type_nested_types(Call& call) {
  auto [klass, error] = read_type(call);
  if (error != Error::None) return error;
  std::string prefix = klass->name->string() + "$";
  return stopped(call, "DebuggerClasses", [&, outer = klass] {
    usize place = call.out.place_count();
    u32 count = 0;
    for_each_klass([&](const Klass* each) TOUCHES_OBJECTS {
      if (!each->is_instance() || each->mirror == nullptr || each->loader != outer->loader ||
          !each->name->starts_with(prefix))
        return;
      call.out.write_tag(type_tag_of(each));
      call.out.write_u64(type_id(each));
      ++count;
    });
    call.out.set_count(place, count);
    return Error::None;
  });
}

Error reference_type_status(Call& call) {
  return of_type(call, [&](Klass* klass) { call.out.write_i32(status_of(klass)); });
}

Error reference_type_interfaces(Call& call) {
  return of_type(call, [&](Klass* klass) TOUCHES_OBJECTS {
    u32 count = klass->is_instance() ? klass->as_instance()->interface_count : 0;
    call.out.write_i32(static_cast<i32>(count));
    for (u32 i = 0; i < count; ++i) call.out.write_u64(type_id(klass->as_instance()->interfaces[i]));
  });
}

// Writes the class object. Its id is also the class's id.
Error reference_type_class_object(Call& call) {
  return of_type(call, [&](Klass* klass) TOUCHES_OBJECTS { call.out.write_u64(type_id(klass)); });
}

Error reference_type_source_debug_extension(Call& call) {
  return of_type(call, [](Klass*) {}) == Error::None ? Error::AbsentInformation : Error::InvalidClass;
}

Error reference_type_instances(Call& call) {
  auto [klass, error] = read_type(call);
  if (error != Error::None) return error;
  i32 limit = call.in.read_i32();
  if (limit < 0) return Error::IllegalArgument;
  heap::collect(call.thread, heap::Cause::HeapDump);  // so that no unreachable object is reported
  return stopped(call, "DebuggerInstances", [&, wanted = klass]() TOUCHES_OBJECTS {
    struct Search {
      const Klass* klass;
      usize limit;
      std::vector<Object*> found;
    } search{wanted, limit == 0 ? SIZE_MAX : static_cast<usize>(limit), {}};
    heap::for_each_object(
        [](Object* object, void* context) TOUCHES_OBJECTS {
          auto& to = *static_cast<Search*>(context);
          if (object->klass() == to.klass && to.found.size() < to.limit) to.found.push_back(object);
        },
        &search);
    call.out.write_i32(static_cast<i32>(search.found.size()));
    for (Object* object : search.found) write_object(call.out, object);
    return Error::None;
  });
}

Error reference_type_class_file_version(Call& call) {
  return of_class(call, [&](InstanceKlass* klass) {
    if (klass->class_file == nullptr || klass->class_file_bytes < 8) return Error::AbsentInformation;
    call.out.write_i32(klass->major_version);
    call.out.write_i32(klass->class_file[4] << 8 | klass->class_file[5]);
    return Error::None;
  });
}

Error reference_type_module(Call& call) {
  return of_type(call, [&](Klass* klass) TOUCHES_OBJECTS {
    call.out.write_u64(object_ids::id_of(klass->mirror->get_reference(well_known::Class_module)));
  });
}

Error class_object_reference_reflected_type(Call& call) {
  auto [klass, error] = read_type(call);
  if (error != Error::None) return error;
  call.out.write_tag(type_tag_of(klass));
  call.out.write_u64(type_id(klass));
  return Error::None;
}

}  // namespace keyhole::jdwp
