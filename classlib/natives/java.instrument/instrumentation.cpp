// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The natives of sun.instrument.InstrumentationImpl: the implementation of java.lang.instrument.Instrumentation.
#include <algorithm>
#include <functional>
#include <vector>

#include "classlib/natives/declarations.h"
#include "classlib/natives/java.instrument/agents.h"
#include "classlib/natives/late_bound.h"
#include "classlib/natives/support.h"
#include "runtime/threads/safepoint.h"
#include "runtime/threads/stopped_world.h"
#include "vm/classfile/class_path.h"
#include "vm/link/redefinition.h"

namespace keyhole::natives {
namespace {

Agent* agent_of(i64 native_agent) { return reinterpret_cast<Agent*>(native_agent); }

// Makes a Class[] of the classes that `collect` finds. It runs with the world stopped, so no class appears or dies.
Object* make_class_array(JavaThread* thread, const std::function<void(std::vector<Object*>& mirrors)>& collect)
    MAY_SAFEPOINT {
  HandleScope scope(thread);
  usize expected = 0;
  while (true) {
    Handle array = scope.make(new_reference_array(thread, well_known::Class_class, static_cast<i32>(expected)));
    if (array.is_null()) return nullptr;
    usize count = 0;
    auto fill = [&]() TOUCHES_OBJECTS {
      std::vector<Object*> mirrors;
      collect(mirrors);
      count = mirrors.size();
      if (count != expected) return;
      for (usize i = 0; i < count; ++i) barrier::store_element(array.get(), static_cast<i32>(i), mirrors[i]);
    };
    safepoint::run(thread, "GetLoadedClasses", fill);
    if (count == expected) return array.get();
    expected = count;
  }
}

bool is_modifiable(const Klass* klass) { return klass->is_instance() && !klass->as_instance()->is_hidden; }

void throw_unmodifiable(JavaThread* thread) MAY_SAFEPOINT {
  throw_message(thread, Symbol::intern("java/lang/instrument/UnmodifiableClassException"), nullptr);
}

bool is_loaded(const Klass* klass) { return klass->mirror != nullptr && !klass->is_primitive(); }

}  // namespace

bool InstrumentationImpl_isModifiableClass0(JavaThread*, Handle, i64, Handle type) {
  return is_modifiable(klass_of(type));
}

bool InstrumentationImpl_isRetransformClassesSupported0(JavaThread*, Handle, i64 agent) {
  return agent_of(agent)->jar.can_retransform;
}

Object* InstrumentationImpl_jarFile(JavaThread* thread, Handle, i64 agent) {
  return make_string_utf8(thread, reinterpret_cast<Agent*>(agent)->jar.jar);
}

void InstrumentationImpl_setHasTransformers(JavaThread*, Handle, i64 agent, bool has) {
  agent_of(agent)->has_transformers = has;
  update_class_file_hook();
}

void InstrumentationImpl_setHasRetransformableTransformers(JavaThread*, Handle, i64 agent, bool has) {
  agent_of(agent)->has_retransformable_transformers = has;
  update_class_file_hook();
}

void InstrumentationImpl_redefineClasses0(JavaThread* thread, Handle, i64, Handle definitions) {
  const late::ClassDefinition* row = late::get<late::ClassDefinition>(thread);
  if (row == nullptr) return;
  std::vector<NewClassFile> files;
  for (i32 i = 0; i < definitions->length(); ++i) {
    Object* definition = definitions->reference_at(i);
    const Klass* klass = klass_of_mirror(definition->get_reference(row->type));
    if (!is_modifiable(klass)) return throw_unmodifiable(thread);
    Object* file = definition->get_reference(row->file);
    const u8* bytes = file->elements<u8>();
    files.push_back({const_cast<InstanceKlass*>(klass->as_instance()), {bytes, bytes + file->length()}});
  }
  static_cast<void>(redefine_classes(thread, files, ClassFileUse::Redefine));
}

void InstrumentationImpl_retransformClasses0(JavaThread* thread, Handle, i64, Handle classes) {
  std::vector<NewClassFile> files;
  for (i32 i = 0; i < classes->length(); ++i) {
    const Object* type = classes->reference_at(i);
    if (type == nullptr) {
      throw_null_pointer(thread);
      return;
    }
    const Klass* klass = klass_of_mirror(type);
    if (!is_modifiable(klass)) return throw_unmodifiable(thread);
    files.push_back({const_cast<InstanceKlass*>(klass->as_instance()), {}});
  }
  static_cast<void>(redefine_classes(thread, files, ClassFileUse::Retransform));
}

Object* InstrumentationImpl_getAllLoadedClasses0(JavaThread* thread, Handle, i64) {
  return make_class_array(thread, [](std::vector<Object*>& mirrors) {
    for_each_klass([&](const Klass* klass) {
      if (is_loaded(klass)) mirrors.push_back(klass->mirror);
    });
  });
}

Object* InstrumentationImpl_getInitiatedClasses0(JavaThread* thread, Handle, i64, Handle loader) {
  LoaderData* data = loader_data_of(thread, loader.get());
  return make_class_array(thread, [data](std::vector<Object*>& mirrors) {
    safepoint::assert_holds(data->mutex);
    for (const auto& [name, klass] : data->dictionary) {
      if (klass != nullptr && is_loaded(klass)) mirrors.push_back(klass->mirror);
    }
  });
}

i64 InstrumentationImpl_getObjectSize0(JavaThread*, Handle, i64, Handle object) {
  return static_cast<i64>(object_bytes(object.get()));
}

void InstrumentationImpl_appendToClassLoaderSearch0(JavaThread*, Handle, i64, Handle file, bool of_boot_loader) {
  std::string path = string_to_utf8(file.get());
  if (of_boot_loader) append_to_boot_path(path);
  else application_class_path().append(path);
}

void InstrumentationImpl_setNativeMethodPrefixes(JavaThread*, Handle, i64 agent, Handle prefixes,
                                                 bool retransformable) {
  std::vector<std::string> texts;
  for (i32 i = 0; i < prefixes->length(); ++i) {
    if (Object* prefix = prefixes->reference_at(i)) texts.push_back(string_to_modified_utf8(prefix));
  }
  set_native_method_prefixes(agent_of(agent), retransformable, std::move(texts));
}

// Starts an agent in the program's jar, for the launcher. An exception of the agent reaches the caller.
void InstrumentationImpl_loadAgent0(JavaThread* thread, Handle jar) {
  std::string no_options;
  AgentOutcome outcome = load_agent(thread, string_to_utf8(jar.get()), "Launcher-Agent-Class", &no_options);
  if (outcome.loading != AgentLoading::NotAnAgent) return;
  throw_message(thread, names::java_lang_InternalError, outcome.problem);
}

}  // namespace keyhole::natives
