// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Makes the checks of java's launcher (sun.launcher.LauncherHelper), with its texts.
#include "vm/launcher/launch.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include "gc/barrier.h"
#include "gc/heap/heap.h"
#include "runtime/base/controlled/strands.h"
#include "runtime/base/flags.h"
#include "runtime/base/print.h"
#include "runtime/threads/thread_state.h"
#include "vm/classfile/jar_manifest.h"
#include "vm/classfile/launcher_manifest.h"
#include "vm/classfile/zip.h"
#include "vm/launcher/instance_main.h"
#include "vm/launcher/main_problems.h"
#include "vm/launcher/newer_library.h"
#include "vm/link/exceptions.h"
#include "vm/link/indy/support.h"
#include "vm/link/java_call.h"
#include "vm/link/release_behaviour.h"
#include "vm/link/well_known.h"
#include "vm/tools/java_exception.h"

namespace keyhole {
namespace {

int complain(const std::string& text) {
  fflush(stdout);
  print_text(stderr, "{}\n", text);
  return 1;
}

// Moves the pending exception into `exception` and returns its Throwable.toString().
std::string describe_exception(JavaThread* thread, Handle exception) MAY_SAFEPOINT {
  exception.set(take_exception(thread));
  Method* to_string =
      find_method(exception->klass(), Symbol::intern("toString"), Symbol::intern("()Ljava/lang/String;"));
  Slot arguments[] = {slot_of(exception)};
  Object* text = object_of(call_java_virtual(thread, to_string, arguments));
  if (has_exception(thread) || text == nullptr) {
    take_exception(thread);
    return exception->klass()->name->dotted();
  }
  return string_to_utf8(text);
}

Klass* load_main_class(JavaThread* thread, const std::string& name) MAY_SAFEPOINT {
  HandleScope scope(thread);
  Method* get_loader = find_method(well_known::ClassLoader_class, Symbol::intern("getSystemClassLoader"),
                                   Symbol::intern("()Ljava/lang/ClassLoader;"));
  Object* loader = object_of(call_java(thread, get_loader, {}));
  if (has_exception(thread)) return nullptr;
  std::string internal = name;
  std::replace(internal.begin(), internal.end(), '.', '/');
  return find_class_or_throw(thread, Symbol::intern(internal), loader_data_of(thread, loader));
}

// Resolves the classes in the signatures of all public methods: Class.getMethod makes an object of each public method
// of a class that it searches, which needs these classes.
bool resolve_public_signatures(JavaThread* thread, const InstanceKlass* holder) MAY_SAFEPOINT {
  for (u32 i = 0; i < holder->method_count; ++i) {
    const Method* method = holder->methods[i];
    if ((method->access_flags & access::Public) == 0 || method->name->starts_with("<")) continue;
    if (!indy::resolve_types_of(thread, method->descriptor->text(), holder->loader)) return false;
    for (u16 k = 0; k < method->checked_exception_count; ++k) {
      if (resolve_class(thread, method->constants->class_name(method->checked_exceptions[k]), holder->loader) ==
          nullptr)
        return false;
    }
  }
  return true;
}

// Searches the main method as Class.getMethod does: public methods are inherited. Null, perhaps with a pending
// exception.
Method* find_main(JavaThread* thread, Klass* klass) MAY_SAFEPOINT {
  Method* any_return = nullptr;
  for (Klass* k = klass; k != nullptr; k = k->super) {
    InstanceKlass* holder = k->as_instance();
    if (!resolve_public_signatures(thread, holder)) return nullptr;
    for (u32 i = 0; i < holder->method_count; ++i) {
      Method* method = holder->methods[i];
      if (method->name != names::main || (method->access_flags & access::Public) == 0) continue;
      if (method->descriptor == names::main_descriptor) return method;
      if (any_return == nullptr && method->descriptor->starts_with("([Ljava/lang/String;)")) any_return = method;
    }
  }
  return any_return;
}

// Searches the main method of a source file's class: only methods that the class itself declares.
Method* find_declared_main(Klass* klass) {
  InstanceKlass* holder = klass->as_instance();
  for (u32 i = 0; i < holder->method_count; ++i) {
    Method* method = holder->methods[i];
    if (method->name == names::main && method->descriptor->starts_with("([Ljava/lang/String;)")) return method;
  }
  return nullptr;
}

bool is_linkage_error(const Klass* klass) {
  static const Symbol* linkage_error = Symbol::intern("java/lang/LinkageError");
  while (klass != nullptr && klass->name != linkage_error) klass = klass->super;
  return klass != nullptr;
}

// Loads the main class from the class path. Null: `problem` has java's text, and `advice` an additional line of
// Keyhole's or nothing. Exceptions that java's launcher does not expect stay pending.
Klass* main_class_on_class_path(JavaThread* thread, const Program& program, std::string& problem, std::string& advice,
                                Handle exception_why) MAY_SAFEPOINT {
  std::string class_name = program.main_class;
  std::replace(class_name.begin(), class_name.end(), '/', '.');
  Klass* klass = load_main_class(thread, class_name);
  if (klass != nullptr) return klass;
  std::string_view exception = thread->pending_exception->klass()->name->text();
  bool not_found = exception == "java/lang/ClassNotFoundException" || exception == "java/lang/NoClassDefFoundError";
  if (!not_found && !is_linkage_error(thread->pending_exception->klass())) {
    complain("Error: A JNI error has occurred, please check your installation and try again");
    return nullptr;
  }
  advice = newer_library_line(thread->pending_exception);
  std::string cause = describe_exception(thread, exception_why);
  problem = not_found
                ? fmt::format("Error: Could not find or load main class {}\nCaused by: {}", class_name, cause)
                : fmt::format("Error: LinkageError occurred while loading main class {}\n\t{}", class_name, cause);
  return nullptr;
}

// Calls a static method of a library class, which only the launcher calls.
Slot call_static(JavaThread* thread, std::string_view class_name, std::string_view name, std::string_view descriptor,
                 std::span<const Slot> arguments) MAY_SAFEPOINT {
  Klass* klass = resolve_class(thread, Symbol::intern(class_name), boot_loader());
  if (klass == nullptr || !initialize_class(thread, klass->as_instance())) return {};
  Method* method = find_method(klass, Symbol::intern(name), Symbol::intern(descriptor));
  KEYHOLE_CHECK(method != nullptr, "{} has no method {}{}", class_name, name, descriptor);
  return call_java(thread, method, arguments);
}

// Loads the main class of a module. Null: `problem` has java's text.
Klass* main_class_of_module(JavaThread* thread, const Program& program, std::string& problem, Handle exception_why)
    MAY_SAFEPOINT {
  usize slash = program.main_class.find('/');
  std::string module = program.main_class.substr(0, slash);
  std::string class_name = slash == std::string::npos ? "" : program.main_class.substr(slash + 1);
  HandleScope scope(thread);
  Handle module_text = scope.make(make_string_utf8(thread, module));
  if (!module_text) return nullptr;
  if (class_name.empty()) {
    Slot of[] = {slot_of(module_text)};
    Object* named = object_of(
        call_static(thread, "java/lang/ModuleLayer", "mainClassName", "(Ljava/lang/String;)Ljava/lang/String;", of));
    if (has_exception(thread)) return nullptr;
    if (named == nullptr) {
      problem =
          fmt::format("module {} does not have a ModuleMainClass attribute, use -m <module>/<main-class>", module);
      return nullptr;
    }
    class_name = string_to_utf8(named);
  }
  Handle class_text = scope.make(make_string_utf8(thread, class_name));
  if (!class_text) return nullptr;
  Slot which[] = {slot_of(module_text), slot_of(class_text)};
  Object* mirror = object_of(call_static(thread, "java/lang/ModuleLayer", "mainClass",
                                         "(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/Class;", which));
  if (has_exception(thread)) {
    problem = fmt::format("Error: Unable to load main class {} in module {}\n{}{}", class_name, module,
                          release::before_reason_of_main_class(), describe_exception(thread, exception_why));
    return nullptr;
  }
  if (mirror == nullptr)
    problem = fmt::format("Error: Could not find or load main class {} in module {}", class_name, module);
  return mirror == nullptr ? nullptr : klass_of_mirror(mirror);
}

}  // namespace

void print_exception_of_main(JavaThread* thread) { print_exception_of(thread, "main"); }

int run_program(JavaThread* thread, const Program& program) {
  std::string problem, advice;
  HandleScope scope(thread);
  Handle why = scope.make(nullptr);  // the exception that kept the main class from being found
  Klass* klass = program.in_module ? main_class_of_module(thread, program, problem, why)
                                   : main_class_on_class_path(thread, program, problem, advice, why);
  if (klass == nullptr && has_exception(thread)) return 1;
  if (klass == nullptr) {
    complain(problem);
    if (program.shows_traces && why) print_stack_trace(thread, why);
    print_text(stderr, "{}", advice);
    return 1;
  }
  std::string dotted = klass->name->dotted();
  // Links the class now, because java does so to get its methods.
  bool is_linked = link_class(thread, klass->as_instance());
  bool takes_declared = program.from_source_file && !library_has_instance_main();
  Method* method = !is_linked ? nullptr : takes_declared ? find_declared_main(klass) : find_main(thread, klass);
  bool is_plain = method != nullptr && method->is_static() && method->descriptor == names::main_descriptor;
  bool is_free = is_linked && !is_plain && !has_exception(thread) && library_has_instance_main();
  if (is_free) method = find_instance_main(thread, klass);
  if (has_exception(thread)) {
    advice = newer_library_line(thread->pending_exception);
    std::string cause = describe_exception(thread, why);
    complain(fmt::format("Error: Unable to initialize main class {}\nCaused by: {}", dotted, cause));
    if (program.shows_traces) print_stack_trace(thread, why);
    print_text(stderr, "{}", advice);
    return 1;
  }
  std::optional<MainProblem> reason;
  if (method == nullptr) reason = MainProblem::Missing;
  else if (is_free && !method->is_static()) reason = problem_of_instance_main(klass);
  else if (!method->is_static() || (takes_declared && (method->access_flags & access::Public) == 0))
    reason = MainProblem::NotStatic;
  else if (method->return_type != BasicType::Void) reason = MainProblem::NotVoid;
  if (reason) return complain(text_of(*reason, dotted, program.from_source_file));
  if (program.dry_run) return 0;
  if (controlled::is_on()) {
    {
      BlockedScope blocked(thread);
      controlled::settle();
    }
    if (controlled::context.before_program != nullptr) controlled::context.before_program();
    controlled::explore();
  }

  const std::vector<std::string>& arguments = program.arguments;
  Klass* string_array = array_klass_of(thread, well_known::String_class);
  if (string_array == nullptr) return 1;
  Handle array = scope.make(heap::allocate_array(thread, string_array, static_cast<i32>(arguments.size())));
  if (!array) return throw_out_of_memory(thread, "Java heap space"), 1;
  for (usize i = 0; i < arguments.size(); ++i) {
    Object* text = make_string_utf8(thread, arguments[i]);
    if (text == nullptr) return 1;
    barrier::store_element(array.get(), static_cast<i32>(i), text);
  }
  if (is_free) {
    call_instance_main(thread, klass, method, array);
    return has_exception(thread) ? 1 : 0;
  }
  if (!initialize_class(thread, method->holder)) return 1;
  Slot slots[] = {slot_of(array)};
  call_java(thread, method, slots);
  return has_exception(thread) ? 1 : 0;
}

int list_modules(JavaThread* thread) {
  call_static(thread, "sun/launcher/LauncherHelper", "listModules", "()V", {});
  return has_exception(thread) ? 1 : 0;
}

int describe_module(JavaThread* thread, const std::string& name) {
  HandleScope scope(thread);
  Handle text = scope.make(make_string_utf8(thread, name));
  if (!text) return 1;
  Slot arguments[] = {slot_of(text)};
  call_static(thread, "sun/launcher/LauncherHelper", "describeModule", "(Ljava/lang/String;)V", arguments);
  return has_exception(thread) ? 1 : 0;
}

bool start_agent_of_jar(JavaThread* thread, const std::string& jar_file) {
  HandleScope scope(thread);
  Handle jar = scope.make(make_string_utf8(thread, jar_file));
  Slot arguments[] = {slot_of(jar)};
  if (jar) call_static(thread, "sun/instrument/InstrumentationImpl", "loadAgent", "(Ljava/lang/String;)V", arguments);
  if (!has_exception(thread)) return true;
  print_exception_of_main(thread);
  complain(fmt::format("error loading java agent in {}", jar_file));
  return false;
}

void show_settings(JavaThread* thread, const std::string& option) {
  HandleScope scope(thread);
  Handle text = scope.make(make_string_utf8(thread, option));
  if (!text) return;
  // Sizes that were not given are 0, as in java's launcher.
  i64 initial = static_cast<i64>(flags::InitialHeapSize), maximum = static_cast<i64>(flags::MaxHeapSize),
      stack = flags::ThreadStackSize * 1024;
  Slot arguments[] = {slot_of(i32{1}), slot_of(text), 0, slot_of(initial), 0, slot_of(maximum), 0, slot_of(stack)};
  call_static(thread, "sun/launcher/LauncherHelper", "showSettings", "(ZLjava/lang/String;JJJ)V", arguments);
}

RunnableJar read_runnable_jar(const std::string& jar_file, const std::string& wanted_home) {
  if (::access(jar_file.c_str(), R_OK) != 0)
    return {"", false, fmt::format("Error: Unable to access jarfile {}", jar_file)};
  ZipArchive archive;
  bool is_open = archive.open(jar_file, ZipArchive::Access::read).empty() &&
                 !(archive.has_odd_field() && home_is_within(find_library(wanted_home), first_strict_release, ~0u));
  JarManifest manifest = JarManifest::of(archive);
  if (!launcher_accepts(jar_file)) return {"", false, fmt::format("Error: Invalid or corrupt jarfile {}", jar_file)};
  if (!is_open || manifest.is_damaged() || manifest.is_malformed())
    return {"", false, fmt::format("Error: An unexpected error occurred while trying to open file {}", jar_file)};
  std::string main_class(manifest.value("main-class"));
  if (main_class.empty()) return {"", false, fmt::format("no main manifest attribute, in {}", jar_file)};
  return {main_class, !manifest.value("launcher-agent-class").empty(), ""};
}

}  // namespace keyhole
