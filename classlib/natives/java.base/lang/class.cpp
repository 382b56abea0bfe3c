// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// java.lang.Class: names, hierarchy, nests. Members and annotations: class_members.cpp.
#include <vector>

#include "classlib/natives/declarations.h"
#include "classlib/natives/java.base/lang/class_tables.h"
#include "classlib/natives/late_bound.h"
#include "classlib/natives/support.h"
#include "vm/classfile/class_file_parser.h"
#include "vm/link/loading/loader_names.h"
#include "vm/link/loading/mirrors.h"
#include "vm/link/package_access.h"

namespace keyhole::natives {

namespace {

Object* string_or_null(JavaThread* thread, const Symbol* symbol) MAY_SAFEPOINT {
  return symbol == nullptr ? nullptr : make_string(thread, symbol->text());
}

// The InnerClasses entry that describes the class itself, or null.
const InnerClass* own_inner_class(const InstanceKlass* klass) {
  for (u16 i = 0; i < klass->inner_class_count; ++i) {
    const InnerClass& entry = klass->inner_classes[i];
    if (entry.inner_class != 0 && klass->constants->class_name(entry.inner_class) == klass->name) return &entry;
  }
  return nullptr;
}

// Can some loader have a class of this name? If not, the exception shows the internal form. Arrays are checked
// elsewhere.
bool could_be_class_name(std::string_view name) {
  if (name.starts_with('[')) return true;
  return !name.empty() && name.find_first_of(";[") == std::string_view::npos &&
         name.find("//") == std::string_view::npos && name.front() != '/';
}

// Checks JVMS 4.7.6: both classes must agree that `inner` is a member of `outer`, or a local or anonymous class in it.
// Names alone do not decide, because another loader's class of that name was compiled with another `outer`.
bool check_inner(JavaThread* thread, InstanceKlass* outer, Klass* inner, bool is_member) MAY_SAFEPOINT {
  for (u16 i = 0; i < outer->inner_class_count; ++i) {
    const InnerClass& entry = outer->inner_classes[i];
    if (entry.inner_class == 0 || outer->constants->class_name(entry.inner_class) != inner->name ||
        (entry.outer_class != 0) != is_member)
      continue;
    if (is_member) {
      if (outer->constants->class_name(entry.outer_class) != outer->name) continue;
      Klass* itself = resolve_class_at(thread, outer->constants, entry.outer_class);
      if (itself == nullptr) return false;
      if (itself != outer) continue;
    }
    Klass* meant = resolve_class_at(thread, outer->constants, entry.inner_class);
    if (meant == nullptr) return false;
    if (meant == inner) return true;
  }
  return throw_new(thread, names::java_lang_IncompatibleClassChangeError,
                   "{} and {} disagree on InnerClasses attribute", external_name(outer), external_name(inner));
}

Object* mirror_array(JavaThread* thread, std::span<Klass* const> klasses) MAY_SAFEPOINT {
  Object* array = new_reference_array(thread, well_known::Class_class, static_cast<i32>(klasses.size()));
  if (array == nullptr) return nullptr;
  for (usize i = 0; i < klasses.size(); ++i) barrier::store_element(array, static_cast<i32>(i), klasses[i]->mirror);
  return array;
}

}  // namespace

// --- finding ---------------------------------------------------------------------------------------------------------

Object* Class_forName0(JavaThread* thread, Handle name, bool initialize, Handle loader, Handle caller) {
  if (name.is_null()) return throw_null_pointer(thread);
  std::string text = string_to_modified_utf8(name.get());
  // Java code may not use the internal form as a class name, nor a name that a class file cannot contain.
  if (text.size() > 0xFFFF || text.find('/') != std::string::npos)
    return throw_message(thread, names::java_lang_ClassNotFoundException, string_to_utf8(name.get()));
  for (char& c : text)
    if (c == '.') c = '/';
  if (!could_be_class_name(text)) return throw_message(thread, names::java_lang_ClassNotFoundException, text);
  LoaderData* loader_data = loader_data_of(thread, loader.get());
  if (loader_data == nullptr) return nullptr;
  Klass* klass = find_class_or_throw(thread, SymbolHandle(text), loader_data);
  if (klass == nullptr) return nullptr;
  // The boot loader's classes need no check.
  const Klass* from = loader.is_null() || caller.is_null() ? nullptr : klass_of(caller);
  if (from != nullptr && from->is_instance() && !check_package_access(thread, from->as_instance(), klass))
    return nullptr;
  if (initialize && klass->is_instance() && !initialize_class(thread, klass->as_instance())) return nullptr;
  return klass->mirror;
}

Object* Class_getPrimitiveClass(JavaThread* thread, Handle name) {
  if (name.is_null()) return throw_null_pointer(thread);
  std::string text = string_to_utf8(name.get());
  for (BasicType type : {BasicType::Boolean, BasicType::Char, BasicType::Float, BasicType::Double, BasicType::Byte,
                         BasicType::Short, BasicType::Int, BasicType::Long, BasicType::Void}) {
    if (primitive_klass(type)->name->text() == text) return primitive_klass(type)->mirror;
  }
  return throw_message(thread, names::java_lang_ClassNotFoundException, text);
}

// --- what it is ------------------------------------------------------------------------------------------------------

Object* Class_initClassName(JavaThread* thread, Handle self) {
  Object* name = intern_symbol(thread, SymbolHandle(external_name(klass_of(self))));
  if (name != nullptr) barrier::store(self.get(), well_known::Class_name, name);
  return name;
}

bool Class_isArray(JavaThread*, Handle self) { return klass_of(self)->is_array(); }
bool Class_isPrimitive(JavaThread*, Handle self) { return klass_of(self)->is_primitive(); }
bool Class_isInterface(JavaThread*, Handle self) {
  return klass_of(self)->is_instance() && klass_of(self)->is_interface();
}
bool Class_isHidden(JavaThread*, Handle self) {
  return klass_of(self)->is_instance() && klass_of(self)->as_instance()->is_hidden;
}
bool Class_isRecord0(JavaThread*, Handle self) {
  return klass_of(self)->is_instance() && klass_of(self)->as_instance()->is_record;
}

bool Class_isInstance(JavaThread*, Handle self, Handle object) {
  const Klass* klass = klass_of(self);
  return !object.is_null() && !klass->is_primitive() && object->klass()->is_subtype_of(klass);
}

bool Class_isAssignableFrom(JavaThread* thread, Handle self, Handle other) {
  if (other.is_null()) return throw_null_pointer(thread);
  const Klass* to = klass_of(self);
  const Klass* from = klass_of(other);
  if (to->is_primitive() || from->is_primitive()) return to == from;
  return from->is_subtype_of(to);
}

i32 Class_getModifiers(JavaThread*, Handle self) { return class_modifiers(klass_of(self)); }

i32 Reflection_getClassAccessFlags(JavaThread*, Handle mirror) {
  const Klass* klass = klass_of(mirror);
  if (klass->is_primitive()) return access::Public | access::Final | access::Abstract;
  if (klass->is_instance()) return static_cast<i32>(klass->access_flags & 0xFFFF);
  const Klass* bottom = const_cast<Klass*>(klass)->as_array()->bottom;
  u32 visibility = bottom->is_instance() ? bottom->access_flags & access::Public : access::Public;
  return static_cast<i32>(visibility | access::Final | access::Abstract);
}

i32 Class_getClassAccessFlagsRaw0(JavaThread* thread, Handle self) {
  return Reflection_getClassAccessFlags(thread, self);
}

// Returns the version with the minor one in the upper half; for a class without a file the newest version.
i32 Class_getClassFileVersion0(JavaThread*, Handle self) {
  const Klass* klass = klass_of(self);
  return klass->is_instance() ? klass->as_instance()->major_version : newest_class_file_version;
}

bool Reflection_areNestMates(JavaThread* thread, Handle a, Handle b) {
  Klass* first = klass_of(a);
  Klass* second = klass_of(b);
  if (first == second) return true;
  if (!first->is_instance() || !second->is_instance()) return false;
  InstanceKlass* host = nest_host_of(thread, first->as_instance());
  return host != nullptr && host == nest_host_of(thread, second->as_instance());
}

// --- relatives -------------------------------------------------------------------------------------------------------

Object* Class_getSuperclass(JavaThread*, Handle self) {
  const Klass* klass = klass_of(self);
  if (klass->is_primitive() || (klass->is_instance() && klass->is_interface())) return nullptr;
  if (klass->is_array()) return well_known::Object_class->mirror;
  return mirror_or_null(klass->super);
}

Object* Class_getInterfaces0(JavaThread* thread, Handle self) {
  Klass* klass = klass_of(self);
  if (klass->is_array()) {
    Klass* both[] = {well_known::Cloneable_class, well_known::Serializable_class};
    return mirror_array(thread, both);
  }
  std::vector<Klass*> interfaces;
  if (klass->is_instance())
    interfaces.assign(klass->as_instance()->interfaces,
                      klass->as_instance()->interfaces + klass->as_instance()->interface_count);
  return mirror_array(thread, interfaces);
}

Object* Class_getDeclaredClasses0(JavaThread* thread, Handle self) {
  std::vector<Klass*> members;
  if (klass_of(self)->is_instance()) {
    InstanceKlass* klass = klass_of(self)->as_instance();
    for (u16 i = 0; i < klass->inner_class_count; ++i) {
      const InnerClass& entry = klass->inner_classes[i];
      if (entry.inner_class == 0 || entry.outer_class == 0 ||
          klass->constants->class_name(entry.outer_class) != klass->name)
        continue;
      Klass* inner = resolve_class_at(thread, klass->constants, entry.inner_class);
      if (inner == nullptr || !check_inner(thread, klass, inner, /*is_member=*/true)) return nullptr;
      members.push_back(inner);
    }
  }
  return mirror_array(thread, members);
}

Object* Class_getDeclaringClass0(JavaThread* thread, Handle self) {
  if (!klass_of(self)->is_instance()) return nullptr;
  InstanceKlass* klass = klass_of(self)->as_instance();
  const InnerClass* entry = own_inner_class(klass);
  bool is_member = entry != nullptr && entry->outer_class != 0;
  u16 outer_index = is_member ? entry->outer_class : klass->enclosing_class_index;
  if (outer_index == 0) return nullptr;
  Klass* outer = resolve_class_at(thread, klass->constants, outer_index);
  if (outer == nullptr || !outer->is_instance() || !check_inner(thread, outer->as_instance(), klass, is_member))
    return nullptr;
  return is_member ? outer->mirror : nullptr;  // the class around a local class does not declare it
}

Object* Class_getSimpleBinaryName0(JavaThread* thread, Handle self) {
  if (!klass_of(self)->is_instance()) return nullptr;
  InstanceKlass* klass = klass_of(self)->as_instance();
  const InnerClass* entry = own_inner_class(klass);
  return entry == nullptr || entry->name == 0 ? nullptr
                                              : make_string(thread, klass->constants->utf8(entry->name)->text());
}

Object* Class_getEnclosingMethod0(JavaThread* thread, Handle self) {
  if (!klass_of(self)->is_instance()) return nullptr;
  InstanceKlass* klass = klass_of(self)->as_instance();
  if (klass->enclosing_class_index == 0) return nullptr;
  HandleScope scope(thread);
  Klass* outer = resolve_class_at(thread, klass->constants, klass->enclosing_class_index);
  if (outer == nullptr) return nullptr;
  Object* object = new_reference_array(thread, well_known::Object_class, 3);
  if (object == nullptr) return nullptr;
  Handle triple = scope.make(object);
  barrier::store_element(triple.get(), 0, outer->mirror);
  if (klass->enclosing_method_index != 0) {
    ConstantPool* constants = klass->constants;
    Object* text = make_string(thread, constants->utf8(constants->first(klass->enclosing_method_index))->text());
    if (text == nullptr) return nullptr;
    barrier::store_element(triple.get(), 1, text);
    text = make_string(thread, constants->utf8(constants->second(klass->enclosing_method_index))->text());
    if (text == nullptr) return nullptr;
    barrier::store_element(triple.get(), 2, text);
  }
  return triple.get();
}

Object* Class_getNestHost0(JavaThread* thread, Handle self) {
  if (!klass_of(self)->is_instance()) return self.get();
  InstanceKlass* host = nest_host_of(thread, klass_of(self)->as_instance());
  return mirror_or_null(host);
}

Object* Class_getNestMembers0(JavaThread* thread, Handle self) {
  std::vector<Klass*> members;
  if (!klass_of(self)->is_instance()) {
    members.push_back(klass_of(self));
    return mirror_array(thread, members);
  }
  InstanceKlass* host = nest_host_of(thread, klass_of(self)->as_instance());
  if (host == nullptr) return nullptr;
  members.push_back(host);
  for (u16 i = 0; i < host->nest_member_count; ++i) {
    Klass* member = resolve_class_at(thread, host->constants, host->nest_members[i]);
    if (member == nullptr) {
      // A member class that does not exist is skipped. Other errors go to the caller.
      Object* exception = take_exception(thread);
      if (exception->klass()->name == names::java_lang_NoClassDefFoundError) continue;
      return throw_object(thread, exception);
    }
    if (member->is_instance() && nest_host_of(thread, member->as_instance()) == host) members.push_back(member);
    else if (has_exception(thread)) return nullptr;
  }
  return mirror_array(thread, members);
}

Object* Class_getPermittedSubclasses0(JavaThread* thread, Handle self) {
  if (!klass_of(self)->is_instance()) return nullptr;
  InstanceKlass* klass = klass_of(self)->as_instance();
  if (!klass->is_sealed) return nullptr;
  std::vector<Klass*> permitted;
  for (u16 i = 0; i < klass->permitted_subclass_count; ++i) {
    Klass* subclass = resolve_class_at(thread, klass->constants, klass->permitted_subclasses[i]);
    if (subclass == nullptr) {
      Object* exception = take_exception(thread);
      if (exception->klass()->name == names::java_lang_NoClassDefFoundError) continue;
      return throw_object(thread, exception);
    }
    if (subclass->is_instance()) permitted.push_back(subclass);
  }
  return mirror_array(thread, permitted);
}

// --- what hangs on it ------------------------------------------------------------------------------------------------

Object* Class_getGenericSignature0(JavaThread* thread, Handle self) {
  const Klass* klass = klass_of(self);
  return klass->is_instance() ? string_or_null(thread, klass->as_instance()->generic_signature) : nullptr;
}

Object* Class_getRawAnnotations(JavaThread* thread, Handle self) {
  if (!klass_of(self)->is_instance()) return nullptr;
  const InstanceKlass* klass = klass_of(self)->as_instance();
  return new_byte_array(thread, klass->annotations, klass->annotations_length);
}

Object* Class_getRawTypeAnnotations(JavaThread* thread, Handle self) {
  if (!klass_of(self)->is_instance()) return nullptr;
  const InstanceKlass* klass = klass_of(self)->as_instance();
  return new_byte_array(thread, klass->type_annotations, klass->type_annotations_length);
}

static Object* domain_by_loader(JavaThread* thread, Handle mirror) MAY_SAFEPOINT {
  const late::ClassLoaders* loaders = late::get<late::ClassLoaders>(thread);
  if (loaders == nullptr || !initialize_class(thread, loaders->klass)) return nullptr;
  Slot argument[] = {slot_of(mirror)};
  Object* domain = object_of(call_java(thread, loaders->protection_domain, argument));
  return has_exception(thread) ? nullptr : domain;
}

Object* Class_getProtectionDomain0(JavaThread* thread, Handle self) {
  Klass* klass = klass_of(self);
  if (!klass->is_instance() || klass->loader->is_boot()) return nullptr;
  if (Object* domain = protection_domain_of(klass)) return domain;
  const InstanceKlass* host = klass->as_instance()->nest_host;
  if (klass->as_instance()->is_hidden && host != nullptr && host != klass) {
    HandleScope scope(thread);
    return Class_getProtectionDomain0(thread, scope.make(host->mirror));
  }
  if (!is_builtin_loader(klass->loader)) return nullptr;
  // Classes that the VM has read from the class path get their domain on request (classlib/README.md).
  Object* domain = domain_by_loader(thread, self);
  if (domain != nullptr) set_protection_domain(klass, domain);
  return domain;
}

// Replaces all of Class.getProtectionDomain. Classes without a domain get that of the boot loader's classes.
Object* Class_getProtectionDomain(JavaThread* thread, Handle self) {
  Object* domain = Class_getProtectionDomain0(thread, self);
  if (domain != nullptr || has_exception(thread)) return domain;
  HandleScope scope(thread);
  return domain_by_loader(thread, scope.make(well_known::Object_class->mirror));
}

Object* AccessController_getProtectionDomain(JavaThread* thread, Handle mirror) {
  return mirror.is_null() ? nullptr : Class_getProtectionDomain0(thread, mirror);
}

Object* Class_getSigners(JavaThread* thread, Handle self) {
  Object* signers = klass_of(self)->is_instance() ? signers_of(klass_of(self)) : nullptr;
  if (signers == nullptr) return nullptr;
  // Returns a copy, because the caller may write to it.
  HandleScope scope(thread);
  Handle source = scope.make(signers);
  Object* copy = new_array(thread, source->klass(), source->length());
  if (copy != nullptr) barrier::copy_elements(source.get(), 0, copy, 0, source->length());
  return copy;
}

void Class_setSigners(JavaThread*, Handle self, Handle signers) {
  if (klass_of(self)->is_instance()) set_signers(klass_of(self), signers.get());
}

}  // namespace keyhole::natives
