// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Dataflow of types over a method's blocks: the engine of frame maps. (The verifier of old class files goes by single
// instructions, in the order that decides its messages: inference_verifier.cpp.)
//
//   node = (block, subroutine context), with the state before its first instruction
//   work list: take a node, run its instructions on a copy of its state, merge the result into each successor;
//   a successor whose state changed goes on the list again. Types only climb a finite lattice, so it ends.
//
//   exception edges: before each instruction of a protected range the locals flow to the handler, with the exception
//   as only operand. As operands do not matter there, once per block and once more after each change of a local
//   suffices.
//
// The Domain defines the types and the effect of an instruction:
//   Type                          small, comparable; Type::top(), return_address(context), is_return_address(),
//                                 context()
//   bool enter(State&)            the state at method entry
//   bool step(State&, u32 bci)    executes the instruction; false = rejected (the domain records why). Not called for
//                                 jsr's push.
//   bool merge(Type& into, Type with, bool is_operand)   least upper bound; true when `into` changed
//   bool merge_flags(u32& into, u32 with)
//   Type exception_type(const ExceptionHandler&)
//   void fault(FlowFault, u32 bci, u32 detail)
#pragma once

#include <algorithm>
#include <vector>

#include "vm/verify/code_shape.h"
#include "vm/verify/subroutines.h"

namespace keyhole {

enum class FlowFault : u8 { FallsOffEnd, DepthMismatch, BadReturnAddress, TooManySubroutines, StackOverflow };

template <typename Type> struct FlowState {
  std::vector<Type> slots;      // first the locals, then max_stack operands
  u32 locals = 0;               // number of locals
  u32 depth = 0;                // operands in use
  u32 flags = 0;                // the domain's
  u32 used_locals = 0;          // number of locals that messages show; set by the domain, not merged
  bool locals_changed = false;  // set by step

  Type& local(u32 index) { return slots[index]; }
  Type& operand(u32 index) { return slots[locals + index]; }  // 0 = bottom
  u32 stack_capacity() const { return static_cast<u32>(slots.size()) - locals; }
};

template <typename Domain> class Dataflow {
 public:
  using Type = typename Domain::Type;
  using State = FlowState<Type>;
  static constexpr u32 no_node = ~0u;

  struct Node {
    u32 bci, context;
    u32 next_of_bci;  // the next node of this bci, in another context
    u32 types;        // index in types_ of its locals + depth types
    u32 depth, flags;
    bool reached, queued;
  };

  Dataflow(const Method* method, const CodeShape& shape, Domain& domain)
      : method_(method), shape_(shape), domain_(domain) {}

  // Runs to the fixed point. False: the domain has the reason.
  bool run() CALLS_VISITOR {
    first_node_.assign(method_->code_length, no_node);
    State state;
    reset(state);
    if (!domain_.enter(state)) return false;
    if (!merge_into(0, 0, state)) return false;
    while (!work_.empty()) {
      u32 node = work_.back();
      work_.pop_back();
      nodes_[node].queued = false;
      if (!flow(node, state, [](u32, State&) {}, [](u32) {})) return false;
    }
    return true;
  }

  // Runs one node's block again after run(): before(bci, state) at each instruction, edge(node) for each successor,
  // handlers included. Changes nothing.
  template <typename Before, typename Edge> void replay(u32 node, Before&& before, Edge&& edge) CALLS_VISITOR {
    State state;
    flow(node, state, before, edge);
  }

  const std::vector<Node>& nodes() const { return nodes_; }
  const Subroutines& subroutines() const { return subroutines_; }

 private:
  void reset(State& state) {
    state.slots.assign(u32{method_->max_locals} + method_->max_stack, Type::top());
    state.locals = method_->max_locals;
    state.depth = 0;
    state.flags = 0;
    state.locals_changed = false;
  }

  void load(const Node& node, State& state) {
    reset(state);
    state.depth = node.depth;
    state.flags = node.flags;
    std::copy_n(types_.begin() + node.types, state.locals + node.depth, state.slots.begin());
  }

  // Rule R2 of subroutines.h.
  u32 normalized(u32 context, const State& state) const {
    while (context != 0) {
      for (u32 slot = 0; slot < state.locals + state.depth; ++slot) {
        if (state.slots[slot].is_return_address() && subroutines_.is_within(state.slots[slot].context(), context))
          return context;
      }
      context = subroutines_[context].parent;
    }
    return 0;
  }

  void forget_return_addresses(State& state, u32 context) {
    for (u32 slot = 0; slot < state.locals + state.depth; ++slot) {
      Type& type = state.slots[slot];
      if (type.is_return_address() && subroutines_.is_within(type.context(), context)) type = Type::top();
    }
  }

  u32 node_at(u32 bci, u32 context) {
    u32 last = no_node;
    for (u32 node = first_node_[bci]; node != no_node; node = nodes_[node].next_of_bci) {
      if (nodes_[node].context == context) return node;
      last = node;
    }
    u32 made = static_cast<u32>(nodes_.size());
    nodes_.push_back({bci, context, no_node, 0, 0, 0, false, false});
    (last == no_node ? first_node_[bci] : nodes_[last].next_of_bci) = made;
    return made;
  }

  bool merge_into(u32 bci, u32 context, State& state, u32* reached = nullptr) CALLS_VISITOR {
    if (bci >= method_->code_length) {
      domain_.fault(FlowFault::FallsOffEnd, bci, 0);
      return false;
    }
    u32 index = node_at(bci, context == 0 ? 0 : normalized(context, state));
    if (reached != nullptr) *reached = index;
    Node& node = nodes_[index];
    bool changed = false;
    // A bci must have one operand depth in all contexts.
    if (const Node& first = nodes_[first_node_[bci]]; first.reached && first.depth != state.depth) {
      domain_.fault(FlowFault::DepthMismatch, bci, (first.depth << 16) | (state.depth & 0xFFFF));
      return false;
    }
    if (!node.reached) {
      node.reached = changed = true;
      node.depth = state.depth;
      node.flags = state.flags;
      node.types = static_cast<u32>(types_.size());
      types_.insert(types_.end(), state.slots.begin(), state.slots.begin() + state.locals + state.depth);
    } else {
      Type* into = types_.data() + node.types;
      for (u32 slot = 0, end = state.locals + state.depth; slot < end; ++slot) {
        if (!(into[slot] == state.slots[slot]) && domain_.merge(into[slot], state.slots[slot], slot >= state.locals))
          changed = true;
      }
      if (domain_.failed()) return false;
      if (domain_.merge_flags(node.flags, state.flags)) changed = true;
    }
    if (changed && !node.queued) {
      node.queued = true;
      work_.push_back(index);
    }
    return true;
  }

  template <typename Edge> bool flow_to_handlers(u32 bci, u32 context, State& state, Edge&& edge) CALLS_VISITOR {
    for (u32 index = 0; index < method_->handler_count; ++index) {
      const ExceptionHandler& handler = method_->handlers[index];
      if (bci < handler.start_bci || bci >= handler.end_bci) continue;
      if (state.stack_capacity() == 0) {
        domain_.fault(FlowFault::StackOverflow, handler.handler_bci, 0);
        return false;
      }
      u32 depth = state.depth;
      Type bottom = state.operand(0);
      state.depth = 1;
      state.operand(0) = domain_.exception_type(handler);
      u32 reached = no_node;
      bool merged = !domain_.failed() && merge_into(handler.handler_bci, context, state, &reached);
      state.depth = depth;
      state.operand(0) = bottom;
      if (!merged) return false;
      edge(reached);
    }
    return true;
  }

  template <typename Before, typename Edge>
  bool flow(u32 start, State& state, Before&& before, Edge&& edge) CALLS_VISITOR {
    u32 context = nodes_[start].context;
    u32 bci = nodes_[start].bci;
    load(nodes_[start], state);
    const u8* code = method_->code;
    auto go = [&](u32 to, u32 to_context) {
      u32 reached = no_node;
      if (!merge_into(to, to_context, state, &reached)) return false;
      edge(reached);
      return true;
    };
    state.locals_changed = true;  // so the first instruction's state flows to the handlers
    for (;;) {
      if (method_->handler_count != 0 && state.locals_changed && !flow_to_handlers(bci, context, state, edge))
        return false;
      state.locals_changed = false;
      before(bci, state);
      u8 opcode = effective_opcode(code, bci);
      u32 next = bci + bytecode::length_at(code, bci, method_->code_length);
      if (is_subroutine_call(opcode)) {
        u32 inner = subroutines_.find_in_chain(context, bci);
        if (inner != 0) forget_return_addresses(state, inner);
        else inner = subroutines_.enter(context, bci, next);
        if (inner == 0) {
          domain_.fault(FlowFault::TooManySubroutines, bci, 0);
          return false;
        }
        if (state.depth == state.stack_capacity()) {
          domain_.fault(FlowFault::StackOverflow, bci, 0);
          return false;
        }
        state.operand(state.depth++) = Type::return_address(inner);
        return go(bytecode::branch_target(code, bci), inner);
      }
      if (opcode == RET) {
        u32 local = bytecode::local_index(code, bci);
        u32 inner = local < state.locals && state.local(local).is_return_address() ? state.local(local).context() : 0;
        if (inner == 0 || !subroutines_.is_within(context, inner)) {
          domain_.fault(FlowFault::BadReturnAddress, bci, local);
          return false;
        }
        forget_return_addresses(state, inner);
        return go(subroutines_[inner].return_bci, subroutines_[inner].parent);
      }
      if (!domain_.step(state, bci)) return false;
      bool sound = true;
      if (bytecode::has(opcode, bytecode::flag::branches)) {
        for_each_branch_target(code, bci, [&](u32 target) { sound = sound && go(target, context); });
      }
      if (!sound) return false;
      if (bytecode::has(opcode, bytecode::flag::ends_block)) return true;
      if (next >= method_->code_length) {
        domain_.fault(FlowFault::FallsOffEnd, bci, 0);
        return false;
      }
      if (shape_.leads_at(next)) return go(next, context);
      bci = next;
    }
  }

  const Method* method_;
  const CodeShape& shape_;
  Domain& domain_;
  Subroutines subroutines_;
  std::vector<u32> first_node_;  // by bci
  std::vector<Node> nodes_;
  std::vector<Type> types_;
  std::vector<u32> work_;
};

}  // namespace keyhole
