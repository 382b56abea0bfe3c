// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// From a name and a loader to a class (JVMS 5.3).
//
//   in the dictionary               done
//   boot loader                     bytes from the boot path; of two threads that load one class, the first to publish
//                                   wins
//   "platform", "app"               likewise for classes of the JDK's modules (jdk_modules.h), else as any other loader
//   any other loader                its loadClass runs, in Java; what it returns is recorded under the name
//
// A class requested while this thread is loading its supertypes is its own supertype: ClassCircularityError.
#include <fmt/format.h>

#include "runtime/base/mutex.h"
#include "runtime/sync/synchronizer.h"
#include "vm/link/exceptions.h"
#include "vm/link/java_call.h"
#include "vm/link/linker.h"
#include "vm/link/loading/class_definition.h"
#include "vm/link/loading/jdk_modules.h"
#include "vm/link/loading/loader_constraints.h"
#include "vm/link/well_known.h"

namespace keyhole {
namespace {

Klass* look_up(const Symbol* name, LoaderData* loader) {
  MutexLock guard(loader->mutex);
  auto found = loader->dictionary.find(name);
  return found == loader->dictionary.end() ? nullptr : found->second;
}

bool is_in_progress(JavaThread* thread, const Symbol* name, LoaderData* loader) {
  MutexLock guard(loader->mutex);
  for (ClassInProgress* entry = loader->in_progress; entry != nullptr; entry = entry->previous) {
    if (entry->name == name && entry->thread == thread) return true;
  }
  return false;
}

// Holds the loader's monitor around loadClass, for a loader that is not registered as parallel capable.
class LoaderLock {
 public:
  LoaderLock(JavaThread* thread, Handle loader) MAY_SAFEPOINT : thread_(thread) {
    if (loader.get()->get_reference(well_known::ClassLoader_parallel_lock_map) != nullptr) return;
    // No lock record is left: the `synchronized` of loadClass itself must suffice.
    if (thread->lock_record_top == thread->lock_record_capacity) return;
    record_ = &thread->lock_records[thread->lock_record_top++];
    record_->object = loader.get();
    sync::enter(thread, Handle(&record_->object), record_);
  }
  ~LoaderLock() TOUCHES_OBJECTS {
    if (record_ == nullptr) return;
    sync::exit(thread_, Handle(&record_->object), record_);
    record_->object = nullptr;
    --thread_->lock_record_top;
  }
  LoaderLock(const LoaderLock&) = delete;
  LoaderLock& operator=(const LoaderLock&) = delete;

 private:
  JavaThread* thread_;
  LockRecord* record_ = nullptr;
};

Klass* record(JavaThread* thread, const Symbol* name, LoaderData* loader, Klass* klass) MAY_SAFEPOINT {
  RecordedClass recorded = record_class(loader, name, klass);
  if (recorded.klass == nullptr) return throw_constraint_violation(thread, loader, klass, recorded.conflicting);
  return recorded.klass;
}

// Calls loadClass. Null without exception: it returned a class of another name.
Klass* load_by_java_loader(JavaThread* thread, const Symbol* name, LoaderData* loader) MAY_SAFEPOINT {
  HandleScope scope(thread);
  Handle java_loader = scope.make(loader->java_loader);
  Handle text = scope.make(make_string(thread, name->dotted()));
  if (!text) return nullptr;
  Object* mirror;
  {
    LoaderLock lock(thread, java_loader);
    Slot arguments[] = {slot_of(java_loader), slot_of(text)};
    mirror = object_of(call_java_virtual(thread, well_known::ClassLoader_load_class, arguments));
    if (has_exception(thread) || mirror == nullptr) return nullptr;
    Klass* klass = klass_of_mirror(mirror);
    if (klass->name != name || !klass->is_instance()) return nullptr;
    // Records the loader as initiating loader. If several threads come here, the first one decides what the name means.
    return record(thread, name, loader, klass);
  }
}

// Null without exception: not found.
Klass* load(JavaThread* thread, const Symbol* name, LoaderData* loader) MAY_SAFEPOINT {
  if (is_in_progress(thread, name, loader))
    return throw_message(thread, names::java_lang_ClassCircularityError, name->string());
  if (loader->is_boot()) return load_from_boot_modules(thread, name);
  // Finds what the built-in loaders would find, without calling Java.
  if (is_builtin_loader(loader)) {
    Klass* klass = load_from_jdk(thread, name);
    if (klass != nullptr) return klass->loader == loader ? klass : record(thread, name, loader, klass);
    if (has_exception(thread)) return nullptr;
  }
  return load_by_java_loader(thread, name, loader);
}

bool pending_is_class_not_found(JavaThread* thread) TOUCHES_OBJECTS {
  if (!has_exception(thread)) return false;
  for (const Klass* klass = thread->pending_exception->klass(); klass != nullptr; klass = klass->super) {
    if (klass->name == names::java_lang_ClassNotFoundException && klass->loader->is_boot()) return true;
  }
  return false;
}

// Finds an array class by its name. `resolve` finds the element's class; if it returns null, so does this, with or
// without an exception.
template <typename Resolve>
Klass* resolve_array(JavaThread* thread, const Symbol* name, Resolve&& resolve) MAY_SAFEPOINT {
  std::string_view text = name->text();
  usize dimensions = 0;
  while (dimensions < text.size() && text[dimensions] == '[') ++dimensions;
  if (dimensions > 255 || dimensions == text.size()) return nullptr;
  std::string_view element = text.substr(dimensions);
  Klass* klass;
  if (element.size() > 2 && element.front() == 'L' && element.back() == ';') {
    klass = resolve(SymbolHandle(element.substr(1, element.size() - 2)));
  } else if (element.size() == 1 && element[0] != 'V' && element[0] != 'L' &&
             basic_type_of_descriptor(element[0]) != BasicType::Illegal) {
    klass = primitive_klass(basic_type_of_descriptor(element[0]));
  } else {
    return nullptr;
  }
  for (; klass != nullptr && dimensions > 0; --dimensions) klass = array_klass_of(thread, klass);
  return klass;
}

// The loader that finds the classes named by an accessor: the parent of the accessor's own loader, whose loadClass does
// not run. HotSpot does the same.
LoaderData* parent_of(JavaThread* thread, const LoaderData* loader) TOUCHES_OBJECTS {
  static const Symbol *field = Symbol::intern("parent"), *type = Symbol::intern("Ljava/lang/ClassLoader;");
  const auto* klass = static_cast<const InstanceKlass*>(loader->java_loader->klass()->super);
  return loader_data_of(thread, loader->java_loader->get_reference(klass->find_declared_field(field, type)->offset));
}

Klass* find_or_load(JavaThread* thread, const Symbol* name, LoaderData* loader) MAY_SAFEPOINT {
  if (name->length() > 0 && (*name)[0] == '[') {
    return resolve_array(thread, name,
                         [&](const Symbol* element) MAY_SAFEPOINT { return find_or_load(thread, element, loader); });
  }
  if (Klass* known = look_up(name, loader)) [[likely]]
    return known;
  if (loader->kind == LoaderKind::Accessor) return find_or_load(thread, name, parent_of(thread, loader));
  return load(thread, name, loader);
}

}  // namespace

Klass* find_loaded_class(const Symbol* name, LoaderData* loader) {
  std::string_view text = name->text();
  if (!text.starts_with('[')) return look_up(name, loader);
  Klass* klass = nullptr;
  usize dimensions = text.find_first_not_of('[');
  if (dimensions == std::string_view::npos) return nullptr;
  std::string_view element = text.substr(dimensions);
  if (element.size() > 2 && element.front() == 'L') {
    SymbolHandle symbol = Symbol::find(element.substr(1, element.size() - 2));
    klass = symbol == nullptr ? nullptr : look_up(symbol, loader);
  } else if (element.size() == 1 && element[0] != 'V' && basic_type_of_descriptor(element[0]) != BasicType::Illegal) {
    klass = primitive_klass(basic_type_of_descriptor(element[0]));
  }
  for (; klass != nullptr && dimensions > 0; --dimensions) klass = klass->array_klass.load(std::memory_order_acquire);
  return klass;
}

Klass* resolve_class(JavaThread* thread, const Symbol* name, LoaderData* loader) {
  Klass* klass = find_or_load(thread, name, loader);
  if (klass != nullptr) [[likely]]
    return klass;
  if (!has_exception(thread)) return throw_message(thread, names::java_lang_NoClassDefFoundError, name->string());
  if (!pending_is_class_not_found(thread)) return nullptr;
  HandleScope scope(thread);
  Handle cause = scope.make(take_exception(thread));
  return throw_message(thread, names::java_lang_NoClassDefFoundError, name->string().c_str(), cause);
}

Klass* find_class_or_throw(JavaThread* thread, const Symbol* name, LoaderData* loader) {
  Klass* klass = find_or_load(thread, name, loader);
  if (klass != nullptr || has_exception(thread)) return klass;
  return throw_message(thread, names::java_lang_ClassNotFoundException, name->string());
}

Klass* find_boot_class_or_null(JavaThread* thread, const Symbol* name) {
  return find_or_load(thread, name, boot_loader());
}

Klass* resolve_descriptor(JavaThread* thread, std::string_view descriptor, LoaderData* loader) {
  if (descriptor[0] == 'L')
    return resolve_class(thread, SymbolHandle(descriptor.substr(1, descriptor.size() - 2)), loader);
  if (descriptor[0] == '[') return resolve_class(thread, SymbolHandle(descriptor), loader);
  return primitive_klass(basic_type_of_descriptor(descriptor[0]));
}

}  // namespace keyhole
