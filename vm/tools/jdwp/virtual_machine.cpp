// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Command set VirtualMachine.
#include <fmt/format.h>
#include <unistd.h>

#include <climits>
#include <cstdio>
#include <set>

#include "classlib/natives/java.base/lang/shutdown.h"
#include "classlib/natives/thread_fields.h"
#include "gc/heap/heap.h"
#include "runtime/base/flags.h"
#include "runtime/threads/threads.h"
#include "vm/link/exceptions.h"
#include "vm/link/linker.h"
#include "vm/link/redefinition.h"
#include "vm/link/well_known.h"
#include "vm/tools/jdwp/agent.h"
#include "vm/tools/jdwp/commands.h"
#include "vm/tools/jdwp/events.h"
#include "vm/tools/jdwp/suspension.h"

namespace keyhole::jdwp {

Error virtual_machine_version(Call& call) {
  const std::string& library = vm_facts().library_version;
  const char* mode = flags::TieredStopAtLevel == 0 ? "interpreted mode" : "mixed mode";
  i32 major = atoi(library.c_str());
  call.out.write_string(fmt::format("Java Debug Wire Protocol version {}.0\nJVM version {} (Keyhole 64-Bit VM, {})",
                                    major, library, mode));
  call.out.write_i32(major);
  call.out.write_i32(0);
  call.out.write_string(library);
  call.out.write_string("Keyhole 64-Bit VM");
  return Error::None;
}

namespace {

template <typename Write> Error write_classes(Call& call, Write write_matching) MAY_SAFEPOINT {
  return stopped(call, "DebuggerClasses", [&] {
    usize place = call.out.place_count();
    u32 count = 0;
    for_each_klass([&](const Klass* klass) TOUCHES_OBJECTS {
      if (is_visible(klass) && write_matching(klass)) ++count;
    });
    call.out.set_count(place, count);
    return Error::None;
  });
}

Error write_all_classes(Call& call, bool with_generic) MAY_SAFEPOINT {
  return write_classes(call, [&](const Klass* klass) TOUCHES_OBJECTS {
    call.out.write_tag(type_tag_of(klass));
    call.out.write_u64(type_id(klass));
    call.out.write_string(signature_of(klass));
    if (with_generic)
      call.out.write_string(klass->is_instance() ? text_of(klass->as_instance()->generic_signature) : "");
    call.out.write_i32(status_of(klass));
    return true;
  });
}

}  // namespace

Error virtual_machine_classes_by_signature(Call& call) {
  std::string_view signature = call.in.read_string();
  return write_classes(call, [&](const Klass* klass) TOUCHES_OBJECTS {
    if (signature_of(klass) != signature) return false;
    call.out.write_tag(type_tag_of(klass));
    call.out.write_u64(type_id(klass));
    call.out.write_i32(status_of(klass));
    return true;
  });
}

Error virtual_machine_all_classes(Call& call) { return write_all_classes(call, false); }
Error virtual_machine_all_classes_with_generic(Call& call) { return write_all_classes(call, true); }

Error virtual_machine_all_threads(Call& call) {
  return stopped(call, "DebuggerThreads", [&] {
    usize place = call.out.place_count();
    u32 count = 0;
    threads::for_each_platform_thread([&](JavaThread* each) TOUCHES_OBJECTS {
      if (!suspension::is_visible(each)) return;
      call.out.write_u64(object_ids::id_of(each->thread_object));
      ++count;
    });
    call.out.set_count(place, count);
    return Error::None;
  });
}

// Writes the top-level thread groups. To find them, follows the parents of each thread's group up to a group without a
// parent.
Error virtual_machine_top_level_thread_groups(Call& call) {
  return stopped(call, "DebuggerThreads", [&]() TOUCHES_OBJECTS {
    std::set<Object*> groups;
    threads::for_each_platform_thread([&](JavaThread* each) TOUCHES_OBJECTS {
      Object* group = suspension::is_visible(each) ? thread_fields::group(each->thread_object) : nullptr;
      while (group != nullptr && group->get_reference(well_known::ThreadGroup_parent) != nullptr)
        group = group->get_reference(well_known::ThreadGroup_parent);
      if (group != nullptr) groups.insert(group);
    });
    call.out.write_i32(static_cast<i32>(groups.size()));
    for (Object* group : groups) call.out.write_u64(object_ids::id_of(group));
    return Error::None;
  });
}

// Closes the connection after the reply was sent. Closing the connection resumes all threads.
Error virtual_machine_dispose(Call& call) {
  call.afterwards = [] { hang_up(); };
  return Error::None;
}

Error virtual_machine_id_sizes(Call& call) {
  for (int kind = 0; kind < 5; ++kind) call.out.write_i32(id_bytes);
  return Error::None;
}

Error virtual_machine_suspend(Call& call) { return suspension::suspend_all(call.thread), Error::None; }
Error virtual_machine_resume(Call& call) {
  suspension::resume_all(call.thread);
  events::resumed(call.thread);
  return Error::None;
}

// Ends the VM without shutdown hooks, like Runtime.halt.
Error virtual_machine_exit(Call& call) {
  i32 code = call.in.read_i32();
  call.afterwards = [code, thread = call.thread] {
    if (natives::before_halt != nullptr) natives::before_halt(thread);
    fflush(nullptr);
    _exit(code);
  };
  return Error::None;
}

Error virtual_machine_create_string(Call& call) {
  Object* string = make_string_utf8(call.thread, call.in.read_string());
  if (string == nullptr) {
    take_exception(call.thread);
    return Error::OutOfMemory;
  }
  call.out.write_u64(object_ids::id_of(string));
  return Error::None;
}

namespace {

// Writes the seven capabilities with which the replies to Capabilities and CapabilitiesNew begin.
void write_old_capabilities(Writer& out) {
  out.write_boolean(false);  // watch field modification
  out.write_boolean(false);  // watch field access
  out.write_boolean(true);   // bytecodes
  out.write_boolean(true);   // synthetic attribute
  out.write_boolean(true);   // owned monitors
  out.write_boolean(true);   // current contended monitor
  out.write_boolean(false);  // monitor info
}

}  // namespace

Error virtual_machine_capabilities(Call& call) { return write_old_capabilities(call.out), Error::None; }

Error virtual_machine_capabilities_new(Call& call) {
  write_old_capabilities(call.out);
  call.out.write_boolean(true);   // redefine classes
  call.out.write_boolean(false);  // add methods
  call.out.write_boolean(false);  // redefine without restriction
  call.out.write_boolean(false);  // pop frames
  call.out.write_boolean(false);  // instance filters
  call.out.write_boolean(false);  // source debug extension
  call.out.write_boolean(true);   // VM death requests
  call.out.write_boolean(false);  // default stratum
  call.out.write_boolean(true);   // instances
  call.out.write_boolean(false);  // monitor events
  call.out.write_boolean(false);  // monitors and their frames
  call.out.write_boolean(true);   // source name filters
  call.out.write_boolean(false);  // constant pool
  call.out.write_boolean(false);  // early return
  for (int reserved = 22; reserved <= 32; ++reserved) call.out.write_boolean(false);
  return Error::None;
}

Error virtual_machine_class_paths(Call& call) {
  char folder[PATH_MAX];
  call.out.write_string(getcwd(folder, sizeof folder) == nullptr ? "" : folder);
  std::vector<std::string_view> entries;
  for (std::string_view rest = vm_facts().class_path; !rest.empty();) {
    entries.push_back(rest.substr(0, rest.find(':')));
    rest.remove_prefix(entries.back().size() == rest.size() ? rest.size() : entries.back().size() + 1);
  }
  call.out.write_i32(static_cast<i32>(entries.size()));
  for (std::string_view entry : entries) call.out.write_string(entry);
  call.out.write_i32(0);  // the boot class path is empty, because the boot loader reads the library's image
  return Error::None;
}

Error virtual_machine_dispose_objects(Call& call) {
  for (u32 count = call.in.read_count(12); count > 0; --count) {
    u64 id = call.in.read_u64();
    object_ids::give_back(id, call.in.read_i32());
  }
  return Error::None;
}

Error virtual_machine_hold_events(Call& call) { return events::hold(), Error::None; }
Error virtual_machine_release_events(Call& call) { return events::release(call.thread), Error::None; }

namespace {

// Maps the exceptions of java.lang.instrument to the protocol's errors.
Error error_of_redefinition(JavaThread* thread) TOUCHES_OBJECTS {
  Object* exception = take_exception(thread);
  std::string_view name = exception->klass()->name->text();
  Object* text = exception->get_reference(well_known::Throwable_detail_message);
  std::string message = text == nullptr ? "" : string_to_utf8(text);
  auto says = [&](std::string_view words) { return message.find(words) != std::string::npos; };
  if (name == "java/lang/UnsupportedOperationException") {
    if (says("add a method")) return Error::AddMethodNotImplemented;
    if (says("delete a method")) return Error::DeleteMethodNotImplemented;
    if (says("superclass or interfaces")) return Error::HierarchyChangeNotImplemented;
    if (says("the class modifiers")) return Error::ClassModifiersChangeNotImplemented;
    if (says("method modifiers")) return Error::MethodModifiersChangeNotImplemented;
    if (says("attribute")) return Error::ClassAttributeChangeNotImplemented;
    return Error::SchemaChangeNotImplemented;
  }
  if (name == "java/lang/VerifyError") return Error::FailsVerification;
  if (name == "java/lang/UnsupportedClassVersionError") return Error::UnsupportedVersion;
  if (name == "java/lang/NoClassDefFoundError") return Error::NamesDontMatch;
  if (name == "java/lang/ClassFormatError") return Error::InvalidClassFormat;
  if (name == "java/lang/OutOfMemoryError") return Error::OutOfMemory;
  return Error::Internal;
}

}  // namespace

Error virtual_machine_redefine_classes(Call& call) {
  std::vector<NewClassFile> files;
  for (u32 count = call.in.read_count(12); count > 0; --count) {
    auto [klass, error] = read_class(call);
    if (error != Error::None) return error;
    if (klass->is_hidden) return Error::InvalidClass;
    std::span<const u8> bytes = call.in.read_bytes(call.in.read_count(1));
    files.push_back({klass, {bytes.begin(), bytes.end()}});
  }
  if (!call.in.ok()) return Error::IllegalArgument;
  return redefine_classes(call.thread, files, ClassFileUse::Redefine) ? Error::None
                                                                      : error_of_redefinition(call.thread);
}

Error virtual_machine_instance_counts(Call& call) {
  std::vector<const Klass*> klasses;
  for (u32 left = call.in.read_count(8); left > 0; --left) {
    auto [klass, error] = read_type(call);
    if (error != Error::None) return error;
    klasses.push_back(klass);
  }
  heap::collect(call.thread, heap::Cause::HeapDump);
  return stopped(call, "DebuggerInstances", [&] {
    struct Counts {
      const std::vector<const Klass*>& klasses;
      std::vector<u64> found;
    } counts{klasses, std::vector<u64>(klasses.size())};
    heap::for_each_object(
        [](Object* object, void* context) TOUCHES_OBJECTS {
          auto& all = *static_cast<Counts*>(context);
          for (usize i = 0; i < all.klasses.size(); ++i)
            if (object->klass() == all.klasses[i]) ++all.found[i];
        },
        &counts);
    call.out.write_i32(static_cast<i32>(counts.found.size()));
    for (u64 count : counts.found) call.out.write_u64(count);
    return Error::None;
  });
}

Error virtual_machine_all_modules(Call& call) {
  return stopped(call, "DebuggerModules", [&]() TOUCHES_OBJECTS {
    std::set<Object*> modules;
    for_each_klass([&](const Klass* klass) TOUCHES_OBJECTS {
      Object* module = klass->mirror == nullptr ? nullptr : klass->mirror->get_reference(well_known::Class_module);
      if (module != nullptr) modules.insert(module);
    });
    call.out.write_i32(static_cast<i32>(modules.size()));
    for (Object* module : modules) call.out.write_u64(object_ids::id_of(module));
    return Error::None;
  });
}

}  // namespace keyhole::jdwp
