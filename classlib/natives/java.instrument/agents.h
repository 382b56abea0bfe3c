// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The agents of this VM.
//
//   -javaagent:x.jar=options   read_agents: manifests, class path       before the VM starts
//                              start_agents: premain(options)           after the boot sequence, before the main class
//   attach, Launcher-Agent-Class   load_agent: agentmain(options)       any time
//
// An Agent is the C++ half of a sun.instrument.InstrumentationImpl, which has its address as mNativeAgent. Both live
// for ever.
//
// R1: the list grows at its end only. A caller that visits all agents takes a snapshot. Transformers are called in the
//     list's order.
// R2: the hook for class files is set while an agent has transformers, so a program without them does not pay for it.
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "classlib/natives/java.instrument/agent_jar.h"
#include "runtime/threads/handles.h"

namespace keyhole::natives {

struct Agent {
  AgentJar jar;
  std::string options;
  bool has_options = false;                    // null for premain when it has none
  u32 number = 0;                              // position in the list
  Handle instrumentation = {};                 // its InstrumentationImpl, once it is made. A global root
  std::atomic<bool> has_transformers = false;  // transformers that cannot retransform
  std::atomic<bool> has_retransformable_transformers = false;
  // The prefixes of transformers that cannot retransform, and of those that can. Guarded by the list's mutex.
  std::vector<std::string> native_method_prefixes[2];
};

// All agents, in order.
std::vector<Agent*> agents();
// Called after the transformers have changed.
void update_class_file_hook();

// Reads the jars. `specifications`: "x.jar" or "x.jar=options". Returns an empty string, or java's error for the first
// one that is not an agent.
[[nodiscard]] std::string read_agents(const std::vector<std::string>& specifications);
// Calls premain of each agent. False: one of them threw, and the exception is pending.
[[nodiscard]] bool start_agents(JavaThread* thread) MAY_SAFEPOINT;

// The result of loading an agent into a running VM. `attribute`: "Agent-Class", "Launcher-Agent-Class".
enum class AgentLoading { Done, NotAnAgent, Threw };
struct AgentOutcome {
  AgentLoading loading;
  std::string problem;  // NotAnAgent: java's error
};
// Loads an agent and calls its agentmain. If agentmain threw, its exception is pending.
AgentOutcome load_agent(JavaThread* thread, std::string_view jar, std::string_view attribute,
                        const std::string* options) MAY_SAFEPOINT;

void set_native_method_prefixes(Agent* agent, bool retransformable, std::vector<std::string> prefixes);
// Other names under which a native method may be bound: without the prefixes of agents (JVMTI's SetNativeMethodPrefix).
std::vector<std::string> names_without_prefixes(std::string_view name);

}  // namespace keyhole::natives
