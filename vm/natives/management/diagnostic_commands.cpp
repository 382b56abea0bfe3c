// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// com.sun.management.internal.DiagnosticCommandImpl and HotSpotDiagnostic, and the commands of this floor and those below.
#include "vm/natives/management/diagnostic_commands.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <time.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "gc/heap.h"
#include "gc/inspect/heap_dump.h"
#include "runtime/base/flags.h"
#include "runtime/base/log.h"
#include "runtime/threads/safepoint.h"
#include "vm/natives/declarations.h"
#include "vm/natives/late_bound.h"
#include "vm/natives/support.h"
#include "vm/natives/system_properties.h"

namespace keyhole::natives {

namespace {

// What `print` writes to a file, as text; world stopped meanwhile.
std::string printed_at_safepoint(JavaThread* thread, const char* name, void (*print)(FILE*)) {
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

std::string class_histogram(JavaThread* thread, bool with_unreachable) {
  if (!with_unreachable) heap::collect(thread, heap::Cause::HeapDump);
  return printed_at_safepoint(thread, "ClassHistogram", heap::print_class_histogram);
}
std::string heap_info(JavaThread* thread, bool) { return printed_at_safepoint(thread, "HeapInfo", heap::print_region_table); }
std::string run_collection(JavaThread* thread, bool) {
  if (!flags::DisableExplicitGC) heap::collect(thread, heap::Cause::SystemGC);
  return {};
}
std::string uptime(JavaThread*, bool with_date) {
  timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  std::tm local;
  localtime_r(&now.tv_sec, &local);
  std::string date = with_date ? fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:03}{:%z}: ", local, now.tv_nsec / 1'000'000, local) : "";
  return fmt::format("{}{:.3f} s\n", date, static_cast<f64>(hardware::now_nanoseconds() - log::start_nanoseconds()) / 1e9);
}
std::string flags_text(JavaThread*, bool all) {
  return all ? flags::final_text() : flags::command_line_text() + "\n";
}
std::string command_line(JavaThread*, bool) {
  std::string text = "VM Arguments:\njvm_args:";
  for (const std::string& argument : runtime_arguments()) text += " " + argument;
  return text + "\n";
}
std::string list_of_commands(JavaThread* thread, bool);

std::vector<DiagnosticCommand>& commands() {
  static std::vector<DiagnosticCommand> all = {
      {.name = "GC.class_histogram", .description = "Provide statistics about the Java heap usage.",
       .impact = "High: Depends on Java heap size and content.", .run = class_histogram,
       .option = {{"-all", "Inspect all objects, including unreachable objects"}}},
      {.name = "GC.heap_info", .description = "Provide generic Java heap information.", .impact = "Medium", .run = heap_info},
      {.name = "GC.run", .description = "Call java.lang.System.gc().", .impact = "Medium: Depends on Java heap size and content.",
       .run = run_collection},
      {.name = "VM.command_line", .description = "Print the command line used to start this VM instance.", .impact = "Low",
       .run = command_line},
      {.name = "VM.flags", .description = "Print VM flag options and their current values.", .impact = "Low", .run = flags_text,
       .option = {{"-all", "Print all flags supported by the VM"}}},
      {.name = "VM.uptime", .description = "Print VM uptime.", .impact = "Low", .run = uptime,
       .option = {{"-date", "Add a prefix with current date"}}},
      {.name = "help", .description = "Show a list of available commands.", .impact = "Low", .run = list_of_commands},
  };
  return all;
}

const DiagnosticCommand* find_command(std::string_view name) {
  for (const DiagnosticCommand& command : commands()) if (command.name == name) return &command;
  return nullptr;
}

std::string list_of_commands(JavaThread*, bool) {
  std::string text = "The following commands are available:\n";
  for (const DiagnosticCommand& command : commands()) text += fmt::format("{}\n", command.name);
  return text;
}

// "help NAME", in HotSpot's form: the library asks for it to describe its operations.
std::string help_text(const DiagnosticCommand& command) {
  std::string text = fmt::format("{}\n{}\n\nImpact: {}\n\nSyntax : {}", command.name, command.description, command.impact, command.name);
  if (!command.option) return text + "\n";
  return text + fmt::format(" [options]\n\nOptions: (options must be specified using the <key> or <key>=<value> syntax)\n\t{} : [optional] {} (BOOLEAN, false)\n",
                            command.option->name, command.option->description);
}

// Makes an object of the row's class: texts come first among the constructor's arguments, then what
// `rest` answers when nothing is allocated any more. Null with an exception.
template <typename Row, typename Rest> Object* new_described(JavaThread* thread, const Row* row, std::span<const std::string_view> texts, Rest rest) {
  if (row == nullptr || !initialize_class(thread, row->klass)) return nullptr;
  HandleScope scope(thread);
  Object* object = new_instance(thread, row->klass);
  if (object == nullptr) return nullptr;
  std::vector<Handle> handles = {scope.make(object)};
  for (std::string_view text : texts) {
    object = make_string_utf8(thread, text);
    if (object == nullptr) return nullptr;
    handles.push_back(scope.make(object));
  }
  std::vector<Slot> arguments;
  for (Handle handle : handles) arguments.push_back(slot_of(handle));
  for (Slot slot : rest()) arguments.push_back(slot);
  call_java(thread, row->constructor, arguments);
  return has_exception(thread) ? nullptr : handles[0].get();
}

// A java.util.List of the command's options.
Object* options_of(JavaThread* thread, const DiagnosticCommand& command) {
  const auto* collections = late::get<late::Collections>(thread);
  if (collections == nullptr || !initialize_class(thread, collections->klass)) return nullptr;
  if (!command.option) return object_of(call_java(thread, collections->empty_list, {}));
  std::string_view texts[] = {command.option->name, command.option->description, "BOOLEAN", "false"};
  auto rest = [] {   // not mandatory, an option, not multiple, no position
    return std::array{slot_of(i32{false}), slot_of(i32{true}), slot_of(i32{false}), slot_of(i32{-1})};
  };
  Object* option = new_described(thread, late::get<late::DiagnosticCommandArgumentInfo>(thread), texts, rest);
  if (option == nullptr) return nullptr;
  Slot arguments[] = {slot_of(option)};
  return object_of(call_java(thread, collections->singleton_list, arguments));
}

Object* new_info(JavaThread* thread, const DiagnosticCommand& command) {
  HandleScope scope(thread);
  Object* list = options_of(thread, command);
  if (list == nullptr || has_exception(thread)) return nullptr;
  Handle options = scope.make(list);
  const auto* row = late::get<late::DiagnosticCommandInfo>(thread);
  if (row == nullptr || !initialize_class(thread, row->klass)) return nullptr;
  std::string_view texts[] = {command.name, command.description, command.impact};
  return new_described(thread, row, texts, [&] { return std::array<Slot, 5>{0, 0, 0, slot_of(i32{true}), slot_of(options)}; });
}

}  // namespace

void add_diagnostic_command(const DiagnosticCommand& command) {
  auto& all = commands();
  auto place = std::find_if(all.begin(), all.end(), [&](const DiagnosticCommand& other) { return other.name > command.name; });
  all.insert(place, command);
}

// Commands come with the VM: there is nothing to be notified of.
void DiagnosticCommandImpl_setNotificationEnabled(JavaThread*, Handle, bool) {}

Object* DiagnosticCommandImpl_getDiagnosticCommands(JavaThread* thread, Handle) {
  std::vector<std::string> names;
  for (const DiagnosticCommand& command : commands()) names.emplace_back(command.name);
  return new_string_array(thread, names);
}

Object* DiagnosticCommandImpl_getDiagnosticCommandInfo(JavaThread* thread, Handle, Handle names) {
  const auto* row = late::get<late::DiagnosticCommandInfo>(thread);
  if (row == nullptr) return nullptr;
  if (names.is_null()) return throw_null_pointer(thread);
  HandleScope scope(thread);
  Object* object = new_reference_array(thread, row->klass, names->length());
  if (object == nullptr) return nullptr;
  Handle result = scope.make(object);
  for (i32 i = 0; i < names->length(); ++i) {
    if (names->reference_at(i) == nullptr) return throw_null_pointer(thread);
    const DiagnosticCommand* command = find_command(string_to_utf8(names->reference_at(i)));
    if (command == nullptr) return throw_message(thread, names::java_lang_IllegalArgumentException, "Diagnostic Command not found");
    Object* info = new_info(thread, *command);
    if (info == nullptr) return nullptr;
    barrier::store_element(result.get(), i, info);
  }
  return result.get();
}

Object* DiagnosticCommandImpl_executeDiagnosticCommand(JavaThread* thread, Handle, Handle text) {
  if (text.is_null()) return throw_null_pointer(thread);
  std::string line = string_to_utf8(text.get());
  usize begin = line.find_first_not_of(' ');
  if (begin == std::string::npos) return make_string_utf8(thread, "");
  usize end = std::min(line.find(' ', begin), line.size());
  const DiagnosticCommand* command = find_command(std::string_view(line).substr(begin, end - begin));
  if (command == nullptr) return throw_message(thread, names::java_lang_IllegalArgumentException, "Unknown diagnostic command");
  bool with_option = false;
  while ((begin = line.find_first_not_of(' ', end)) != std::string::npos) {
    end = std::min(line.find(' ', begin), line.size());
    std::string argument = line.substr(begin, end - begin);
    if (command->name == "help") {
      const DiagnosticCommand* explained = find_command(argument);
      if (explained == nullptr) return make_string_utf8(thread, fmt::format("Help unavailable : '{}' : No such command\n", argument));
      return make_string_utf8(thread, help_text(*explained));
    }
    bool is_on = command->option && (argument == command->option->name || argument == fmt::format("{}=true", command->option->name));
    bool is_off = command->option && argument == fmt::format("{}=false", command->option->name);
    if (!is_on && !is_off) return throw_new(thread, names::java_lang_IllegalArgumentException, "Unknown argument '{}' in diagnostic command.", argument);
    with_option = is_on;
  }
  std::string answer = command->run(thread, with_option);
  return has_exception(thread) ? nullptr : make_string_utf8(thread, answer);
}

// --- heap dumps --------------------------------------------------------------------------------------------------------------------------

void HotSpotDiagnostic_dumpHeap0(JavaThread* thread, Handle, Handle path, bool live_objects_only) {
  std::string file = string_to_utf8(path.get());
  struct stat status;
  if (stat(file.c_str(), &status) == 0) {
    throw_message(thread, names::java_io_IOException, "File exists");
    return;
  }
  if (live_objects_only) heap::collect(thread, heap::Cause::HeapDump);
  gc::inspect::DumpResult result = gc::inspect::write_dump(thread, file);
  if (!result.error.empty()) throw_message(thread, names::java_io_IOException, result.error);
}

}  // namespace keyhole::natives
