// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Loads an agent's jar and starts the agent.
#include "classlib/natives/java.instrument/agents.h"

#include "classlib/natives/java.instrument/transformation.h"
#include "classlib/natives/late_bound.h"
#include "classlib/natives/support.h"
#include "runtime/base/mutex.h"
#include "vm/classfile/class_path.h"
#include "vm/link/loading/class_file_hook.h"
#include "vm/link/redefinition.h"

namespace keyhole::natives {
namespace {

Mutex agents_mutex{LockRank::agents};
// The mutex also guards the agents' prefixes.
std::vector<Agent*>& all_agents() REQUIRES(agents_mutex) {
  static auto* list = new std::vector<Agent*>();  // outlives every static destructor
  return *list;
}

Agent* add_agent(AgentJar jar, const std::string* options) {
  auto* agent = new Agent();
  agent->jar = std::move(jar);
  agent->has_options = options != nullptr;
  if (options != nullptr) agent->options = *options;
  for (const std::string& file : agent->jar.boot_class_path) append_to_boot_path(file);
  MutexLock guard(agents_mutex);
  agent->number = static_cast<u32>(all_agents().size());
  all_agents().push_back(agent);
  return agent;
}

// Makes the agent's InstrumentationImpl. `warns`: later libraries warn that a tool has loaded an agent into a running
// VM. False: an exception is pending.
bool make_instrumentation(JavaThread* thread, Agent* agent, bool warns) MAY_SAFEPOINT {
  if (agent->jar.can_redefine || agent->jar.can_retransform) expect_redefinitions(thread);
  const late::InstrumentationImpl* row = late::get<late::InstrumentationImpl>(thread);
  if (row == nullptr || !initialize_class(thread, row->klass)) return false;
  HandleScope scope(thread);
  Handle made = scope.make(new_instance(thread, row->klass));
  if (made.is_null()) return false;
  Slot arguments[] = {
      slot_of(made), 0, reinterpret_cast<Slot>(agent), agent->jar.can_redefine, agent->jar.can_set_native_method_prefix,
      warns};
  bool is_short = row->constructor != nullptr;
  call_java(thread, is_short ? row->constructor : row->constructor_21, std::span(arguments).first(is_short ? 5 : 6));
  if (has_exception(thread)) return false;
  agent->instrumentation = GlobalHandles::make(made.get());
  return true;
}

// Calls the agent's main method. False: an exception is pending.
bool call_agent(JavaThread* thread, Agent* agent, keyhole::Method* caller) MAY_SAFEPOINT {
  HandleScope scope(thread);
  Handle class_name = scope.make(make_string_utf8(thread, agent->jar.class_name));
  Handle options = scope.make(class_name && agent->has_options ? make_string_utf8(thread, agent->options) : nullptr);
  if (has_exception(thread)) return false;
  Slot arguments[] = {slot_of(agent->instrumentation), slot_of(class_name), slot_of(options)};
  call_java(thread, caller, arguments);
  return !has_exception(thread);
}

}  // namespace

std::vector<Agent*> agents() {
  MutexLock guard(agents_mutex);
  return all_agents();
}

void update_class_file_hook() {
  MutexLock guard(agents_mutex);
  bool any = false;
  for (const Agent* agent : all_agents()) any |= agent->has_transformers || agent->has_retransformable_transformers;
  class_file_hook.store(any ? transform_class_file : nullptr, std::memory_order_release);
}

std::string read_agents(const std::vector<std::string>& specifications) {
  for (const std::string& each : specifications) {
    usize equals = each.find('=');
    AgentJar jar = read_agent_jar(each.substr(0, equals), "Premain-Class");
    if (!jar.problem.empty()) return jar.problem;
    application_class_path().append(jar.jar);
    std::string options = equals == std::string::npos ? "" : each.substr(equals + 1);
    add_agent(std::move(jar), equals == std::string::npos ? nullptr : &options);
  }
  return {};
}

bool start_agents(JavaThread* thread) {
  for (Agent* agent : agents()) {
    if (!make_instrumentation(thread, agent, false)) return false;
    if (!call_agent(thread, agent, late::get<late::InstrumentationImpl>(thread)->call_premain)) return false;
  }
  return true;
}

AgentOutcome load_agent(JavaThread* thread, std::string_view file, std::string_view attribute,
                        const std::string* options) {
  AgentJar jar = read_agent_jar(file, attribute);
  if (!jar.problem.empty()) return {AgentLoading::NotAnAgent, jar.problem};
  application_class_path().append(jar.jar);
  Agent* agent = add_agent(std::move(jar), options);
  if (!make_instrumentation(thread, agent, attribute == "Agent-Class")) return {AgentLoading::Threw, {}};
  if (!call_agent(thread, agent, late::get<late::InstrumentationImpl>(thread)->call_agentmain)) {
    return {AgentLoading::Threw, {}};
  }
  return {AgentLoading::Done, {}};
}

void set_native_method_prefixes(Agent* agent, bool retransformable, std::vector<std::string> prefixes) {
  MutexLock guard(agents_mutex);
  agent->native_method_prefixes[retransformable] = std::move(prefixes);
}

std::vector<std::string> names_without_prefixes(std::string_view name) {
  std::vector<std::string> names;
  MutexLock guard(agents_mutex);
  std::string rest(name);
  // The prefix of the last transformer comes first in the name. Each prefix may be missing.
  for (bool retransformable : {true, false}) {
    for (auto agent = all_agents().rbegin(); agent != all_agents().rend(); ++agent) {
      const auto& prefixes = (*agent)->native_method_prefixes[retransformable];
      for (auto prefix = prefixes.rbegin(); prefix != prefixes.rend(); ++prefix) {
        if (prefix->empty() || !rest.starts_with(*prefix) || rest.size() == prefix->size()) continue;
        rest.erase(0, prefix->size());
        names.push_back(rest);
      }
    }
  }
  return names;
}

}  // namespace keyhole::natives
