// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Calls the management agent's static methods, and implements the ManagementAgent commands.
#include "vm/tools/attach/management_agent.h"

#include <fmt/format.h>

#include <algorithm>

#include "classlib/natives/java.management/diagnostic_commands.h"
#include "runtime/base/flags.h"
#include "vm/link/exceptions.h"
#include "vm/link/java_call.h"
#include "vm/link/linker.h"
#include "vm/link/strings.h"

namespace keyhole::attach {

namespace {

using natives::DiagnosticArguments;
using natives::DiagnosticParameter;

// Calls a static method of the agent. Returns null if the method returned null, or if an exception is pending.
Object* call_agent(JavaThread* thread, std::string_view name, std::string_view descriptor,
                   std::span<const Slot> arguments) MAY_SAFEPOINT {
  Klass* agent = resolve_class(thread, Symbol::intern("jdk/internal/agent/Agent"), boot_loader());
  if (agent == nullptr || !initialize_class(thread, agent->as_instance())) return nullptr;
  Method* method = find_method(agent, Symbol::intern(name), Symbol::intern(descriptor));
  if (method == nullptr)
    return throw_new(thread, names::java_lang_NoSuchMethodError, "jdk.internal.agent.Agent.{}", name);
  Slot result = call_java(thread, method, arguments);
  return has_exception(thread) || descriptor.ends_with('V') ? nullptr : object_of(result);
}

// --- ManagementAgent.start -------------------------------------------------------------------------------------------

// An option of ManagementAgent.start. It sets the property "com.sun.management." + the option's name.
struct AgentOption {
  std::string_view name;
  natives::ParameterType type = natives::ParameterType::text;
};
constexpr AgentOption agent_options[] = {
    {"config.file"},
    {"jmxremote.host"},
    {"jmxremote.port"},
    {"jmxremote.rmi.port"},
    {"jmxremote.ssl"},
    {"jmxremote.registry.ssl"},
    {"jmxremote.authenticate"},
    {"jmxremote.password.file"},
    {"jmxremote.access.file"},
    {"jmxremote.login.config"},
    {"jmxremote.ssl.enabled.cipher.suites"},
    {"jmxremote.ssl.enabled.protocols"},
    {"jmxremote.ssl.need.client.auth"},
    {"jmxremote.ssl.config.file"},
    {"jmxremote.autodiscovery"},
    {"jdp.port", natives::ParameterType::integer},
    {"jdp.address"},
    {"jdp.source_addr"},
    {"jdp.ttl", natives::ParameterType::integer},
    {"jdp.pause", natives::ParameterType::integer},
    {"jdp.name"},
};

// Returns the property's name as the help text shows it. HotSpot shortens two of the names.
std::string_view described_property(std::string_view name) {
  if (name == "jmxremote.ssl.enabled.cipher.suites") return "jmxremote.ssl.enabled.cipher.suite";
  if (name == "jmxremote.ssl.need.client.auth") return "jmxremote.need.client.auth";
  return name;
}

const std::vector<DiagnosticParameter>& start_parameters() {
  static const std::vector<std::string> descriptions = [] {
    std::vector<std::string> texts;
    for (const AgentOption& option : agent_options)
      texts.push_back(fmt::format("set com.sun.management.{}", described_property(option.name)));
    return texts;
  }();
  static const std::vector<DiagnosticParameter> parameters = [] {
    std::vector<DiagnosticParameter> list;
    for (usize i = 0; i < std::size(agent_options); ++i)
      list.push_back({.name = agent_options[i].name, .description = descriptions[i], .type = agent_options[i].type});
    return list;
  }();
  return parameters;
}

// Starts the remote agent. Its options are one text: property=value pairs, separated by commas.
std::string start_remote(JavaThread* thread, const DiagnosticArguments& arguments) MAY_SAFEPOINT {
  std::string text;
  for (const AgentOption& option : agent_options) {
    std::optional<std::string> value = arguments.text(option.name);
    if (value) text += fmt::format("{}com.sun.management.{}={}", text.empty() ? "" : ",", option.name, *value);
  }
  HandleScope scope(thread);
  Handle string = scope.make(make_string_utf8(thread, text));
  if (!string) return {};
  Slot slots[] = {slot_of(string)};
  call_agent(thread, "startRemoteManagementAgent", "(Ljava/lang/String;)V", slots);
  return {};
}

std::string start_local(JavaThread* thread, const DiagnosticArguments&) MAY_SAFEPOINT {
  call_agent(thread, "startLocalManagementAgent", "()V", {});
  return {};
}

std::string stop_remote(JavaThread* thread, const DiagnosticArguments&) MAY_SAFEPOINT {
  call_agent(thread, "stopRemoteManagementAgent", "()V", {});
  return {};
}

std::string status(JavaThread* thread, const DiagnosticArguments&) MAY_SAFEPOINT {
  Object* text = call_agent(thread, "getManagementAgentStatus", "()Ljava/lang/String;", {});
  return text == nullptr ? std::string() : string_to_utf8(text) + "\n";
}

}  // namespace

void add_management_agent_commands() {
  constexpr std::string_view impact = "Low: No impact";
  natives::add_diagnostic_command({.name = "ManagementAgent.start",
                                   .description = "Start remote management agent.",
                                   .impact = impact,
                                   .run = start_remote,
                                   .options = start_parameters(),
                                   .for_attached_only = true});
  natives::add_diagnostic_command({.name = "ManagementAgent.start_local",
                                   .description = "Start local management agent.",
                                   .impact = impact,
                                   .run = start_local,
                                   .for_attached_only = true});
  natives::add_diagnostic_command({.name = "ManagementAgent.status",
                                   .description = "Print the management agent status.",
                                   .impact = impact,
                                   .permission = natives::monitor_permission,
                                   .run = status,
                                   .for_attached_only = true});
  natives::add_diagnostic_command({.name = "ManagementAgent.stop",
                                   .description = "Stop remote management agent.",
                                   .impact = impact,
                                   .run = stop_remote,
                                   .for_attached_only = true});
}

bool wants_management_agent(const std::vector<std::pair<std::string, std::string>>& properties) {
  if (flags::ManagementServer) return true;
  return std::any_of(properties.begin(), properties.end(),
                     [](const auto& each) { return each.first.starts_with("com.sun.management"); });
}

bool start_management_agent(JavaThread* thread) {
  call_agent(thread, "startAgent", "()V", {});
  return !has_exception(thread);
}

}  // namespace keyhole::attach
