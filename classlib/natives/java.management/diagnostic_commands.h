// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Diagnostic commands of jcmd and DiagnosticCommandMBean: "GC.class_histogram", "Thread.print" and others. A command is
// a function that returns text; layers above register theirs when the VM starts. Tools and MBeans use the same table.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/threads/java_thread.h"

namespace keyhole::natives {

enum class ParameterType : u8 { boolean, integer, text, file };
// The type's name in help texts and MBeans.
std::string_view name_of_type(ParameterType type);

struct DiagnosticParameter {
  std::string_view name;  // "-all" of an option, "filename" of an argument
  std::string_view description;
  ParameterType type = ParameterType::boolean;
  std::optional<std::string_view> default_text = {};
  bool mandatory = false;
};

// The options and arguments of a call, by name.
class DiagnosticArguments {
 public:
  bool is_on(std::string_view name) const { return text(name) == "true"; }
  i64 number(std::string_view name) const;                       // for a parameter that has a value
  std::optional<std::string> text(std::string_view name) const;  // or its default
  // Has the caller set the parameter?
  bool is_given(std::string_view name) const;

 private:
  friend class DiagnosticParser;
  struct Value {
    const DiagnosticParameter* parameter;
    std::optional<std::string> text;
    bool given = false;
  };
  std::vector<Value> values_;
};

struct DiagnosticPermission {
  std::string_view class_name, name, action;  // no action: empty
};
inline constexpr DiagnosticPermission monitor_permission{"java.lang.management.ManagementPermission", "monitor", ""};
inline constexpr DiagnosticPermission control_permission{"java.lang.management.ManagementPermission", "control", ""};

struct DiagnosticCommand {
  std::string_view name;
  std::string_view description;
  std::string_view impact;  // "Low", "Medium: ...", "High: ..."
  std::optional<DiagnosticPermission> permission = {};
  // Runs the command. Managed; may leave an exception pending.
  std::string (*run)(JavaThread* thread, const DiagnosticArguments& arguments);
  std::vector<DiagnosticParameter> options = {};    // "-all", "key=value", in any order
  std::vector<DiagnosticParameter> arguments = {};  // by position
  bool for_attached_only = false;                   // not shown by the MBean
};

// Adds a command. Called before the first program runs.
void add_diagnostic_command(const DiagnosticCommand& command);
const std::vector<DiagnosticCommand>& diagnostic_commands();  // by name
const DiagnosticCommand* find_diagnostic_command(std::string_view name);

// Runs the command of each line, in the text form of jcmd. Returns their output; an exception may be pending
// (IllegalArgumentException for an unknown command).
std::string run_diagnostic_commands(JavaThread* thread, std::string_view lines) MAY_SAFEPOINT;
// "help NAME", in HotSpot's form: the library calls it to describe its operations.
std::string diagnostic_help(const DiagnosticCommand& command);
// Splits the rest of a line into the parameters of a command. Returns an empty string, or the message of the
// IllegalArgumentException to throw.
std::string parse_diagnostic_arguments(const DiagnosticCommand& command, std::string_view line,
                                       DiagnosticArguments& arguments);

// The properties of the system, or those of the agent, in the form of java.util.Properties.store. Empty: an exception
// is pending.
std::string stored_properties(JavaThread* thread, bool of_agent) MAY_SAFEPOINT;
// Sets a manageable flag from a text. Returns an empty string, or HotSpot's error message.
std::string set_manageable_flag(JavaThread* thread, std::string_view name, std::optional<std::string_view> value)
    MAY_SAFEPOINT;
// Writes the dump of `jmap -dump` or GC.heap_dump. A gzip level of 0 means -XX:HeapDumpGzipLevel. Returns HotSpot's
// message.
std::string dump_heap_for_tool(JavaThread* thread, const std::string& path, bool live_objects_only, i64 gzip_level,
                               bool overwrite) MAY_SAFEPOINT;
std::string class_histogram(JavaThread* thread, bool live_objects_only) MAY_SAFEPOINT;

}  // namespace keyhole::natives
