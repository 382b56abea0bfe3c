// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Connects to the debugger, runs the agent's thread, and shuts down.
//
//   listening --accept--> connected --commands--> gone --drop all state, resume all---> listening (server)
//                                                                                     \-> the thread ends (client)
#include "vm/tools/jdwp/agent.h"

#include <unistd.h>

#include <csignal>
#include <cstdlib>

#include "classlib/natives/java.base/lang/thread_lifecycle.h"
#include "runtime/base/print.h"
#include "runtime/threads/thread_state.h"
#include "vm/link/debugger.h"
#include "vm/link/exceptions.h"
#include "vm/link/redefinition.h"
#include "vm/tools/jdwp/commands.h"
#include "vm/tools/jdwp/events.h"
#include "vm/tools/jdwp/exceptions.h"
#include "vm/tools/jdwp/options.h"
#include "vm/tools/jdwp/suspension.h"
#include "vm/tools/jdwp/transport.h"
#include "vm/verify/frame_map.h"

namespace keyhole::jdwp {
namespace {

struct Agent {
  Options options;
  Transport transport;
  VmFacts facts;
  std::atomic<u32> next_packet{1};
  std::atomic<bool> has_greeted{false};   // VM_START has been sent; commands are answered only after that
  std::atomic<bool> vm_dies{false};       // a thread is reporting VM_DEATH to the debugger, or has reported it
  std::atomic<bool> vm_has_died{false};   // the debugger has received VM_DEATH and has made its last queries
  std::atomic<bool> is_answering{false};  // a command is being executed and is not answered yet
};
Agent* agent = nullptr;  // made by read_options, never deleted

constexpr DebuggerHooks hooks = {events::class_prepared, events::thread_started, events::thread_ended,
                                 exceptions::pending, exceptions::caught};

constexpr std::string_view not_initialized =
    "ERROR: JDWP Transport dt_socket failed to initialize, TRANSPORT_INIT(510)\n"
    "JDWP exit error AGENT_ERROR_TRANSPORT_INIT(197): No transports initialized\n";

[[noreturn]] void exit_with(int code, std::string_view problem, std::string_view consequence) {
  print_text(stderr, "{}{}", problem, consequence);
  fflush(nullptr);
  _exit(code);
}

void listen(JavaThread* thread) MAY_SAFEPOINT {
  NativeScope native(thread);  // in native state, because printing blocks if stdout is a full pipe
  if (std::string problem = agent->transport.listen(agent->options.address); !problem.empty())
    exit_with(2, problem, not_initialized);
  if (agent->options.quiet) return;
  print_text("Listening for transport dt_socket at address: {}\n", agent->transport.listening_port());
  fflush(stdout);
}

void wait_for_debugger(JavaThread* thread) MAY_SAFEPOINT {
  NativeScope native(thread);
  std::string problem = agent->transport.accept(agent->options.timeout_milliseconds);
  if (!problem.empty())
    exit_with(0, problem, "JDWP exit error JVMTI_ERROR_NONE(0): could not connect, timeout or fatal error\n");
}

void connect(JavaThread* thread) MAY_SAFEPOINT {
  NativeScope native(thread);
  std::string problem = agent->transport.connect(agent->options.address, agent->options.timeout_milliseconds);
  if (!problem.empty()) exit_with(2, problem, not_initialized);
}

void answer(JavaThread* thread, const Packet& packet) MAY_SAFEPOINT {
  HandleScope scope(thread);
  agent->is_answering = true;
  Call call{thread, scope, Reader(packet.data), {}};
  Error error = agent->vm_has_died ? Error::VmDead : run_command(packet.command_set, packet.command, call);
  if (has_exception(thread)) take_exception(thread);
  {
    NativeScope native(thread);
    agent->transport.write_reply(packet.id, error,
                                 error == Error::None ? std::span<const u8>(call.out.bytes()) : std::span<const u8>());
  }
  agent->is_answering = false;
  agent->is_answering.notify_all();
  if (error == Error::None && call.afterwards) call.afterwards();
}

void answer_commands(JavaThread* thread) MAY_SAFEPOINT {
  Packet packet;
  for (;;) {
    bool is_there;
    {
      NativeScope native(thread);
      is_there = agent->transport.read(packet);
    }
    if (!is_there) return;
    if ((packet.flags & reply_flag) == 0) answer(thread, packet);  // replies are ignored
  }
}

void run(JavaThread* thread) MAY_SAFEPOINT {
  for (;;) {
    if (!agent->transport.is_connected()) {
      wait_for_debugger(thread);
      debugger.store(&hooks, std::memory_order_release);
      agent->has_greeted = true;  // the VM is already running, so commands need not wait for its start
    }
    {
      NativeScope native(thread);
      agent->has_greeted.wait(false);
    }
    answer_commands(thread);
    debugger.store(nullptr, std::memory_order_release);
    agent->transport.close_connection();
    events::remove_all();
    exceptions::forget_all();
    suspension::forget_all(thread);
    object_ids::forget_all();
    if (!agent->options.is_server || agent->vm_has_died) break;
    listen(thread);
  }
}

// Prints the messages of a failed transport, and aborts the process. java aborts, too, instead of exiting, because it
// loads the transport only after the VM has started.
[[noreturn]] void die_of_transport() {
  print_text(
      stderr,
      "ERROR: transport library not found: {0}\nERROR: JDWP Transport {0} failed to initialize, TRANSPORT_LOAD(509)\n"
      "JDWP exit error AGENT_ERROR_TRANSPORT_LOAD(196): No transports initialized\n",
      agent->options.transport);
  print_text(
      "FATAL ERROR in native method: JDWP No transports initialized, jvmtiError=AGENT_ERROR_TRANSPORT_LOAD(196)\n");
  fflush(nullptr);
  signal(SIGABRT, SIG_DFL);  // the failure is not in the VM, so no crash report is written
  abort();
}

}  // namespace

std::string read_options(const std::vector<std::string>& options, bool& wants_help) {
  if (options.empty()) return {};
  if (options.size() > 1)
    return "ERROR: Cannot load this JVM TI agent twice, check your java command line for duplicate jdwp options.\n";
  agent = new Agent();
  agent->options = parse_options(options.front());
  wants_help = agent->options.wants_help;
  if (!agent->options.problem.empty()) return agent->options.problem;
  // keeps dead locals alive, because a debugger may read locals that the method no longer uses
  keep_dead_locals = true;
  expects_debugger = true;
  return {};
}

bool start(JavaThread* thread, const VmFacts& facts) {
  if (agent == nullptr) return true;
  agent->facts = facts;
  expect_redefinitions(thread);
  object_ids::register_roots();
  const Options& options = agent->options;
  if (options.transport != "dt_socket") die_of_transport();
  if (options.is_server) listen(thread);
  if (!options.is_server) connect(thread);
  else if (options.suspend) wait_for_debugger(thread);
  bool is_connected = agent->transport.is_connected();
  if (is_connected) debugger.store(&hooks, std::memory_order_release);
  if (!natives::start_vm_thread(thread, "JDWP Command Reader", run, /*is_hidden=*/true)) return false;
  if (is_connected) events::vm_started(thread, options.suspend);
  return true;
}

void vm_dies(JavaThread* thread) {
  if (agent == nullptr || !agent->transport.is_connected() || agent->vm_dies.exchange(true)) return;
  events::vm_dies(thread);
  agent->vm_has_died = true;
  // Waits until the command that is being executed is answered, because the VM may end due to that command, for example
  // if it stopped the last thread. The wait is in a safe state, because the command may need to stop this thread.
  NativeScope native(thread);
  agent->is_answering.wait(true);
}

const VmFacts& vm_facts() { return agent->facts; }

bool has_debugger() { return agent->transport.is_connected(); }

void hang_up() { agent->transport.hang_up(); }

void send_event(std::span<const u8> composite) {
  agent->transport.write_command(agent->next_packet.fetch_add(1), event_command_set, composite_command, composite);
  if (!agent->has_greeted.exchange(true)) agent->has_greeted.notify_all();
}

}  // namespace keyhole::jdwp
