// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Creates the policy of this process, runs the compiling threads, and prints the compile queue for jcmd.
#include <fmt/format.h>
#include <pthread.h>
#include <sys/resource.h>

#include <algorithm>
#include <memory>
#include <string>

#include "jit/code/policy.h"
#include "jit/code/print_compilation.h"
#include "jit/code/sampler.h"
#include "runtime/base/flags.h"
#include "runtime/base/log.h"
#include "runtime/threads/threads.h"

namespace keyhole::tiers {

namespace {

// Compiling threads start with a high nice value, that is, a low priority. A program that needs all processors loses
// only a fifth of the time that a compiling thread of usual priority would take from it, and a program that is about to
// end is not slowed down by compilations that finish too late. When a method has waited for -XX:Tier4PatienceMillis,
// threads with the usual priority replace the compiling threads. A compiling thread cannot do this itself: without
// privileges a thread cannot lower its nice value, and threads that it starts inherit the value. So another thread
// starts the replacements.
constexpr int nice_of_compiling_threads = 7;
constexpr usize most_threads = 16, name_bytes = 24;

OptimisingTier* registered_tier = nullptr;
Policy* policy = nullptr;  // never freed: threads may use it after static destructors have run
char thread_names[most_threads][name_bytes];

// Sets the thread's name for top and ps. Linux keeps 15 characters of it, so a compiling thread is shown under the same
// name as in HotSpot, "C2 CompilerThre".
void name_native_thread(const JavaThread* thread) {
  pthread_setname_np(pthread_self(), std::string(thread->vm_name).substr(0, 15).c_str());
}

void compile_in_background(JavaThread* thread, u8 level) MAY_SAFEPOINT {
  name_native_thread(thread);
  for (;;) {
    policy->queue().wait(thread, level);
    policy->compile_next(thread, level);
  }
}
void compile_in_background(JavaThread* thread) MAY_SAFEPOINT { compile_in_background(thread, highest_level()); }
void compile_for_middle(JavaThread* thread) MAY_SAFEPOINT { compile_in_background(thread, middle_level); }

void compile_nicely(JavaThread* thread) MAY_SAFEPOINT {
  name_native_thread(thread);
  setpriority(PRIO_PROCESS, static_cast<id_t>(thread->carrier->os_id), nice_of_compiling_threads);
  if (registered_tier != nullptr && policy->should_prepare_tier()) registered_tier->prepare(thread);
  const std::atomic<bool>& is_enough = policy->has_replaced_threads();
  while (!is_enough.load(std::memory_order_relaxed)) {
    policy->queue().wait(thread, is_enough, highest_level());
    policy->compile_next(thread);
  }
}

// Starts as many threads as -XX:CICompilerCount says. Returns true if at least one thread has started.
bool start_threads(JavaThread* thread, void (*body)(JavaThread*)) MAY_SAFEPOINT {
  auto prepare = [](JavaThread* started, void* name) { started->vm_name = static_cast<const char*>(name); };
  bool has_started = false;
  for (usize i = 0; i < static_cast<usize>(flags::CICompilerCount); ++i) {
    if (threads::start(0, true, true, prepare, thread_names[i], body) != nullptr) has_started = true;
    else KEYHOLE_LOG(debug, jit, "thread {} could not start a compiling thread", thread->id);
  }
  return has_started;
}

}  // namespace

// Starts the compiling threads. If no thread can be started, the queue fills, and drops its coldest methods.
void Policy::start_compiling_threads(JavaThread* thread) {
  if (policy != this || has_threads_.exchange(true)) return;
  for (usize i = 0; i < static_cast<usize>(flags::CICompilerCount); ++i)
    fmt::format_to_n(thread_names[i], name_bytes - 1, "C2 CompilerThread{}", i);
  start_threads(thread, compile_nicely);
  if (!has_middle_tier()) return;
  auto prepare = [](JavaThread* started, void*) { started->vm_name = "C1 CompilerThread0"; };
  if (threads::start(0, true, true, prepare, nullptr, compile_for_middle) == nullptr)
    KEYHOLE_LOG(debug, jit, "thread {} could not start a compiling thread of the middle tier", thread->id);
}

void Policy::replace_nice_threads(JavaThread* thread) {
  const i64 patience = flags::Tier4PatienceMillis * 1'000'000;
  if (!queue().has_waited_since(TierWorld::now_nanoseconds() - patience, highest_level()) || is_late_.exchange(true))
    return;
  KEYHOLE_LOG(debug, jit_queue, "methods have waited for long: compiling threads are nice no longer");
  if (!start_threads(thread, compile_in_background)) return;
  has_replaced_threads_.store(true, std::memory_order_relaxed);
  queue().wake_all();
}

void register_tier(OptimisingTier* tier) { registered_tier = tier; }
OptimisingTier* tier() { return registered_tier; }

void initialize() {
  if (registered_tier == nullptr && !flags::SampleHotMethods) return;
  policy = new Policy(Settings::of_flags(), registered_tier);
  interpreter::register_tier_policy(policy);
}

void start(JavaThread* thread) {
  if (policy != nullptr && !Settings::of_flags().uses_thresholds) start_sampler(thread, *policy);
}

void note_first_compilation(Method* method) {
  if (policy == nullptr) return;
  policy->note_first_compilation(method);
  if (registered_tier == nullptr) return;
  if (std::optional<i32> loop = registered_tier->expected_loop_of(method)) policy->queue_expected(method, *loop);
}
void note_retirement(const Method* method, u8 level) {
  if (policy != nullptr) policy->note_retirement(method, level);
}
bool is_profiling(const Method* method) { return policy != nullptr && policy->is_profiling(method); }

std::string describe_queue() {
  std::string text = "Current compiles: \n";
  CompileQueue::Contents contents;
  if (policy != nullptr) contents = policy->queue().contents();
  auto add = [&](const CompileRequest& request) {
    char kind = request.loop != CompileRequest::no_loop ? '%' : ' ';
    text += describe_compilation(request.number, request.method, kind, request.level) + "\n";
  };
  for (const CompileRequest& request : contents.running) add(request);
  auto add_queue = [&](std::string_view name, u8 level) {
    text += fmt::format("\n{} compile queue:\n", name);
    auto is_of_level = [level](const CompileRequest& request) { return request.level == level; };
    if (std::ranges::none_of(contents.waiting, is_of_level)) text += "Empty\n";
    for (const CompileRequest& request : contents.waiting)
      if (is_of_level(request)) add(request);
  };
  if (has_middle_tier()) add_queue("C1", middle_level);
  add_queue("C2", highest_level());
  return text + "\n";
}

}  // namespace keyhole::tiers
