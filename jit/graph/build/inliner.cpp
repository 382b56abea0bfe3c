// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Decides which calls are inlined, and prints the lines of -XX:+PrintInlining.
#include "jit/graph/build/inliner.h"

#include <algorithm>

#include <fmt/format.h>

#include "jit/code/print_compilation.h"
#include "jit/graph/ir/intrinsics.h"
#include "jit/graph/ir/recorded_locks.h"
#include "runtime/base/flags.h"
#include "runtime/base/log.h"
#include "vm/interpreter/decoder.h"
#include "vm/interpreter/intrinsics.h"
#include "vm/link/debugger.h"
#include "vm/metadata/instance_klass.h"

namespace keyhole::graph {

namespace {

constexpr u64 most_inlined_bytes = 8000;
constexpr u32 most_nodes = 2500;
// The maximal depth of inlined @ForceInline methods. The other limits do not apply to these methods, except those of
// recursion and of the graph's size.
constexpr u32 deepest_forced = 30;
// A call is frequent if it passes two tests: it is executed at least is_frequent times per execution of its caller, and
// at least is_frequent times per execution of the compiled method. A call is rare if it is executed fewer than is_rare
// times per execution of its caller. The second test alone would not be enough: if a loop calls a method, all calls in
// that method would be frequent, even the calls by which a thread pool starts a thread.
constexpr f64 is_frequent = 0.25, is_rare = 0.0085;
// The largest size in bytes of a method whose inlined body costs no more than a call.
constexpr u32 trivial_size = 6;

u32 count_in(const Activation* activation, const Method* method) {
  u32 count = 0;
  for (; activation != nullptr; activation = activation->outer) count += activation->method == method ? 1 : 0;
  return count;
}

constexpr bool is_resolved_when_executed(u8 opcode) {
  return (opcode >= GETSTATIC && opcode <= NEW) || opcode == ANEWARRAY || opcode == CHECKCAST || opcode == INSTANCEOF ||
         opcode == MULTIANEWARRAY;
}

bool has_own_entry(const Method* method) { return interpreter::intrinsic_of(method) != interpreter::Intrinsic::none; }

// Whether the method's body has ever been executed. The builder looks at the first instruction with a constant pool
// entry: if the body was executed, this entry is resolved. Later instructions may be unresolved, on paths that were not
// taken. An unresolved type test tells nothing, because a test of null does not resolve the class.
bool has_run(const Instructions& instructions) {
  for (u32 instruction = 0; instruction < instructions.count(); ++instruction) {
    bool is_test = instructions.opcode(instruction) == CHECKCAST || instructions.opcode(instruction) == INSTANCEOF;
    if (!interpreter::has(instructions.operation(instruction), interpreter::effect::unresolved)) {
      if (is_resolved_when_executed(instructions.opcode(instruction))) return true;
    } else if (!is_test) {
      return false;
    }
  }
  return true;
}

}  // namespace

namespace {

// For each handler: whether it is compiled. It is if an exception has reached the handler, or if `all_handlers` is
// true. While exceptions are logged or a debugger may ask for them, no handler is compiled, because the interpreter has
// to see every exception.
std::vector<bool> compiled_handlers(const Instructions& instructions, bool all_handlers) {
  std::vector<bool> handlers(instructions.method()->handler_count);
  if (expects_debugger || log::enabled(log::TagSet::exceptions, log::Level::info)) return handlers;
  for (u32 i = 0; i < handlers.size(); ++i) {
    handlers[i] = all_handlers || instructions.body()->handler_entries[i].load(std::memory_order_relaxed) != 0;
  }
  return handlers;
}

// Builds the flow with the selected handlers. If that flow is refused, deselects all handlers, and builds the flow
// without handlers.
Flow flow_of(const Instructions& instructions, u32 first_instruction, std::vector<bool>& handlers) {
  Flow flow(instructions, first_instruction, handlers);
  if (flow.refusal().empty() || handlers.empty()) return flow;
  handlers.assign(handlers.size(), false);
  return Flow(instructions, first_instruction, handlers);
}

}  // namespace

MethodShape::MethodShape(Method* method, u32 first_instruction, bool all_handlers)
    : instructions(method, interpreter::prepare_bytecode(method)),
      handlers(compiled_handlers(instructions, all_handlers)), flow(flow_of(instructions, first_instruction, handlers)),
      live(instructions), profile(instructions, flow) {}

void note_pruned_handler(Graph& graph, const MethodShape& shape) {
  for (u32 i = 0; i < shape.handlers.size(); ++i) {
    if (!shape.handlers[i]) graph.pruned_handlers.push_back({shape.instructions.method(), i});
  }
}

Inliner::Inliner(Graph& graph, const BuildOptions& options) : graph_(graph), options_(options) {}

bool Inliner::may_name(const Klass* klass) const {
  return klass->liveness == nullptr || klass->liveness == graph_.method()->holder->liveness;
}

// Finds the unique concrete method. Makes the code depend on it, unless the class is final.
Method* Inliner::unique_concrete_method(const InstanceKlass* type, const InstanceKlass* interface, u32 index) {
  if (!options_.assumes_hierarchy || !is_enabled() || !may_name(type)) return nullptr;
  UniqueConcreteMethod assumed{type, interface, index, nullptr};
  assumed.method = find_unique_concrete_method(assumed);
  if (assumed.method == nullptr || !may_name(assumed.method->holder)) return nullptr;
  bool is_final = (type->access_flags & access::Final) != 0;
  bool is_new = std::ranges::find(graph_.assumptions, assumed) == graph_.assumptions.end();
  if (!is_final && is_new) graph_.assumptions.push_back(assumed);
  return assumed.method;
}

bool Inliner::may_speculate(const Method* method, u32 bci, DeoptReason reason) const {
  return options_.inlines && (!options_.has_failed || !options_.has_failed(method, bci, reason));
}

const MethodShape& Inliner::shape_of(Method* method) {
  std::unique_ptr<MethodShape>& shape = shapes_[method];
  if (shape == nullptr) {
    if (method != graph_.method()) {
      graph_.methods.push_back(method);
      if (options_.look_at) options_.look_at(method);
    }
    shape = std::make_unique<MethodShape>(method);
    note_pruned_handler(graph_, *shape);
  }
  return *shape;
}

std::string Inliner::fault_of(const MethodShape& shape) {
  if (shape.instructions.has_subroutines()) return "subroutines";
  if (!shape.flow.refusal().empty()) return shape.flow.refusal();
  if (has_own_entry(shape.instructions.method()) && !has_run(shape.instructions)) return "intrinsic";
  return {};
}

Inliner::Verdict Inliner::judge(const Activation& caller, u32 bci, const Method* callee, f64 frequency) const {
  if (callee->is_native()) return refused("native method");
  if (callee->code == nullptr) return refused("abstract method");
  // A method that was never executed is not inlined, unless it is an intrinsic or a @ForceInline method.
  bool needs_execution = !callee->force_inline && !has_own_entry(callee);
  if (needs_execution && callee->body.load(std::memory_order_acquire) == nullptr) return refused("never executed");
  if (callee->is_static() && !callee->holder->is_initialized()) return refused("holder is not initialized");
  if (!may_name(callee->holder)) return refused("holder may be unloaded first");
  if (callee->dont_inline) return refused("disallowed by annotation");
  // While locks are recorded, inlining a synchronized method speculates that the recorder coalesces the method's enter
  // and exit (ir/recorded_locks.h). If the recorder does not coalesce them, the enter deoptimizes, because an inlined
  // enter cannot call the interpreter's handler (lower/contended_enters.cpp, E1). After that, the method is called
  // instead of inlined.
  if (callee->is_synchronized() && recorded_locks::speculate_on_inlined_enters() &&
      !may_speculate(caller.method, bci, DeoptReason::Monitor))
    return refused("its monitor is recorded at each call");
  u32 depth = caller.depth + 1;
  if (count_in(&caller, callee) > static_cast<u64>(flags::MaxRecursiveInlineLevel)) {
    return refused("recursive inlining is too deep");
  }
  // A kernel with more parameters than registers is called through the method's entry.
  if (const interpreter::KernelCall* kernel = kernel_of(intrinsic_of(callee));
      kernel != nullptr && kernel->parameter_count > most_kernel_parameters)
    return refused("has a library kernel");
  if (inlined_bytes_ + callee->code_length > most_inlined_bytes) return refused("size > DesiredMethodLimit");
  if (graph_.node_count() > most_nodes) return refused("NodeCountInliningCutoff");
  if (callee->force_inline) {
    return depth <= deepest_forced ? Verdict{true, "force inline by annotation"} : refused("inlining too deep");
  }
  if (depth > static_cast<u64>(flags::MaxInlineLevel)) return refused("inlining too deep");
  if (frequency == 0) return refused("never executed");
  f64 in_caller = frequency / caller.frequency;
  if (in_caller < is_rare && callee->code_length > trivial_size) return refused("low call site frequency");
  if (callee->code_length <= static_cast<u64>(flags::MaxInlineSize)) return {true, "inline"};
  if (std::min(in_caller, frequency) < is_frequent) return refused("too big");
  if (callee->code_length > static_cast<u64>(flags::FreqInlineSize)) return refused("hot method too big");
  // The callee's own code is large, because other methods are inlined into it. Inlining the callee here would compile
  // all those methods once more.
  u32 compiled_bytes = options_.compiled_bytes ? options_.compiled_bytes(callee) : 0;
  if (compiled_bytes > static_cast<u64>(flags::InlineSmallCode)) return refused("already compiled into a big method");
  return {true, "inline (hot)"};
}

usize Inliner::note(const InliningDecision& decision) {
  decisions_.push_back(decision);
  if (decision.is_inlined) inlined_bytes_ += decision.callee->code_length;
  return decisions_.size() - 1;
}

void Inliner::take_back(usize number, std::string reason) {
  for (usize i = number; i < decisions_.size(); ++i) {
    if (decisions_[i].is_inlined) inlined_bytes_ -= decisions_[i].callee->code_length;
  }
  decisions_.resize(number + 1);
  decisions_[number].is_inlined = false;
  decisions_[number].reason = std::move(reason);
}

std::string print(std::span<const InliningDecision> decisions) {
  constexpr usize margin = 28;
  std::string text;
  for (const InliningDecision& decision : decisions) {
    std::string indent(margin + 2 * decision.depth, ' ');
    text +=
        fmt::format("{}@ {}   {}::{} ({} bytes)   {}\n", indent, decision.bci, dotted(decision.callee->holder->name),
                    decision.callee->name->text(), decision.callee->code_length, decision.reason);
    if (decision.receiver == nullptr) continue;
    text += fmt::format("{} \\-> TypeProfile ({}/{} counts) = {}\n", indent, decision.receiver_count,
                        decision.call_count, decision.receiver->name->text());
  }
  return text;
}

}  // namespace keyhole::graph
