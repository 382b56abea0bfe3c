// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds operations by name, and performs them. Their answers are those of HotSpot.
#include "vm/tools/attach/operations.h"

#include <fmt/format.h>

#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>

#include "classlib/natives/java.management/diagnostic_commands.h"
#include "runtime/base/flags.h"
#include "vm/link/exceptions.h"
#include "vm/link/loading/loader_names.h"
#include "vm/link/release_behaviour.h"
#include "vm/link/strings.h"
#include "vm/link/well_known.h"
#include "vm/tools/attach/java_agent.h"
#include "vm/tools/inspect/thread_dump.h"

namespace keyhole::attach {

namespace {

using Arguments = std::array<std::string, Request::argument_count>;

constexpr i32 failed = -1;

// --- threads and properties ------------------------------------------------------------------------------------------

Answer dump_threads(JavaThread* thread, const Arguments& arguments) MAY_SAFEPOINT {
  return {.text = thread_dump(thread, /*with_synchronizers=*/arguments[0].find("-l") != std::string::npos)};
}

Answer show_system_properties(JavaThread* thread, const Arguments&) MAY_SAFEPOINT {
  return {.text = natives::stored_properties(thread, /*of_agent=*/false)};
}
Answer show_agent_properties(JavaThread* thread, const Arguments&) MAY_SAFEPOINT {
  return {.text = natives::stored_properties(thread, /*of_agent=*/true)};
}

Answer show_version(JavaThread*, const Arguments& arguments) {
  return {.text = arguments[0] == "options" ? "2 streaming" : "2"};
}

// Does nothing: HotSpot forwards this request to agents of the JVM Tool Interface, and Keyhole has none.
Answer dump_data(JavaThread*, const Arguments&) { return {}; }

// --- the heap --------------------------------------------------------------------------------------------------------

// Parses "-live" or "-all"; an empty text means live objects. Returns false for any other text.
bool parse_liveness(const std::string& text, bool& live_objects_only) {
  live_objects_only = text.empty() || text == "-live";
  return live_objects_only || text == "-all";
}

// Parses a compression level from 1 to 9; an empty text means 0. Returns false for any other text.
bool parse_level(const std::string& text, i64& level) {
  level = 0;
  if (text.empty()) return true;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), level);
  return error == std::errc() && end == text.data() + text.size() && level >= 1 && level <= 9;
}

Answer dump_heap(JavaThread* thread, const Arguments& arguments) MAY_SAFEPOINT {
  if (arguments[0].empty()) return {.text = "No dump file specified\n"};
  bool live_objects_only;
  i64 level;
  if (!parse_liveness(arguments[1], live_objects_only))
    return {failed, fmt::format("Invalid argument to dumpheap operation: {}\n", arguments[1])};
  if (!parse_level(arguments[2], level))
    return {failed, fmt::format("Compression level out of range (1-9): {}\n", arguments[2])};
  return {.text = natives::dump_heap_for_tool(thread, arguments[0], live_objects_only, level, /*overwrite=*/false)};
}

Answer inspect_heap(JavaThread* thread, const Arguments& arguments) MAY_SAFEPOINT {
  bool live_objects_only;
  if (!parse_liveness(arguments[0], live_objects_only))
    return {failed, fmt::format("Invalid argument to inspectheap operation: {}\n", arguments[0])};
  std::string histogram = natives::class_histogram(thread, live_objects_only);
  const std::string& path = arguments[1];
  if (path.empty()) return {.text = std::move(histogram)};
  FILE* file = fopen(path.c_str(), "we");
  bool written = file != nullptr && fwrite(histogram.data(), 1, histogram.size(), file) == histogram.size();
  if (file != nullptr && fclose(file) != 0) written = false;
  if (!written) return {failed, fmt::format("Unable to create {}: {}\n", path, strerror(errno))};
  return {.text = fmt::format("Heap inspection file created: {}\n", path)};
}

// --- flags -----------------------------------------------------------------------------------------------------------

Answer set_flag(JavaThread* thread, const Arguments& arguments) MAY_SAFEPOINT {
  const flags::Row* row = flags::find_row(arguments[0]);
  if (row != nullptr && row->kind != flags::Kind::manageable)
    return {failed, fmt::format("flag '{}' cannot be changed\n", arguments[0])};
  std::string problem = natives::set_manageable_flag(thread, arguments[0], arguments[1]);
  if (!problem.empty()) return {failed, problem + "\n"};
  return {};
}

Answer print_flag(JavaThread*, const Arguments& arguments) {
  const flags::Row* row = flags::find_row(arguments[0]);
  return {.text = row == nullptr ? fmt::format("no such flag '{}'\n", arguments[0]) : flags::option_text(*row) + "\n"};
}

// --- commands and agents ---------------------------------------------------------------------------------------------

Answer run_commands(JavaThread* thread, const Arguments& arguments) MAY_SAFEPOINT {
  return {.text = natives::run_diagnostic_commands(thread, arguments[0])};
}

// Loads an agent library. The arguments are the library's name, whether the name is a path, and options. The only
// supported library is the one that loads agents written in Java.
Answer load_agent(JavaThread* thread, const Arguments& arguments) MAY_SAFEPOINT {
  if (!flags::EnableDynamicAgentLoading)
    return {failed, "Dynamic agent loading is not enabled. Use -XX:+EnableDynamicAgentLoading to launch target VM.\n"};
  if (arguments[0] == "instrument") return load_java_agent(thread, arguments[2]);
  return {failed, fmt::format("{} was not loaded.\nKeyhole does not run native agents\n", arguments[0])};
}

// Returns the text of a throwable: "java.lang.IllegalArgumentException: Unknown diagnostic command".
std::string describe(Object* throwable) TOUCHES_OBJECTS {
  std::string text = external_name(throwable->klass());
  Object* message = throwable->get_reference(well_known::Throwable_detail_message);
  return message == nullptr ? text : text + ": " + string_to_utf8(message);
}

struct Operation {
  std::string_view name;
  Answer (*perform)(JavaThread* thread, const Arguments& arguments);
};
constexpr Operation operations[] = {
    {"agentProperties", show_agent_properties},
    {"datadump", dump_data},
    {"dumpheap", dump_heap},
    {"getversion", show_version},
    {"inspectheap", inspect_heap},
    {"jcmd", run_commands},
    {"load", load_agent},
    {"printflag", print_flag},
    {"properties", show_system_properties},
    {"setflag", set_flag},
    {"threaddump", dump_threads},
};

}  // namespace

Answer perform(JavaThread* thread, const Request& request) {
  for (const Operation& operation : operations) {
    if (operation.name != request.command) continue;
    if (operation.perform == show_version && !release::attaches_by_second_version()) break;
    Answer answer = operation.perform(thread, request.arguments);
    if (has_exception(thread)) answer = {failed, describe(take_exception(thread)) + "\n"};
    return answer;
  }
  return {failed, fmt::format("Operation {} not recognized!", request.command)};
}

}  // namespace keyhole::attach
