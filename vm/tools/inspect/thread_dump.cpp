// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Implements thread dumps and deadlock detection. At a safepoint it formats all data as text, which it prints
// afterwards.
#include "vm/tools/inspect/thread_dump.h"

#include <fmt/chrono.h>
#include <time.h>
#include <array>

#include <cstdio>
#include <vector>

#include "classlib/natives/java.base/lang/thread_waits.h"
#include "classlib/natives/java.management/diagnostic_commands.h"
#include "classlib/natives/thread_fields.h"
#include "gc/heap/heap.h"
#include "jit/code/policy.h"
#include "runtime/base/execution_mode.h"
#include "runtime/base/flags.h"
#include "runtime/sync/synchronizer.h"
#include "runtime/threads/safepoint.h"
#include "runtime/threads/threads.h"
#include "vm/frames/layout/virtual_frame.h"
#include "vm/link/linker.h"
#include "vm/link/loading/loader_names.h"
#include "vm/link/release_behaviour.h"
#include "vm/link/strings.h"
#include "vm/link/well_known.h"
#include "vm/tools/version.h"

namespace keyhole {

namespace {

// Names that a thread dump needs. Must be looked up before the world is stopped.
struct Names {
  std::string version;  // of the class library
  natives::WaitNames waits;
};

Names look_up_names() { return {class_library_version(), natives::wait_names()}; }

// --- what a thread does, world stopped -------------------------------------------------------------------------------

std::string name_of(const JavaThread* thread) TOUCHES_OBJECTS {
  if (thread->thread_object == nullptr) return thread->vm_name != nullptr ? thread->vm_name : "Unknown thread";
  Object* name = thread->thread_object->get_reference(well_known::Thread_name);
  return name == nullptr ? "null" : string_to_utf8(name);
}

const char* activity(const JavaThread* thread) {
  if (thread->waiting_on.load(std::memory_order_relaxed) != nullptr) return "in Object.wait()";  // a notified one, too
  switch (thread->status.load(std::memory_order_relaxed)) {
    case JavaThreadStatus::Sleeping:
    case JavaThreadStatus::Parked:
    case JavaThreadStatus::ParkedTimed: return "waiting on condition";
    case JavaThreadStatus::InObjectWait:
    case JavaThreadStatus::InObjectWaitTimed: return "in Object.wait()";
    case JavaThreadStatus::BlockedOnMonitorEnter: return "waiting for monitor entry";
    default: return "runnable";
  }
}

const char* java_state(const JavaThread* thread) {
  switch (thread->status.load(std::memory_order_relaxed)) {
    case JavaThreadStatus::New: return "NEW";
    case JavaThreadStatus::Runnable: return "RUNNABLE";
    case JavaThreadStatus::Sleeping: return "TIMED_WAITING (sleeping)";
    case JavaThreadStatus::InObjectWait: return "WAITING (on object monitor)";
    case JavaThreadStatus::InObjectWaitTimed: return "TIMED_WAITING (on object monitor)";
    case JavaThreadStatus::Parked: return "WAITING (parking)";
    case JavaThreadStatus::ParkedTimed: return "TIMED_WAITING (parking)";
    case JavaThreadStatus::BlockedOnMonitorEnter: return "BLOCKED (on object monitor)";
    case JavaThreadStatus::Terminated: return "TERMINATED";
  }
  return "UNKNOWN";
}

// --- frames ----------------------------------------------------------------------------------------------------------

std::string address_of(const Object* object) { return fmt::format("{:#018x}", reinterpret_cast<uptr>(object)); }

// Returns the kind of an object as text: "(a java.lang.Object)", "(a java.lang.Class for Main)".
std::string kind_of(const Object* object) TOUCHES_OBJECTS {
  const Klass* klass = object->klass();
  if (klass->kind == KlassKind::Mirror) {
    if (Klass* mirrored = klass_of_mirror(object))
      return fmt::format("(a java.lang.Class for {})", external_name(mirrored));
  }
  return fmt::format("(a {})", external_name(klass));
}

void append_lock(std::string& out, const char* what, const Object* object) TOUCHES_OBJECTS {
  out += fmt::format("\t- {} <{}> {}\n", what, address_of(object), kind_of(object));
}

void append_frame(std::string& out, const Method* method, i32 bci, const Names& names) TOUCHES_OBJECTS {
  std::string place;
  if (std::string module = module_name(method->holder); !module.empty()) {
    place = module;
    if (module.starts_with("java.") || module.starts_with("jdk.")) place += "@" + names.version;
    place += "/";
  }
  i32 line = method->line_of(static_cast<u32>(bci));
  if (method->is_native()) place += "Native Method";
  else if (method->holder->source_file == nullptr) place += "Unknown Source";
  else if (line < 0) place += method->holder->source_file->string();
  else place += fmt::format("{}:{}", method->holder->source_file->text(), line);
  out += fmt::format("\tat {}.{}({})\n", external_name(method->holder), method->name->text(), place);
}

void append_frames(std::string& out, JavaThread* thread, const Names& names) TOUCHES_OBJECTS {
  Object* blocked = sync::blocked_on(thread);
  Object* waiting = sync::waiting_on(thread);
  u32 records_end = thread->lock_record_top;
  bool innermost = true;
  for (const VirtualFrame& activation : virtual_frames(thread)) {
    append_frame(out, activation.method(), activation.bci(), names);
    // Object.wait is a native method; in later libraries, its native part is `wait0`. Object's other native methods do
    // not wait.
    bool in_wait = innermost && activation.is_native() && activation.method()->name->text().starts_with("wait") &&
                   activation.method()->holder == well_known::Object_class;
    if (innermost) {
      if (in_wait && blocked != nullptr) append_lock(out, "waiting to re-lock in wait()", blocked);
      else if (in_wait && waiting != nullptr) append_lock(out, "waiting on", waiting);
      else if (blocked != nullptr) append_lock(out, "waiting to lock", blocked);
      else if (Object* blocker = natives::park_blocker(thread, names.waits)) {
        out +=
            fmt::format("\t- parking to wait for  <{}> (a {})\n", address_of(blocker), external_name(blocker->klass()));
      }
    }
    for (u32 i = records_end; i > activation.lock_record_base(); --i) {
      Object* object = thread->lock_records[i - 1].object;
      // Skips the lock record of the lock that the thread waits for. This record exists already, but the thread does
      // not hold the lock.
      if (object == nullptr || (innermost && !in_wait && object == blocked)) continue;
      append_lock(out, "locked", object);
    }
    records_end = activation.lock_record_base();
    innermost = false;
  }
}

// Lists the thread's java.util.concurrent locks as HotSpot's jstack -l does.
void append_synchronizers(std::string& out, const JavaThread* thread,
                          const std::vector<natives::HeldSynchronizer>& held) TOUCHES_OBJECTS {
  out += "\n   Locked ownable synchronizers:\n";
  usize before = out.size();
  for (const natives::HeldSynchronizer& each : held)
    if (each.owner == thread) out += fmt::format("\t- <{}> {}\n", address_of(each.object), kind_of(each.object));
  if (out.size() == before) out += "\t- None\n";
}

void append_thread(std::string& out, JavaThread* thread, const Names& names,
                   const std::vector<natives::HeldSynchronizer>* held) TOUCHES_OBJECTS {
  out += fmt::format("\"{}\"", name_of(thread));
  if (Object* object = thread->thread_object) {
    out += fmt::format(" #{}", object->get<i64>(well_known::Thread_tid));
    if (release::shows_system_thread_twice()) out += fmt::format(" [{}]", thread->carrier->os_id);
    if (thread->daemon) out += " daemon";
    out += fmt::format(" prio={}", thread_fields::priority(object));
  }
  f64 elapsed_seconds = static_cast<f64>(hardware::now_nanoseconds() - thread->start_nanoseconds) / 1e9;
  std::string system_thread =
      fmt::format(fmt::runtime(release::shows_system_thread_twice() ? "{}" : "{:#x}"), thread->carrier->os_id);
  out += fmt::format(" os_prio=0 cpu={:.2f}ms elapsed={:.2f}s tid={:#018x} nid={} {}  ",
                     static_cast<f64>(natives::cpu_nanoseconds(thread)) / 1e6, elapsed_seconds,
                     reinterpret_cast<uptr>(thread), system_thread, activity(thread));
  if (thread->thread_object == nullptr) {
    out += "\n\n";
    return;
  }
  uptr stack = thread->top_frame == nullptr ? 0 : reinterpret_cast<uptr>(thread->top_frame) & ~uptr{0xFFF};
  out += fmt::format("[{:#018x}]\n   java.lang.Thread.State: {}\n", stack, java_state(thread));
  append_frames(out, thread, names);
  if (held != nullptr) append_synchronizers(out, thread, *held);
  out += "\n";
}

// --- deadlocks -------------------------------------------------------------------------------------------------------

std::string describe_deadlocks(const Names& names) TOUCHES_OBJECTS {
  std::string out;
  std::vector<std::vector<natives::Wait>> cycles = natives::find_cycles(names.waits);
  for (const std::vector<natives::Wait>& cycle : cycles) {
    out += "\nFound one Java-level deadlock:\n=============================\n";
    for (const natives::Wait& wait : cycle) {
      out += fmt::format("\"{}\":\n", name_of(wait.thread));
      if (wait.is_monitor) {
        out += fmt::format("  waiting to lock monitor {:#018x} (object {}, a {}),\n",
                           reinterpret_cast<uptr>(sync::lock_identity(wait.object)), address_of(wait.object),
                           external_name(wait.object->klass()));
      } else {
        out +=
            fmt::format("  waiting for ownable synchronizer {}, {},\n", address_of(wait.object), kind_of(wait.object));
      }
      out += fmt::format("  which is held by \"{}\"\n\n", name_of(wait.owner));
    }
    out +=
        "Java stack information for the threads listed above:\n===================================================\n";
    for (const natives::Wait& wait : cycle) {
      out += fmt::format("\"{}\":\n", name_of(wait.thread));
      append_frames(out, wait.thread, names);
    }
    out += "\n";
  }
  if (!cycles.empty()) out += fmt::format("Found {} deadlock{}.\n\n", cycles.size(), cycles.size() == 1 ? "" : "s");
  return out;
}

void print(const std::string& text) {
  fwrite(text.data(), 1, text.size(), stdout);
  fflush(stdout);
}

}  // namespace

std::string thread_dump(JavaThread* thread, bool with_synchronizers) {
  Names names = look_up_names();
  std::time_t now = std::time(nullptr);
  std::string out = fmt::format("{:%Y-%m-%d %H:%M:%S}\nFull thread dump Keyhole 64-Bit VM ({} {}):\n\n",
                                fmt::localtime(now), names.version, execution_mode());
  auto dump = [&]() TOUCHES_OBJECTS {
    std::vector<JavaThread*> all = natives::threads_by_age();
    std::vector<natives::HeldSynchronizer> held;
    if (with_synchronizers) held = natives::held_synchronizers(names.waits);
    for (JavaThread* each : all)
      if (each->thread_object != nullptr) append_thread(out, each, names, with_synchronizers ? &held : nullptr);
    for (JavaThread* each : all)
      if (each->thread_object == nullptr) append_thread(out, each, names, with_synchronizers ? &held : nullptr);
    out += describe_deadlocks(names);
    out += fmt::format("Heap\n keyhole heap   total {}K, used {}K\n Monitors in use: {}\n\n",
                       heap::capacity_bytes() / 1024, heap::used_bytes() / 1024, sync::in_use());
  };
  safepoint::run(thread, "PrintThreads", dump);
  return out;
}

std::string find_deadlocks(JavaThread* thread) {
  Names names = look_up_names();
  std::string out;
  auto find = [&]() TOUCHES_OBJECTS { out = describe_deadlocks(names); };
  safepoint::run(thread, "FindDeadlocks", find);
  return out;
}

static std::string version_text() {
  // As java: feature, interim and update; the patch only if it is not 0, and none of a vendor's further numbers.
  std::array<u32, 4> parts = {};
  sscanf(class_library_version().c_str(), "%u.%u.%u.%u", &parts[0], &parts[1], &parts[2], &parts[3]);
  std::string version = fmt::format("{}.{}.{}", parts[0], parts[1], parts[2]);
  if (parts[3] != 0) version += fmt::format(".{}", parts[3]);
  return fmt::format("Keyhole 64-Bit VM version {}\nJDK {}\n", KEYHOLE_VERSION, version);
}

void add_diagnostic_commands() {
  using natives::DiagnosticArguments;
  natives::add_diagnostic_command(
      {.name = "Compiler.queue",
       .description = "Print methods queued for compilation.",
       .impact = "Low",
       .permission = natives::monitor_permission,
       .run = [](JavaThread*, const DiagnosticArguments&) { return tiers::describe_queue(); }});
  natives::add_diagnostic_command(
      {.name = "Thread.print",
       .description = "Print all threads with stacktraces.",
       .impact = "Medium: Depends on the number of threads.",
       .permission = natives::monitor_permission,
       .run = [](JavaThread* thread, const DiagnosticArguments& arguments)
                  MAY_SAFEPOINT { return thread_dump(thread, arguments.is_on("-l")); },
       .options = {{.name = "-l", .description = "print java.util.concurrent locks", .default_text = "false"}}});
  natives::add_diagnostic_command(
      {.name = "VM.version",
       .description = "Print JVM version information.",
       .impact = "Low",
       .permission = natives::DiagnosticPermission{"java.util.PropertyPermission", "java.vm.version", "read"},
       .run = [](JavaThread*, const DiagnosticArguments&) { return version_text(); }});
}

void report_deadlocks_at_exit(JavaThread* thread) {
  if (flags::DetectDeadlocks) print(find_deadlocks(thread));
}

void wait_for_non_daemon_threads(JavaThread* thread) {
  if (!flags::DetectDeadlocks) {
    threads::wait_until_last_non_daemon(thread);
    return;
  }
  constexpr i64 look_every_nanoseconds = 500'000'000;
  bool reported = false;
  while (!threads::wait_until_last_non_daemon(thread, look_every_nanoseconds)) {
    if (reported) continue;
    std::string text = find_deadlocks(thread);
    reported = !text.empty();
    print(text);
  }
}

}  // namespace keyhole
