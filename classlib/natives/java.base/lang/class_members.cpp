// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The members of a class as java.lang.reflect objects: the natives of Class, Executable and Field.
#include <vector>

#include "classlib/natives/declarations.h"
#include "classlib/natives/java.base/reflect/reflect_objects.h"
#include "classlib/natives/late_bound.h"
#include "vm/link/package_access.h"

namespace keyhole::natives {

namespace {

// Makes an array of `element`s, one by one from `members`.
template <typename Member, typename Make>
Object* array_of(JavaThread* thread, Klass* element, const std::vector<Member>& members, Make&& make) MAY_SAFEPOINT {
  HandleScope scope(thread);
  Object* object = new_reference_array(thread, element, static_cast<i32>(members.size()));
  if (object == nullptr) return nullptr;
  Handle array = scope.make(object);
  for (usize i = 0; i < members.size(); ++i) {
    Object* made = make(thread, members[i]);
    if (made == nullptr) return nullptr;
    barrier::store_element(array.get(), static_cast<i32>(i), made);
  }
  return array.get();
}

// The linked class of a mirror. Null: it is an array or primitive, which have no members, or linking threw.
InstanceKlass* linked_class(JavaThread* thread, Handle mirror) MAY_SAFEPOINT {
  if (!klass_of(mirror)->is_instance()) return nullptr;
  InstanceKlass* klass = klass_of(mirror)->as_instance();
  return link_class(thread, klass) ? klass : nullptr;
}

bool wanted(u32 access_flags, bool public_only) { return !public_only || (access_flags & access::Public) != 0; }

template <typename Row, bool constructors>
Object* declared_methods(JavaThread* thread, Handle self, bool public_only, auto&& make) MAY_SAFEPOINT {
  const Row* row = late::get<Row>(thread);
  if (row == nullptr) return nullptr;
  std::vector<Method*> members;
  InstanceKlass* klass = linked_class(thread, self);
  if (has_exception(thread)) return nullptr;
  for (u16 i = 0; klass != nullptr && i < klass->method_count; ++i) {
    Method* method = klass->methods[i];
    if (method->is_initializer() != constructors || method->is_class_initializer() ||
        !wanted(method->access_flags, public_only))
      continue;
    members.push_back(method);
  }
  return array_of(thread, row->klass, members, make);
}

}  // namespace

Object* Class_getDeclaredFields0(JavaThread* thread, Handle self, bool public_only) {
  const late::Field* row = late::get<late::Field>(thread);
  if (row == nullptr) return nullptr;
  std::vector<const Field*> members;
  InstanceKlass* klass = linked_class(thread, self);
  if (has_exception(thread)) return nullptr;
  for (u16 i = 0; klass != nullptr && i < klass->field_count; ++i)
    if (wanted(klass->fields[i].access_flags, public_only)) members.push_back(&klass->fields[i]);
  return array_of(thread, row->klass, members, make_field_object);
}

Object* Class_getDeclaredMethods0(JavaThread* thread, Handle self, bool public_only) {
  return declared_methods<late::Method, false>(thread, self, public_only, make_method_object);
}

Object* Class_getDeclaredConstructors0(JavaThread* thread, Handle self, bool public_only) {
  return declared_methods<late::Constructor, true>(thread, self, public_only, make_constructor_object);
}

Object* Class_getRecordComponents0(JavaThread* thread, Handle self) {
  if (!klass_of(self)->is_instance() || !klass_of(self)->as_instance()->is_record) return nullptr;
  InstanceKlass* klass = klass_of(self)->as_instance();
  const late::RecordComponent* row = late::get<late::RecordComponent>(thread);
  if (row == nullptr || !initialize_class(thread, row->klass)) return nullptr;
  std::vector<const RecordComponent*> components;
  for (u16 i = 0; i < klass->record_component_count; ++i) components.push_back(&klass->record_components[i]);
  auto make_component = [&](JavaThread*, const RecordComponent* component) MAY_SAFEPOINT -> Object* {
    HandleScope scope(thread);
    Object* made = new_instance(thread, row->klass);
    if (made == nullptr) return nullptr;
    Handle object = scope.make(made);
    barrier::store(object.get(), row->clazz, klass->mirror);
    if ((made = intern_symbol(thread, component->name)) == nullptr) return nullptr;
    barrier::store(object.get(), row->name, made);
    Klass* type = resolve_descriptor_in(thread, component->descriptor->text(), klass);
    if (type == nullptr) return nullptr;
    barrier::store(object.get(), row->type, type->mirror);
    const Method* accessor =
        klass->find_declared_method(component->name, SymbolHandle("()" + component->descriptor->string()));
    if (accessor != nullptr && !accessor->is_static()) {
      if ((made = make_method_object(thread, accessor)) == nullptr) return nullptr;
      barrier::store(object.get(), row->accessor, made);
    }
    if (component->generic_signature != nullptr) {
      if ((made = make_string(thread, component->generic_signature->text())) == nullptr) return nullptr;
      barrier::store(object.get(), row->signature, made);
    }
    made = new_byte_array(thread, component->annotations, component->annotations_length);
    if (has_exception(thread)) return nullptr;
    barrier::store(object.get(), row->annotations, made);
    made = new_byte_array(thread, component->type_annotations, component->type_annotations_length);
    if (has_exception(thread)) return nullptr;
    barrier::store(object.get(), row->type_annotations, made);
    return object.get();
  };
  return array_of(thread, row->klass, components, make_component);
}

// --- Executable and Field --------------------------------------------------------------------------------------------

Object* Executable_getParameters0(JavaThread* thread, Handle self) {
  const Method* method = method_of(thread, self.get());
  if (method == nullptr || method->parameters == nullptr || method->parameters_length == 0) return nullptr;
  const late::Parameter* row = late::get<late::Parameter>(thread);
  if (row == nullptr || !initialize_class(thread, row->klass)) return nullptr;
  struct Entry {
    u16 name, flags;
    i32 index;
  };  // JVMS 4.7.24
  std::vector<Entry> entries;
  const u8* next = method->parameters + 1;
  u32 count = method->parameters[0];
  if (method->parameters_length < 1 + 4 * count)
    return throw_message(thread, names::java_lang_IllegalArgumentException,
                         "Wrong number of parameters in MethodParameters attribute");
  for (u32 i = 0; i < count; ++i, next += 4) {
    Entry entry{static_cast<u16>(next[0] << 8 | next[1]), static_cast<u16>(next[2] << 8 | next[3]),
                static_cast<i32>(i)};
    if (entry.name >= method->constants->count ||
        (entry.name != 0 && method->constants->tag(entry.name) != ConstantTag::Utf8))
      return throw_message(thread, names::java_lang_IllegalArgumentException, "Constant pool index out of bounds");
    entries.push_back(entry);
  }
  return array_of(thread, row->klass, entries, [&](JavaThread*, const Entry& entry) MAY_SAFEPOINT -> Object* {
    HandleScope scope(thread);
    Object* made = new_instance(thread, row->klass);
    if (made == nullptr) return nullptr;
    Handle object = scope.make(made);
    if (entry.name != 0) {
      if ((made = intern_symbol(thread, method->constants->utf8(entry.name))) == nullptr) return nullptr;
      barrier::store(object.get(), row->name, made);
    }
    object->set<i32>(row->modifiers, entry.flags);
    object->set<i32>(row->index, entry.index);
    barrier::store(object.get(), row->executable, self.get());
    return object.get();
  });
}

Object* Executable_getTypeAnnotationBytes0(JavaThread* thread, Handle self) {
  const Method* method = method_of(thread, self.get());
  return method == nullptr ? nullptr
                           : new_byte_array(thread, method->type_annotations, method->type_annotations_length);
}

Object* Field_getTypeAnnotationBytes0(JavaThread* thread, Handle self) {
  const Field* field = field_of(thread, self.get());
  return field == nullptr ? nullptr : new_byte_array(thread, field->type_annotations, field->type_annotations_length);
}

bool ObjectStreamClass_hasStaticInitializer(JavaThread* thread, Handle mirror) {
  return klass_of(mirror)->is_instance() && klass_of(mirror)->as_instance()->class_initializer != nullptr;
}

}  // namespace keyhole::natives
