// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Makes the output of the commands, in HotSpot's format.
#include "classlib/natives/java.management/vm_commands.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "classlib/natives/java.base/lang/system_properties.h"
#include "classlib/natives/late_bound.h"
#include "classlib/natives/support.h"
#include "gc/heap/heap.h"
#include "gc/inspect/heap_dump.h"
#include "runtime/base/flags.h"
#include "runtime/base/log.h"
#include "runtime/threads/safepoint.h"
#include "vm/link/release_behaviour.h"

namespace keyhole::natives {

namespace {

// Returns the output of `print` as text. Runs it with the world stopped.
std::string printed_at_safepoint(JavaThread* thread, const char* name, void (*print)(FILE*)) MAY_SAFEPOINT {
  char* text = nullptr;
  usize bytes = 0;
  FILE* memory = open_memstream(&text, &bytes);
  if (memory == nullptr) return {};
  auto operation = [&] { print(memory); };
  safepoint::run(thread, name, operation);
  fclose(memory);
  std::string result(text, bytes);
  free(text);
  return result;
}

std::string text_of_bytes(Object* bytes) TOUCHES_OBJECTS {
  if (bytes == nullptr) return {};
  return std::string(reinterpret_cast<const char*>(bytes->elements<u8>()), static_cast<usize>(bytes->length()));
}

// -parallel is only a hint: one thread counts.
std::string histogram_command(JavaThread* thread, const DiagnosticArguments& arguments) MAY_SAFEPOINT {
  return class_histogram(thread, !arguments.is_on("-all"));
}

std::string heap_dump_command(JavaThread* thread, const DiagnosticArguments& arguments) MAY_SAFEPOINT {
  i64 level = arguments.is_given("-gz") ? arguments.number("-gz") : 0;
  if (arguments.is_given("-gz") && (level < 1 || level > 9))
    return fmt::format("Compression level out of range (1-9): {}\n", level);
  return dump_heap_for_tool(thread, *arguments.text("filename"), !arguments.is_on("-all"), level,
                            arguments.is_on("-overwrite"));
}

std::string heap_info(JavaThread* thread, const DiagnosticArguments&) MAY_SAFEPOINT {
  return printed_at_safepoint(thread, "HeapInfo", heap::print_region_table);
}

std::string run_collection(JavaThread* thread, const DiagnosticArguments&) MAY_SAFEPOINT {
  if (!flags::DisableExplicitGC) heap::collect(thread, heap::Cause::SystemGC);
  return {};
}

std::string uptime(JavaThread*, const DiagnosticArguments& arguments) {
  timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  std::tm local;
  localtime_r(&now.tv_sec, &local);
  std::string date = arguments.is_on("-date")
                         ? fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:03}{:%z}: ", local, now.tv_nsec / 1'000'000, local)
                         : "";
  return fmt::format("{}{:.3f} s\n", date,
                     static_cast<f64>(hardware::now_nanoseconds() - log::start_nanoseconds()) / 1e9);
}

std::string flags_text(JavaThread*, const DiagnosticArguments& arguments) {
  return arguments.is_on("-all") ? flags::final_text() : flags::command_line_text() + " \n";
}

std::string set_flag(JavaThread* thread, const DiagnosticArguments& arguments) MAY_SAFEPOINT {
  std::string problem = set_manageable_flag(thread, *arguments.text("flag name"), arguments.text("string value"));
  return problem.empty() ? problem : problem + "\n";
}

std::string command_line(JavaThread*, const DiagnosticArguments&) {
  std::string text = "VM Arguments:\n";
  if (!runtime_arguments().empty()) text += fmt::format("jvm_args: {} \n", joined_runtime_arguments());
  text += fmt::format("java_command: {}\n", java_command().empty() ? "<unknown>" : java_command());
  text += fmt::format("java_class_path (initial): {}\n", java_class_path().empty() ? "<not set>" : java_class_path());
  return text + "Launcher Type: SUN_STANDARD\n";
}

// Uses the library's own ThreadDumper, which also dumps virtual threads and their containers. Its result is a text.
std::string dump_threads_to_file(JavaThread* thread, const DiagnosticArguments& arguments) MAY_SAFEPOINT {
  const auto* row = late::get<late::ThreadDumper>(thread);
  if (row == nullptr || !initialize_class(thread, row->klass)) return {};
  HandleScope scope(thread);
  Handle path = scope.make(make_string_utf8(thread, *arguments.text("filepath")));
  if (path.is_null()) return {};
  Slot given[] = {slot_of(path), slot_of(i32{arguments.is_on("-overwrite")})};
  Method* dump = arguments.text("-format") == "json" ? row->dump_to_json : row->dump;
  return text_of_bytes(object_of(call_java(thread, dump, given)));
}

std::string system_properties(JavaThread* thread, const DiagnosticArguments&) MAY_SAFEPOINT {
  return stored_properties(thread, /*of_agent=*/false);
}

}  // namespace

std::string class_histogram(JavaThread* thread, bool live_objects_only) {
  if (live_objects_only) heap::collect(thread, heap::Cause::HeapDump);
  return printed_at_safepoint(thread, "ClassHistogram", heap::print_class_histogram);
}

std::string dump_heap_for_tool(JavaThread* thread, const std::string& path, bool live_objects_only, i64 gzip_level,
                               bool overwrite) {
  if (overwrite) unlink(path.c_str());
  if (live_objects_only) heap::collect(thread, heap::Cause::HeapDump);
  gc::inspect::DumpResult result;
  std::string outcome = gc::inspect::write_dump_and_report(thread, path, gzip_level, result);
  return fmt::format("Dumping heap to {} ...\n{}", path, outcome);
}

std::string stored_properties(JavaThread* thread, bool of_agent) {
  const auto* row = late::get<late::VMSupport>(thread);
  if (row == nullptr || !initialize_class(thread, row->klass)) return {};
  return text_of_bytes(object_of(call_java(thread, of_agent ? row->agent_properties : row->system_properties, {})));
}

// Adds commands that later libraries have.
static void add_commands_of_release(std::vector<DiagnosticCommand>& commands) {
  using enum ParameterType;
  if (release::dumps_heap_in_parallel()) {
    auto dump =
        std::find_if(commands.begin(), commands.end(), [](const auto& each) { return each.name == "GC.heap_dump"; });
    dump->options.push_back({.name = "-parallel",
                             .description = "Number of parallel threads to use for heap dump. The VM will try to use "
                                            "the specified number of threads, but might use fewer.",
                             .type = integer,
                             .default_text = "1"});
  }
  if (!release::dumps_threads_to_files()) return;
  auto place = std::find_if(commands.begin(), commands.end(), [](const auto& each) { return each.name > "Thread"; });
  commands.insert(
      place,
      {.name = "Thread.dump_to_file",
       .description = "Dump threads, with stack traces, to a file in plain text or JSON format.",
       .impact = "Medium: Depends on the number of threads.",
       .run = dump_threads_to_file,
       .options = {{.name = "-overwrite", .description = "May overwrite existing file", .default_text = "false"},
                   {.name = "-format",
                    .description = "Output format (\"plain\" or \"json\")",
                    .type = text,
                    .default_text = "plain"}},
       .arguments = {
           {.name = "filepath", .description = "The file path to the output file", .type = file, .mandatory = true}}});
}

std::vector<DiagnosticCommand> commands_of_vm() {
  using enum ParameterType;
  std::vector<DiagnosticCommand> commands = {
      {.name = "GC.class_histogram",
       .description = "Provide statistics about the Java heap usage.",
       .impact = "High: Depends on Java heap size and content.",
       .permission = monitor_permission,
       .run = histogram_command,
       .options = {{.name = "-all",
                    .description = "Inspect all objects, including unreachable objects",
                    .default_text = "false"},
                   {.name = "-parallel",
                    .description = "Number of parallel threads to use for heap inspection. 0 (the default) means let "
                                   "the VM determine the number of threads "
                                   "to use. 1 means use one thread (disable parallelism). For any other value the VM "
                                   "will try to use the specified number of "
                                   "threads, but might use fewer.",
                    .type = integer,
                    .default_text = "0"}}},
      {.name = "GC.heap_dump",
       .description = "Generate a HPROF format dump of the Java heap.",
       .impact =
           "High: Depends on Java heap size and content. Request a full GC unless the '-all' option is specified.",
       .permission = monitor_permission,
       .run = heap_dump_command,
       .options = {{.name = "-all",
                    .description = "Dump all objects, including unreachable objects",
                    .default_text = "false"},
                   {.name = "-gz",
                    .description = "If specified, the heap dump is written in gzipped format using the given "
                                   "compression level. 1 (recommended) is the fastest, "
                                   "9 the strongest compression.",
                    .type = integer,
                    .default_text = "1"},
                   {.name = "-overwrite",
                    .description = "If specified, the dump file will be overwritten if it exists",
                    .default_text = "false"}},
       .arguments = {{.name = "filename", .description = "Name of the dump file", .type = file, .mandatory = true}}},
      {.name = "GC.heap_info",
       .description = "Provide generic Java heap information.",
       .impact = "Medium",
       .permission = monitor_permission,
       .run = heap_info},
      {.name = "GC.run",
       .description = "Call java.lang.System.gc().",
       .impact = "Medium: Depends on Java heap size and content.",
       .run = run_collection},
      {.name = "VM.command_line",
       .description = "Print the command line used to start this VM instance.",
       .impact = "Low",
       .permission = monitor_permission,
       .run = command_line},
      {.name = "VM.flags",
       .description = "Print VM flag options and their current values.",
       .impact = "Low",
       .permission = monitor_permission,
       .run = flags_text,
       .options = {{.name = "-all", .description = "Print all flags supported by the VM", .default_text = "false"}}},
      {.name = "VM.set_flag",
       .description = "Sets VM flag option using the provided value.",
       .impact = "Low",
       .permission = control_permission,
       .run = set_flag,
       .arguments = {{.name = "flag name",
                      .description = "The name of the flag we want to set",
                      .type = text,
                      .mandatory = true},
                     {.name = "string value", .description = "The value we want to set", .type = text}}},
      {.name = "VM.system_properties",
       .description = "Print system properties.",
       .impact = "Low",
       .permission = DiagnosticPermission{"java.util.PropertyPermission", "*", "read"},
       .run = system_properties},
      {.name = "VM.uptime",
       .description = "Print VM uptime.",
       .impact = "Low",
       .run = uptime,
       .options = {{.name = "-date", .description = "Add a prefix with current date", .default_text = "false"}}},
  };
  add_commands_of_release(commands);
  return commands;
}

}  // namespace keyhole::natives
