// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The table of diagnostic commands, and com.sun.management.internal.DiagnosticCommandImpl and HotSpotDiagnostic, which
// show it to Java.
#include "classlib/natives/java.management/diagnostic_commands.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>

#include "classlib/natives/declarations.h"
#include "classlib/natives/java.management/vm_commands.h"
#include "classlib/natives/late_bound.h"
#include "classlib/natives/support.h"
#include "gc/heap/heap.h"
#include "gc/inspect/heap_dump.h"

namespace keyhole::natives {

namespace {

std::string list_of_commands(JavaThread*, const DiagnosticArguments& arguments) {
  if (std::optional<std::string> name = arguments.text("command name")) {
    const DiagnosticCommand* command = find_diagnostic_command(*name);
    return command != nullptr ? diagnostic_help(*command)
                              : fmt::format("Help unavailable : '{}' : No such command\n", *name);
  }
  std::string text = arguments.is_on("-all") ? "" : "The following commands are available:\n";
  for (const DiagnosticCommand& command : diagnostic_commands())
    text += arguments.is_on("-all") ? fmt::format("{}\n\t{}\n\n", command.name, command.description)
                                    : fmt::format("{}\n", command.name);
  return text +
         (arguments.is_on("-all") ? "" : "\nFor more information about a specific command use 'help <command>'.\n");
}

std::vector<DiagnosticCommand>& commands() {
  static std::vector<DiagnosticCommand> all = [] {
    std::vector<DiagnosticCommand> list = commands_of_vm();
    list.push_back({.name = "help",
                    .description = "For more information about a specific command use 'help <command>'. With no "
                                   "argument this will show a list of available "
                                   "commands. 'help all' will show help for all commands.",
                    .impact = "Low",
                    .run = list_of_commands,
                    .options = {{.name = "-all", .description = "Show help for all commands", .default_text = "false"}},
                    .arguments = {{.name = "command name",
                                   .description = "The name of the command for which we want help",
                                   .type = ParameterType::text}}});
    return list;
  }();
  return all;
}

using Texts = std::span<const std::optional<std::string_view>>;

// Makes an object of the row's class. The constructor's arguments are the texts, then the result of `rest`, which is
// called after all allocations. Null: an exception is pending.
template <typename Row, typename Rest>
Object* new_described(JavaThread* thread, const Row* row, Method* constructor, Texts texts, Rest rest) MAY_SAFEPOINT {
  if (!initialize_class(thread, row->klass)) return nullptr;
  HandleScope scope(thread);
  Object* object = new_instance(thread, row->klass);
  if (object == nullptr) return nullptr;
  std::vector<Handle> handles = {scope.make(object)};
  for (const std::optional<std::string_view>& text : texts) {
    object = text ? make_string_utf8(thread, *text) : nullptr;
    if (text && object == nullptr) return nullptr;
    handles.push_back(scope.make(object));
  }
  std::vector<Slot> arguments;
  for (Handle handle : handles) arguments.push_back(slot_of(handle));
  for (Slot slot : rest()) arguments.push_back(slot);
  call_java(thread, constructor, arguments);
  return has_exception(thread) ? nullptr : handles[0].get();
}

// Describes a parameter. `position` is -1 for an option.
Object* new_argument_info(JavaThread* thread, const DiagnosticParameter& parameter, i32 position) MAY_SAFEPOINT {
  std::optional<std::string_view> texts[] = {parameter.name, parameter.description, name_of_type(parameter.type),
                                             parameter.default_text};
  constexpr i32 is_multiple = false;
  auto rest = [&] {
    return std::array{slot_of(i32{parameter.mandatory}), slot_of(i32{position < 0}), slot_of(is_multiple),
                      slot_of(position)};
  };
  const auto* row = late::get<late::DiagnosticCommandArgumentInfo>(thread);
  return row == nullptr ? nullptr : new_described(thread, row, row->constructor, texts, rest);
}

// Makes a java.util.List of the arguments, then the options.
Object* parameters_of(JavaThread* thread, const DiagnosticCommand& command) MAY_SAFEPOINT {
  const auto* arrays = late::get<late::Arrays>(thread);
  const auto* row = late::get<late::DiagnosticCommandArgumentInfo>(thread);
  if (arrays == nullptr || row == nullptr || !initialize_class(thread, arrays->klass)) return nullptr;
  HandleScope scope(thread);
  Object* object =
      new_reference_array(thread, row->klass, static_cast<i32>(command.arguments.size() + command.options.size()));
  if (object == nullptr) return nullptr;
  Handle array = scope.make(object);
  i32 next = 0;
  for (const std::vector<DiagnosticParameter>* list : {&command.arguments, &command.options}) {
    for (const DiagnosticParameter& parameter : *list) {
      Object* info = new_argument_info(thread, parameter, list == &command.options ? -1 : next);
      if (info == nullptr) return nullptr;
      barrier::store_element(array.get(), next++, info);
    }
  }
  Slot arguments[] = {slot_of(array)};
  return object_of(call_java(thread, arrays->as_list, arguments));
}

Object* new_info(JavaThread* thread, const DiagnosticCommand& command) MAY_SAFEPOINT {
  HandleScope scope(thread);
  Object* list = parameters_of(thread, command);
  if (list == nullptr || has_exception(thread)) return nullptr;
  Handle parameters = scope.make(list);
  std::optional<std::string_view> class_name, name, action;
  if (command.permission) {
    class_name = command.permission->class_name;
    name = command.permission->name;
    if (!command.permission->action.empty()) action = command.permission->action;
  }
  std::optional<std::string_view> texts[] = {command.name, command.description, command.impact, class_name, name,
                                             action};
  constexpr i32 is_enabled = true;
  auto rest = [&]() TOUCHES_OBJECTS { return std::array{slot_of(is_enabled), slot_of(parameters)}; };
  const auto* row = late::get<late::DiagnosticCommandInfo>(thread);
  if (row == nullptr) return nullptr;
  if (row->constructor == nullptr)  // a library without permissions
    return new_described(thread, row, row->constructor_25, std::span(texts).first(3), rest);
  return new_described(thread, row, row->constructor, texts, rest);
}

std::string run_line(JavaThread* thread, std::string_view line) MAY_SAFEPOINT {
  usize end = std::min(line.find(' '), line.size());
  const DiagnosticCommand* command = find_diagnostic_command(line.substr(0, end));
  if (command == nullptr) {
    throw_message(thread, names::java_lang_IllegalArgumentException, "Unknown diagnostic command");
    return {};
  }
  DiagnosticArguments arguments;
  std::string problem = parse_diagnostic_arguments(*command, line.substr(end), arguments);
  if (!problem.empty()) {
    throw_message(thread, names::java_lang_IllegalArgumentException, problem);
    return {};
  }
  return command->run(thread, arguments);
}

}  // namespace

const std::vector<DiagnosticCommand>& diagnostic_commands() { return commands(); }

const DiagnosticCommand* find_diagnostic_command(std::string_view name) {
  for (const DiagnosticCommand& command : commands())
    if (command.name == name) return &command;
  return nullptr;
}

void add_diagnostic_command(const DiagnosticCommand& command) {
  auto& all = commands();
  auto place =
      std::find_if(all.begin(), all.end(), [&](const DiagnosticCommand& other) { return other.name > command.name; });
  all.insert(place, command);
}

std::string run_diagnostic_commands(JavaThread* thread, std::string_view lines) {
  std::string answer;
  while (!lines.empty() && !has_exception(thread)) {
    usize end = std::min(lines.find('\n'), lines.size());
    std::string_view line = lines.substr(0, end);
    lines.remove_prefix(std::min(end + 1, lines.size()));
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    if (line.empty()) continue;
    if (line == "stop") break;
    answer += run_line(thread, line);
  }
  return answer;
}

// Does nothing: the set of commands never changes, so there are no notifications.
void DiagnosticCommandImpl_setNotificationEnabled(JavaThread*, Handle, bool) {}

Object* DiagnosticCommandImpl_getDiagnosticCommands(JavaThread* thread, Handle) {
  std::vector<std::string> names;
  for (const DiagnosticCommand& command : commands())
    if (!command.for_attached_only) names.emplace_back(command.name);
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
    const DiagnosticCommand* command = find_diagnostic_command(string_to_utf8(names->reference_at(i)));
    if (command == nullptr)
      return throw_message(thread, names::java_lang_IllegalArgumentException, "Diagnostic Command not found");
    Object* info = new_info(thread, *command);
    if (info == nullptr) return nullptr;
    barrier::store_element(result.get(), i, info);
  }
  return result.get();
}

Object* DiagnosticCommandImpl_executeDiagnosticCommand(JavaThread* thread, Handle, Handle text) {
  if (text.is_null()) return throw_null_pointer(thread);
  std::string answer = run_diagnostic_commands(thread, string_to_utf8(text.get()));
  return has_exception(thread) ? nullptr : make_string_utf8(thread, answer);
}

// --- heap dumps ------------------------------------------------------------------------------------------------------

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
