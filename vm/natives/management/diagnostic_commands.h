// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Diagnostic commands, as jcmd and DiagnosticCommandMBean have them: "GC.class_histogram", "Thread.print" and others. A command is a function that
// answers text; floors above add theirs when the VM starts.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "runtime/threads/java_thread.h"

namespace keyhole::natives {

struct DiagnosticOption {
  std::string_view name;                     // "-all"
  std::string_view description;
};

struct DiagnosticCommand {
  std::string_view name;
  std::string_view description;
  std::string_view impact;                   // "Low", "Medium: ...", "High: ..."
  // At most one, off unless given. Managed; may leave an exception pending.
  std::string (*run)(JavaThread* thread, bool with_option);
  std::optional<DiagnosticOption> option = {};
};

// Before the first program runs.
void add_diagnostic_command(const DiagnosticCommand& command);

}  // namespace keyhole::natives
