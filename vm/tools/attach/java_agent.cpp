// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Loads a Java agent, with the same results for the tool as Agent_OnAttach in HotSpot's library of java.instrument.
#include "vm/tools/attach/java_agent.h"

#include <fmt/format.h>

#include "classlib/natives/java.instrument/agents.h"
#include "runtime/base/print.h"
#include "vm/tools/java_exception.h"

namespace keyhole::attach {

namespace {

// The return codes for which the tool throws AgentLoadException and AgentInitializationException.
constexpr i32 loaded = 0, bad_jar = 100, failed_to_start = 102;

}  // namespace

Answer load_java_agent(JavaThread* thread, const std::string& options) {
  usize equals = options.find('=');
  std::string own_options = equals == std::string::npos ? "" : options.substr(equals + 1);
  natives::AgentOutcome outcome =
      natives::load_agent(thread, std::string_view(options).substr(0, equals), "Agent-Class",
                          equals == std::string::npos ? nullptr : &own_options);
  i32 code = loaded;
  switch (outcome.loading) {
    case natives::AgentLoading::Done: break;
    case natives::AgentLoading::NotAnAgent:
      print_text(stderr, "{}\n", outcome.problem);
      code = bad_jar;
      break;
    case natives::AgentLoading::Threw:
      print_exception_of(thread, "Attach Listener");
      print_text(stderr, "Agent failed to start!\n");
      code = failed_to_start;
      break;
  }
  return {.text = fmt::format("return code: {}\n", code)};
}

}  // namespace keyhole::attach
