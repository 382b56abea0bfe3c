// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Starts and ends the VM, step by step.
#include "vm/launcher/vm.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>

#include "classlib/natives/java.base/lang/assertions.h"
#include "classlib/natives/java.base/lang/recorded_synchronizer.h"
#include "classlib/natives/java.base/lang/system_properties.h"
#include "classlib/natives/java.base/lang/thread_lifecycle.h"
#include "classlib/natives/java.base/misc/signal.h"
#include "classlib/natives/java.instrument/agents.h"
#include "classlib/natives/natives.h"
#include "classlib/natives/thread_fields.h"
#include "gc/barrier.h"
#include "gc/heap/heap.h"
#include "jit/baseline/baseline.h"
#include "jit/code/listings.h"
#include "jit/code/policy.h"
#include "jit/optimised/tier.h"
#include "runtime/base/flags.h"
#include "runtime/base/log.h"
#include "runtime/base/print.h"
#include "runtime/base/process/perf_data.h"
#include "runtime/recorder/recorder.h"
#include "runtime/sync/lock_statistics.h"
#include "runtime/sync/synchronizer.h"
#include "runtime/threads/thread_state.h"
#include "runtime/threads/threads.h"
#include "vm/classfile/class_path.h"
#include "vm/interpreter/interpreter.h"
#include "vm/interpreter/method_data.h"
#include "vm/launcher/crash_report.h"
#include "vm/launcher/launch.h"
#include "vm/launcher/newer_library.h"
#include "vm/launcher/signals.h"
#include "vm/link/exceptions.h"
#include "vm/link/java_call.h"
#include "vm/link/release_behaviour.h"
#include "vm/link/well_known.h"
#include "vm/tools/attach/listener.h"
#include "vm/tools/attach/management_agent.h"
#include "vm/tools/attach/perf_counters.h"
#include "vm/tools/inspect/heap_inspection.h"
#include "vm/tools/inspect/thread_dump.h"
#include "vm/tools/jdwp/agent.h"
#include "vm/tools/recording/execution_sampler.h"
#include "vm/tools/recording/session.h"
#include "vm/tools/version.h"
#include "vm/verify/verifier.h"

namespace keyhole {
namespace {

// Finds a class during the start, by name and once each. Code that runs repeatedly uses rows of well_known.def.
InstanceKlass* boot_class(JavaThread* thread, std::string_view name) MAY_SAFEPOINT {
  Klass* klass = resolve_class(thread, Symbol::intern(name), boot_loader());
  return klass == nullptr || !initialize_class(thread, klass->as_instance()) ? nullptr : klass->as_instance();
}

Method* boot_method(InstanceKlass* klass, std::string_view name, std::string_view descriptor) {
  Method* method = find_method(klass, Symbol::intern(name), Symbol::intern(descriptor));
  KEYHOLE_CHECK(method != nullptr, "{} has no method {}{}", klass->name->text(), name, descriptor);
  return method;
}

bool call_boot_static(JavaThread* thread, std::string_view class_name, std::string_view name) MAY_SAFEPOINT {
  KEYHOLE_LOG(info, startuptime, "{}.{}", class_name, name);
  InstanceKlass* klass = boot_class(thread, class_name);
  if (klass == nullptr) return false;
  call_java(thread, boot_method(klass, name, "()V"), {});
  return !has_exception(thread);
}

// Step 2: the two thread groups and the Thread object of the calling thread.
bool make_main_thread_object(JavaThread* thread) MAY_SAFEPOINT {
  using namespace well_known;
  HandleScope scope(thread);
  if (!initialize_class(thread, ThreadGroup_class)) return false;

  Handle system_group = scope.make(heap::allocate_instance(thread, ThreadGroup_class));
  if (!system_group) return throw_out_of_memory(thread, "Java heap space");
  Slot one[] = {slot_of(system_group)};
  call_java(thread, boot_method(ThreadGroup_class, "<init>", "()V"), one);
  if (has_exception(thread)) return false;

  Handle main_text = scope.make(make_string(thread, "main"));
  Handle main_group = scope.make(heap::allocate_instance(thread, ThreadGroup_class));
  if (!main_text || !main_group) return throw_out_of_memory(thread, "Java heap space");
  Slot group_arguments[] = {slot_of(main_group), slot_of(system_group), slot_of(main_text)};
  call_java(thread, boot_method(ThreadGroup_class, "<init>", "(Ljava/lang/ThreadGroup;Ljava/lang/String;)V"),
            group_arguments);
  if (has_exception(thread)) return false;

  Object* object = heap::allocate_instance(thread, Thread_class);
  if (object == nullptr) return throw_out_of_memory(thread, "Java heap space");
  object->set<i64>(Thread_eetop, reinterpret_cast<i64>(thread));
  if (Thread_priority != 0) object->set<i32>(Thread_priority, 5);  // the constructor reads the current thread's
  thread_fields::set_status(object, JavaThreadStatus::Runnable);
  thread->thread_object = thread->current_object = object;  // from now on Thread.currentThread() returns it
  if (!initialize_class(thread, Thread_class)) return false;

  Slot thread_arguments[] = {slot_of(thread->thread_object), slot_of(main_group), slot_of(main_text)};
  call_java(thread, boot_method(Thread_class, "<init>", "(Ljava/lang/ThreadGroup;Ljava/lang/String;)V"),
            thread_arguments);
  if (has_exception(thread)) return false;
  thread_fields::set_status(thread->thread_object, JavaThreadStatus::Runnable);
  return true;
}

// The values of --patch-module module=path, as module_options.cpp has stored them.
std::vector<std::pair<std::string, std::string>> patches_of(const StartOptions& options) {
  std::vector<std::pair<std::string, std::string>> patches;
  for (const auto& [property, value] : options.properties) {
    usize equals = value.find('=');
    if (property.starts_with("jdk.module.patch.") && equals != std::string::npos)
      patches.emplace_back(value.substr(0, equals), value.substr(equals + 1));
  }
  return patches;
}

bool names_modules(const StartOptions& options) {
  return std::any_of(options.properties.begin(), options.properties.end(),
                     [](const auto& property) { return property.first.starts_with("jdk.module."); });
}

// Is System.initPhase3 needed? Where it prepares for security managers it takes 0.3 ms of a start, and without these
// properties it does no more than Module.bootLoaders.
bool needs_phase_3(const StartOptions& options) {
  auto matters = [](const auto& property) {
    return property.first == "java.security.manager" || property.first == "java.system.class.loader";
  };
  return !release::prepares_for_security_managers() || std::ranges::any_of(options.properties, matters);
}

bool boot_java_base(JavaThread* thread, const StartOptions& options) MAY_SAFEPOINT {
  using namespace well_known;
  if (!load(thread)) return false;
  if (recorder::replaces_fast_paths() && !natives::record_synchronizers(thread)) return false;
  if (!initialize_class(thread, String_class) || !initialize_class(thread, System_class) ||
      !initialize_class(thread, Class_class)) {
    return false;
  }
  if (!initialize_exceptions(thread)) return false;  // the errors for exhausted memory
  if (!make_main_thread_object(thread)) return false;
  // ReflectionFactory copies an object that AccessibleObject's initialiser installs, so that initialiser runs first,
  // whatever class Java code uses first.
  if (boot_class(thread, "java/lang/reflect/Method") == nullptr) return false;
  if (boot_class(thread, "java/lang/ref/Finalizer") == nullptr) return false;
  if (!call_boot_static(thread, "java/lang/System", "initPhase1")) return false;
  if (!initialize_thrown_classes(thread)) return false;
  if (!start_signal_dispatcher(thread)) return false;  // initPhase1 has installed it for SIGTERM and others
  if (!attach::initialize_listener(thread)) return false;
  if (!call_boot_static(thread, "java/lang/Module", "boot")) return false;
  if (names_modules(options) && !call_boot_static(thread, "java/lang/ModuleLayer", "bootAsCommanded")) return false;
  if (needs_phase_3(options)) return call_boot_static(thread, "java/lang/System", "initPhase3");
  if (System_initial_error != 0)  // only in 17: later initPhase1 sets the field
    barrier::store(System_class->mirror, System_initial_error, System_class->mirror->get_reference(System_err));
  return call_boot_static(thread, "java/lang/Module", "bootLoaders");
}

// Aborts, as java does, because the premain of an agent on the command line failed.
[[noreturn]] void die_of_agent(JavaThread* thread) MAY_SAFEPOINT {
  print_exception_of_main(thread);
  print_text("FATAL ERROR in native method: processing of -javaagent failed, processJavaStart failed\n");
  fflush(nullptr);
  signal(SIGABRT, SIG_DFL);  // the VM itself is well: no crash report
  abort();
}

// Raises the limit to its maximum. Processes that the program starts inherit it.
void raise_limit_of_open_files() {
  rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

}  // namespace

JavaThread* start_vm(const StartOptions& options) {
  names::initialize();
  if (flags::MaxFDLimit) raise_limit_of_open_files();
  auto patches = patches_of(options);
  for (usize i = 0; i < patches.size(); ++i) {
    auto same = [&](const auto& other) { return other.first == patches[i].first; };
    if (std::find_if(patches.begin(), patches.begin() + static_cast<long>(i), same) ==
        patches.begin() + static_cast<long>(i))
      continue;
    print_text("Error occurred during initialization of VM\nCannot specify {} more than once to --patch-module\n",
               patches[i].first);
    return nullptr;
  }
  if (std::string problem = initialize_boot_path({.java_home = options.java_home, .patches = patches});
      !problem.empty()) {
    print_text("Error occurred during initialization of VM\n{}\n", problem);
    return nullptr;
  }
  if (!options.boot_class_path.empty()) append_to_boot_path(options.boot_class_path);
  if (options.has_class_path) application_class_path().append(options.class_path);
  if (std::string problem = natives::read_agents(options.agents); !problem.empty()) {
    print_text(stderr, "{}\n", problem);
    print_text("Error occurred during initialization of VM\n{}: instrument\n", release::failed_agent());
    return nullptr;
  }
  bool wants_help = false;
  if (std::string problem = jdwp::read_options(options.debuggers, wants_help); !problem.empty()) {
    print_text(stderr, "{}", problem);
    if (options.debuggers.size() > 1) {
      print_text("Error occurred during initialization of VM\n{}: jdwp\n", release::failed_agent());
    }
    return nullptr;
  }
  natives::reduces_signal_usage = options.reduces_signal_usage;
  natives::set_assertion_options(options.assertions);
  natives::set_system_properties(options.properties, options.class_path, options.command);
  natives::set_runtime_arguments(options.vm_arguments);
  if (std::string problem = recording::begin(); !problem.empty()) {
    print_text("Error occurred during initialization of VM\n{}\n", problem);
    return nullptr;
  }
  if (std::string problem = sync::initialize(); !problem.empty()) {
    print_text("Error occurred during initialization of VM\n{}\n", problem);
    return nullptr;
  }
  if (std::string problem = heap::initialize(); !problem.empty()) {
    print_text("Error occurred during initialization of VM\n{}\n", problem);
    return nullptr;
  }
  if (!options.code_listings.empty()) {
    usize colon = std::min(options.code_listings.find(':'), options.code_listings.size());
    std::string pattern = options.code_listings.substr(std::min(colon + 1, options.code_listings.size()));
    if (std::string problem = listings::start(options.code_listings.substr(0, colon), pattern); !problem.empty()) {
      print_text("Error occurred during initialization of VM\n--code-listings: {}\n", problem);
      return nullptr;
    }
  }
  optimised::initialize();
  if (std::string problem = baseline::initialize(); !problem.empty()) {
    print_text("Error occurred during initialization of VM\n{}\n", problem);
    return nullptr;
  }
  if (flags::PrintCommandLineFlags) print_text("{}\n", flags::command_line_text());
  if (flags::PrintFlagsFinal) flags::print_final();
  verify::initialize();
  natives::initialize();
  interpreter::initialize();
  if (flags::UsePerfData && !flags::PerfDisableSharedMem) perf_data::open_file();
  JavaThread* thread = threads::attach_current(false, false, threads::default_java_stack_bytes());
  if (thread == nullptr) {
    print_text("Error occurred during initialization of VM\nCannot create the main thread\n");
    return nullptr;
  }
  thread_state::assert_managed(thread);  // attach_current has left it managed
  install_crash_report(options.command_on_error);
  tiers::start(thread);
  recording::start_execution_sampler(thread);
  if (!boot_java_base(thread, options)) {
    print_text("Error occurred during initialization of VM\n");
    HandleScope scope(thread);
    if (has_exception(thread)) print_throwable(thread, scope.make(take_exception(thread)), stdout);
    print_text("\n");
    fflush(stdout);
    return nullptr;
  }
  enable_heap_inspection();
  add_diagnostic_commands();
  recording::add_commands();
  attach::add_management_agent_commands();
  if (flags::UsePerfData) attach::publish_perf_counters(options.command);
  KEYHOLE_LOG(info, startuptime, "booted, {} classes", klass_count());
  if (!jdwp::start(thread, {options.class_path, class_library_version()})) {
    HandleScope scope(thread);
    print_throwable(thread, scope.make(take_exception(thread)));
    return nullptr;
  }
  if (!options.agents.empty() && !natives::start_agents(thread)) die_of_agent(thread);
  if (attach::wants_management_agent(options.properties) && !attach::start_management_agent(thread)) {
    HandleScope scope(thread);
    print_throwable(thread, scope.make(take_exception(thread)));
    return nullptr;
  }
  return thread;
}

void remove_files_of_process() {
  perf_data::remove_file();
  attach::remove_socket();
}

void report_the_end(JavaThread* thread) {
  jdwp::vm_dies(thread);
  recording::end(thread);
  heap::report_at_exit(thread);
  baseline::shutdown();
  optimised::log_exits();
  optimised::save_image();
  if (flags::PrintLockStatistics) sync::statistics::print(stdout);
  if (!flags::LockStatisticsFile.empty()) sync::statistics::write(flags::LockStatisticsFile);
  if (flags::PrintMethodData) interpreter::print_method_data();
  remove_files_of_process();
}

int stop_vm(JavaThread* thread, int exit_code) {
  std::string advice;
  if (has_exception(thread)) exit_code = 1, advice = newer_library_line(thread->pending_exception);
  HandleScope scope(thread);
  Handle main = scope.make(thread->thread_object);
  Handle group = scope.make(main ? thread_fields::group(main.get()) : nullptr);
  natives::end_java_thread(thread);
  print_text(stderr, "{}", advice);
  wait_for_non_daemon_threads(thread);
  report_deadlocks_at_exit(thread);
  // The thread that runs the shutdown hooks must be alive, as in java, because virtual threads need that.
  if (group && natives::become_java_thread(thread, group, "DestroyJavaVM")) {
    threads::count_in(thread);
  } else {
    if (has_exception(thread)) take_exception(thread);
    thread->thread_object = thread->current_object = main.get();
  }
  call_boot_static(thread, "java/lang/Shutdown", "shutdown");
  if (has_exception(thread)) take_exception(thread);
  thread->thread_object = thread->current_object = main.get();  // reports name it so
  report_the_end(thread);
  fflush(nullptr);
  return exit_code;
}

}  // namespace keyhole
