// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs the phases of one compilation, measures their times, and decides whether the method is refused or deferred.
#include "jit/optimised/method_compiler.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <limits>
#include <memory>

#include "jit/code/listings.h"
#include "jit/code/policy.h"
#include "jit/code/recorded_compilation.h"
#include "jit/graph/build/build.h"
#include "jit/graph/lower/contended_enters.h"
#include "jit/graph/pipeline.h"
#include "jit/optimised/installation.h"
#include "jit/optimised/print_ir.h"
#include "runtime/base/code_memory.h"
#include "runtime/base/flags.h"
#include "runtime/base/log.h"
#include "runtime/base/platform/hardware_world.h"
#include "runtime/base/print.h"
#include "runtime/threads/thread_state.h"
#include "vm/link/redefinition.h"

namespace keyhole::optimised {

using Outcome = tiers::OptimisingTier::Outcome;

namespace {

struct Translated {
  // methods that the inliner has inlined, or has considered and rejected
  std::vector<Method*> inlined;
  // speculations that the graph omits because they have failed before
  std::vector<image::CodeImage::FailedSpeculation> failed;
  graph::Lowered lowered;  // valid if `refusal` is empty
  std::string graph;       // the graph's text, which only listings need
  std::string refusal;
  i64 build_ns = 0, optimise_ns = 0, lower_ns = 0;
  u32 nodes = 0;
  bool inlines = false;
  // the method is over budget already by the size of its graph, so translate() has stopped after building
  bool is_stopped = false;
};

// The expected number of nodes of a lowered function per node of its graph before optimisation. The measured ratio is 3
// on average, and lies between 1.4 and 10.
constexpr u32 lowered_nodes_of_one = 3;

// Builds, optimises and lowers the method. The thread is managed, and translate() reaches no safepoint. A lowered
// function has at least as many nodes as its graph in all measurements. So translate() stops after building if
// `is_affordable` returns false, that is, if even a function with only the graph's nodes is over budget.
Translated translate(tiers::CompileTask& task, i32 loop, const FailedSpeculations& speculations,
                     const std::function<bool(const Translated&)>& is_affordable) {
  Translated result;
  graph::BuildOptions options{.inlines = flags::Inline, .assumes_hierarchy = flags::UseCHA, .loop = loop};
  bool is_listed = listings::wants(task.method());
  options.has_origins = flags::PrintAssembly || is_listed;
  options.look_at = [&](Method* method) {
    task.look_at(method);
    result.inlined.push_back(method);
  };
  options.lacks_profile = [&](const Method* method) {
    auto looked_at = std::ranges::find(result.inlined, method);
    if (looked_at != result.inlined.end()) task.note_unprofiled(*looked_at);
  };
  options.has_failed = [&](const Method* method, u32 bci, graph::DeoptReason reason) {
    MutexLock guard(compiler_lock);
    bool has_failed = speculations.has_failed(task.method(), method, bci, reason);
    if (has_failed) result.failed.push_back({method, bci, reason});
    return has_failed;
  };
  options.compiled_bytes = [](const Method* method) -> u32 {
    MutexLock guard(compiler_lock);  // while a thread holds compiler_lock, no code is freed
    const MethodCode* body = method->body.load(std::memory_order_acquire);
    const CompiledCode* code = body == nullptr ? nullptr : newest_in_use(body);
    return code != nullptr && code->is_optimised() ? code->code_bytes : 0;
  };
  i64 last = hardware::now_nanoseconds();
  auto lap = [&] {
    i64 now = hardware::now_nanoseconds();
    return now - std::exchange(last, now);
  };
  graph::Built built = graph::build(task.method(), options);
  result.build_ns = lap();
  if (flags::PrintInlining) {
    print_text("{}", graph::print(built.decisions));
    fflush(stdout);
  }
  if (built.graph == nullptr) {
    result.refusal = std::move(built.refusal);
    return result;
  }
  result.nodes = built.graph->node_count();
  result.inlines = std::ranges::any_of(built.decisions, &graph::InliningDecision::is_inlined);
  result.is_stopped = !is_affordable(result);
  if (result.is_stopped) return result;
  auto print_graph = [&](std::string_view phase) {
    std::string name = task.method()->external_name();
    if (draws_graphs()) {
      draw_ir(phase, [&] { return graph::print_dot(*built.graph, fmt::format("{}: {}", name, phase)); });
    } else {
      print_ir(name, phase, [&] { return graph::print(*built.graph); });
    }
  };
  print_graph("build");
  graph::optimise(*built.graph, print_graph);
  print_graph("optimise");
  if (is_listed) result.graph = graph::print(*built.graph);
  if (graph::call_contended_enters(*built.graph)) print_graph("contended_enters");
  result.optimise_ns = lap();
  result.nodes = built.graph->node_count();
  const u8 level = task.request().level;
  result.lowered =
      graph::lower(*built.graph, level == middle_level ? graph::Snippets::Expanded : graph::Snippets::Called,
                   level < tiers::highest_level() ? graph::Samples::Noted : graph::Samples::Dropped);
  result.lower_ns = lap();
  result.refusal = result.lowered.refusal;
  if (result.refusal.empty())
    print_ir(task.method()->external_name(), "lower", [&] { return low::print(result.lowered.function); });
  return result;
}

Outcome refuse(const tiers::CompileTask& task, std::string_view reason) {
  const Method* method = task.method();
  // strips line ends, because some error messages of LLVM end with empty lines
  reason = reason.substr(0, reason.find_last_not_of('\n') + 1);
  KEYHOLE_LOG(debug, jit, "not optimised: {}: {}", method->external_name(), reason);
  recorded_compilation::is_refused(method, reason, task.request().level);
  return Outcome::Refused;
}

void announce(const CompiledCode& code, const Translated& translated, const llvm_plugin::Result& result,
              i64 since_request_ns) REQUIRES(compiler_lock) {
  std::string name = code.method->external_name();
  KEYHOLE_LOG(debug, jit,
              "optimised: {} {}: {} bytes of code, {} nodes, {} instructions of LLVM; us: build {}, optimise {}, "
              "lower {}, emit {}, passes {}, code {}, link {}; installed {} us after its request",
              code.number, name, result.code_bytes, translated.nodes, result.instructions, translated.build_ns / 1000,
              translated.optimise_ns / 1000, translated.lower_ns / 1000, result.emit_ns / 1000, result.pass_ns / 1000,
              result.code_ns / 1000, result.link_ns / 1000, since_request_ns / 1000);
  print_ir(name, "before", [&] { return result.before; });
  print_ir(name, "after", [&] { return result.after; });
  listings::add(code, result.assembly, translated.graph);
  if (!flags::PrintAssembly) return;
  print_text("{}\n{}\n", name, result.assembly);
  // flushes stdio, so that the listing comes in order with the Java program's output, which bypasses stdio
  fflush(stdout);
}

// Reads profiles and failed speculations of an earlier run from the image, for methods that have no profile in this run
// yet.
void make_profiles(image::CodeImage& image, Method* method, FailedSpeculations& speculations) {
  std::vector<image::CodeImage::FailedSpeculation> failed = image.make_profiles(method);
  if (failed.empty()) return;
  MutexLock guard(compiler_lock);
  for (const image::CodeImage::FailedSpeculation& speculation : failed)
    speculations.assume_failed(speculation.method, speculation.bci, speculation.reason);
}

// The cost, in nanoseconds, that is recorded for a method whose early compilation (is_early) has ended over budget. It
// replaces the method's real cost. Every hot method's budget covers this cost, so the method is compiled again as soon
// as it is hot.
constexpr i64 cost_of_another_attempt = 1;
// Whether the method has no samples yet, and is compiled only because an earlier run compiled it (compile_requests.h
// P12). Some instructions of such a method may not be resolved yet, so its lowered function may differ from the
// function in the image.
bool is_early(const tiers::CompileRequest& request, const image::CodeImage* image) {
  return image != nullptr && request.samples == 0;
}

// P11 of compile_budget.h: the factor by which the cost of a method is multiplied if the method has no inlined calls.
i64 samples_of_one_on_top(const tiers::CompileRequest& request) {
  return std::max<i64>(1, request.samples / std::max(1u, request.samples_on_top));
}

// Compiles the method's entry if `loop` is CompileRequest::no_loop, otherwise the loop `loop` for on-stack replacement.
// `budget` is the maximal expected cost in nanoseconds. compile() deducts the expected cost from `budget`.
Outcome compile(JavaThread* thread, tiers::CompileTask& task, i32 loop, i64& budget, CodeGenerator& generator,
                FailedSpeculations& speculations, image::CodeImage* image) MAY_SAFEPOINT {
  Method* method = task.method();
  if (generator.has_ended()) return refuse(task, "the optimising tier has ended");
  i64 started = hardware::now_nanoseconds();
  if (image != nullptr) make_profiles(*image, method, speculations);
  auto cost_of = [&](usize nodes, const Translated& translated) {
    return generator.cost_of(nodes) * (translated.inlines ? 1 : samples_of_one_on_top(task.request()));
  };
  auto is_affordable = [&](const Translated& translated) {
    return image != nullptr || cost_of(translated.nodes, translated) <= budget;
  };
  Translated translated = translate(task, loop, speculations, is_affordable);
  if (!translated.refusal.empty()) return refuse(task, translated.refusal);
  auto over_budget = [&](i64 cost) {
    KEYHOLE_LOG(debug, jit, "over budget: {}: {}{} us to compile, {} samples allow {} us", method->external_name(),
                translated.is_stopped ? "some " : "", cost / 1000, task.request().samples, budget / 1000);
    task.set_cost(is_early(task.request(), image) ? cost_of_another_attempt : cost);
    return Outcome::OverBudget;
  };
  if (translated.is_stopped) return over_budget(cost_of(lowered_nodes_of_one * translated.nodes, translated));
  bool is_listed = flags::PrintAssembly || listings::wants(method);
  std::optional<image::FunctionKey> key = generator.key_in_image(translated.lowered.function, is_listed);
  bool is_kept = key && image->has_object(*key);
  i64 cost = is_kept ? 0 : cost_of(translated.lowered.function.nodes.size(), translated);
  if (cost > budget) return over_budget(cost);
  if (task.request().may_wait_for_profiles && !is_kept && !task.unprofiled().empty()) {
    for (const Method* inlined : task.unprofiled())
      KEYHOLE_LOG(debug, jit, "not yet: {}: {}, which it inlines, has counted nothing", method->external_name(),
                  inlined->external_name());
    return Outcome::Unprofiled;
  }
  budget -= cost;
  // N2: pins the callees' class units, so that no callee is unloaded, because the code calls the callees' entry stubs
  for (Method* callee : translated.lowered.callees) task.look_at(callee);
  FailedSpeculations::Counters counters = FailedSpeculations::make_counters(translated.lowered);
  std::string name;
  if (flags::DumpPerfMapAtExit) name = fmt::format("{} [{}]", method->external_name(), task.request().level);
  llvm_plugin::Result result;
  {
    NativeScope native(thread);
    result = generator.generate(translated.lowered, name, key, is_listed);
  }
  code_memory::compile_nanoseconds.fetch_add(hardware::now_nanoseconds() - started, std::memory_order_relaxed);
  if (!result.error.empty()) {
    MutexLock guard(compiler_lock);
    generator.note_refused(result.error);
    return refuse(task, result.error);
  }
  if (key) image->keep_method(method, {loop, *key}, translated.inlined, translated.failed);
  MutexLock guard(compiler_lock);
  auto cancel = [&]() REQUIRES(compiler_lock) {
    generator.give_back(result);
    return Outcome::Cancelled;
  };
  bool is_unchecked = are_redefinitions_expected() && !translated.lowered.looks_whether_obsolete;
  if (task.is_cancelled() || is_unchecked) return cancel();  // N1; redefinition.h, R3
  std::optional<u32> loop_instruction;
  if (loop != task.request().no_loop) {
    const MethodCode* body = method->body.load(std::memory_order_acquire);
    loop_instruction = static_cast<u32>(body->instruction_at(static_cast<u32>(loop)) - body->instructions());
  }
  CompiledCode* code = install({task, translated.lowered, result, loop_instruction, translated.inlined});
  if (code == nullptr) {
    KEYHOLE_LOG(debug, jit, "not installed: {}: the class hierarchy has changed", method->external_name());
    return cancel();
  }
  i64 translation_ns = translated.build_ns + translated.optimise_ns + translated.lower_ns;
  speculations.watch(code, std::move(counters), translated.lowered,
                     translation_ns + generator.cost_of(translated.lowered.function.nodes.size()));
  i64 now = hardware::now_nanoseconds();
  generator.note_installed({now - started, now - task.request().since, result.code_bytes, result.bytes});
  announce(*code, translated, result, now - task.request().since);
  return Outcome::Installed;
}

bool is_for_later(Outcome outcome) { return outcome != Outcome::Installed && outcome != Outcome::Refused; }

bool is_called_in(u8 level, const Method* method) {
  MutexLock guard(compiler_lock);
  const MethodCode* body = method->body.load(std::memory_order_acquire);
  const CompiledCode* code = body == nullptr ? nullptr : newest_in_use(body);
  return code != nullptr && code->level == level;
}

}  // namespace

// Compiles the method's entry, its loop, or both. The loop's OSR code continues frames that are in the loop, and frames
// that have deoptimized at a poll in the loop.
Outcome compile_method(JavaThread* thread, tiers::CompileTask& task, CodeGenerator& generator,
                       FailedSpeculations& speculations, image::CodeImage* image) {
  const tiers::CompileRequest& request = task.request();
  i64 budget = request.budget;
  auto compile_for = [&](i32 loop)
                         MAY_SAFEPOINT { return compile(thread, task, loop, budget, generator, speculations, image); };
  if (request.is_loop_alone || request.loop == request.no_loop) return compile_for(request.loop);
  Outcome of_entry, of_loop;
  // If the loop is compiled first, the entry is compiled next with an unlimited budget: a method with code for only its
  // loop would not count as compiled.
  if (request.is_loop_first) {
    budget /= 2;
    of_loop = compile_for(request.loop);
    if (of_loop == Outcome::OverBudget) task.set_cost(2 * task.cost());
    if (is_for_later(of_loop)) return of_loop;
    budget = std::numeric_limits<i64>::max();
    task.let_wait_for_profiles(false);
    of_entry = compile_for(request.no_loop);
  } else {
    of_entry = compile_for(request.no_loop);
    if (is_for_later(of_entry)) return of_entry;
    of_loop = compile_for(request.loop);
    if (of_loop == Outcome::OverBudget || of_loop == Outcome::Unprofiled) task.defer_loop();
  }
  // If the entry's new code has retired while the loop was compiled, compile_method() returns Cancelled, so that the
  // method is sampled again.
  if (of_entry == Outcome::Installed && !is_called_in(request.level, task.method())) return Outcome::Cancelled;
  return of_loop == Outcome::Installed ? of_loop : of_entry;
}

}  // namespace keyhole::optimised
