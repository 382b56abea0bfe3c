// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The builder: where it is, and the frame there.
//
//   build.cpp          blocks, merges, the frame
//   build_control.cpp  branches, switches, returns
//   build_values.cpp   constants, locals, shuffles, arithmetic
//   build_memory.cpp   fields, array elements
//   build_objects.cpp  allocation, type tests, monitors
//   build_calls.cpp    calls
//
// B1: every build_...() either does all that its cell does, or leaves before the cell (leave) and has done nothing.
// B2: at a loop's header each live local that the loop writes, and each operand, is a phi. A method whose back edges
//     bring something else is refused.
// B3: the frame is the one before the cell until the cell has made its last exit: the state is made of it.
#pragma once

#include <optional>

#include "jit/graph/build.h"
#include "jit/graph/flow.h"

namespace keyhole::graph {

using interpreter::Operation;

class Builder {
 public:
  Builder(Graph& graph, const Cells& cells, const Flow& flow)
      : graph_(graph), cells_(cells), flow_(flow), live_(cells) {}

  // Empty, or why there is no graph.
  std::string run();

 private:
  struct Frame {
    std::vector<Node*> locals, operands;   // by slot, as in a state
    HeldLock* locks = nullptr;
  };

  // --- build.cpp
  void enter_method();
  void merge(u32 number);
  void enter_loop(u32 number);
  void continue_loop(u32 number, const Frame& frame);
  void build_block(u32 number);
  void build_cell(Operation operation, u64 word);
  void go_to(u32 cell);                    // an edge from block_
  Node* make_phi(u32 number, Type type);
  static bool same_locks(const HeldLock* a, const HeldLock* b);
  Node* merged(u32 number, const std::vector<Node*>& values);
  State* state();                          // before this cell
  void refuse(std::string why) { if (refusal_.empty()) refusal_ = std::move(why); }

  Node* add(Op op, Type type, std::initializer_list<Node*> inputs = {});
  Node* add_exiting(Op op, Type type, std::initializer_list<Node*> inputs = {});
  Node* constant(Type type, u64 bits);
  Node* int_constant(i32 value) { return constant(Type::Int, static_cast<u32>(value)); }
  Node* compare(Condition condition, Node* left, Node* right);
  void guard(Node* condition, Reason reason);
  void guard_not_null(Node* object);
  void leave(Reason reason);

  void push(Node* value);
  Node* pop();
  Node* peek(u32 slots_below_top) const { return frame_.operands[frame_.operands.size() - 1 - slots_below_top]; }

  // --- by category
  void build_constant(Operation operation, u64 word);
  Type type_of_constant() const;
  void build_local(Operation operation, u64 word);
  void build_shuffle(Operation operation);
  void build_arithmetic(Operation operation);
  void build_branch(Operation operation);
  void build_switch(Operation operation, u64 word);
  void build_return(Operation operation);
  void build_array(Operation operation);
  void load_element(Operation operation, Node* array, Node* index);
  void build_field(Operation operation, u64 word);
  void build_object(Operation operation, u64 word);
  void build_monitor(Operation operation);
  void build_invoke(Operation operation, u64 word);
  void call(const CallTarget& target, Node* appendix, bool has_receiver);

  Graph& graph_;
  const Cells& cells_;
  const Flow& flow_;
  LocalLiveness live_;
  std::vector<Block*> blocks_;             // by flow block
  std::vector<std::vector<Frame>> incoming_;   // by flow block: of its predecessors so far
  u32 begun_ = 0;                          // flow blocks
  Block* block_ = nullptr;                 // null: this cell is not reached
  Frame frame_;
  u32 cell_ = 0;
  State* state_ = nullptr;                 // of this cell, when it is made
  std::string refusal_;
};

}  // namespace keyhole::graph
