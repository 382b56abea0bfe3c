// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The builder of one activation. It keeps the current block and instruction, and their abstract frame.
//
//   build.cpp                 blocks, merges, the frame
//   on_stack_replacement.cpp  the entry at a loop's header
//   control.cpp               branches, switches, returns
//   values.cpp                constants, locals, stack shuffles, arithmetic
//   memory.cpp                fields, array elements
//   objects.cpp               allocation, type checks, monitors
//   calls.cpp                 calls
//   hierarchy.cpp             calls with a unique concrete method
//   intrinsics.cpp            calls of methods that become nodes
//   inlined.cpp               inlined calls, each by a builder of its own
//   exceptions.cpp            throws and handlers
//
// B1: a build_...() function builds its whole instruction, or calls deoptimize(), which ends the path with a deopt
//     point before the instruction.
// B2: at a loop's header, each operand and each live local that the loop writes is a phi. A method whose back edges
//     bring a value of another type is refused.
// B3: a build_...() function changes the abstract frame only after the instruction's last deopt point is built, because
//     frame states are copies of the abstract frame.
#pragma once

#include <optional>

#include "jit/graph/build/inliner.h"
#include "jit/graph/ir/intrinsics.h"

namespace keyhole::graph {

using interpreter::Operation;

class Builder {
 public:
  Builder(Graph& graph, Inliner& inliner, const MethodShape& shape)
      : Builder(graph, inliner, shape, {nullptr, graph.method(), 0, 1.0, false}, nullptr) {}

  // The reason why there is no graph; empty if there is one.
  std::string run();

 private:
  struct Frame {
    std::vector<Node*> locals, operands;  // a node for each slot of the frame, as in a FrameState
    HeldLock* locks = nullptr;
  };
  // Return: a block that continues after a call, and the value that the call returns there, or null.
  struct Return {
    Block* block;
    Node* value;
  };
  using Ends = std::vector<Return>;
  // Fact: knowledge about a value that holds throughout the method that this builder builds.
  struct Fact {
    const Node* value;
    // the value's exact class, or null; even without a class, the fact says that the value is not null
    const Klass* klass;
  };
  // The declared type of a value, which the verifier has checked: the value is null or an instance of the type.
  struct Declared {
    const Node* value;
    std::string_view descriptor;
  };
  // An exception that no handler has caught yet.
  struct Thrown {
    Block* block;  // the block in which the exception is dispatched
    Node* exception;
    // The frame state of the athrow. Null if a call has thrown the exception: the exception is then pending.
    FrameState* state;
    Node* lock = nullptr;  // the monitor that the path to the handler has to release, or null
  };
  static constexpr usize most_speculations = 2;
  // Target: a method that a call may select.
  struct Target {
    Method* method;
    const Klass* klass = nullptr;  // the class that the receiver must have; null: any class that selects the method
    u32 count = 0;                 // number of calls of the target in the profile
    bool is_only = false;          // whether the method is the call's unique concrete method
  };
  struct Targets {
    std::vector<Target> list;  // targets, in the order in which the code tests for them
    // Whether a receiver that selects none of the targets gets an uncommon trap. If false, such a receiver gets the
    // call.
    bool are_all = false;
    u64 count = 0;
  };

  Builder(Graph& graph, Inliner& inliner, const MethodShape& shape, const Activation& activation, FrameState* outer)
      : graph_(graph), inliner_(inliner), shape_(shape), instructions_(shape.instructions), flow_(shape.flow),
        live_(shape.live), activation_(activation), outer_(outer), outer_origin_(graph.origin) {}
  const Method* method() const { return instructions_.method(); }

  // --- build.cpp
  void build_blocks();
  void enter_method();
  void merge(u32 number, Block* block);
  void build_loop_entry(u32 number);
  void enter_loop(u32 number);
  void continue_loop(u32 number, const Frame& frame);
  void build_block(u32 number);
  void build_instruction(Operation operation, u64 word);
  void go_to(u32 instruction);  // connects block_ with the block of the instruction
  Node* make_phi(Block* block, usize edges, Type type);
  static bool same_locks(const HeldLock* a, const HeldLock* b);
  f64 frequency() const;  // executions of this instruction per execution of the compiled method
  Node* merged(Block* block, const std::vector<Node*>& values, usize edges);
  usize most_edges(u32 number) const;
  u64 iterations_of(u32 number) const;
  bool may_hoist(u32 number) const;
  Block* path_into(u32 number);
  FrameState* state();  // the frame state before instruction_
  void refuse(std::string why) {
    if (refusal_.empty()) refusal_ = std::move(why);
  }

  Node* add(Op op, Type type, std::initializer_list<Node*> inputs = {});
  Node* add_with(Op op, Type type, std::span<Node* const> inputs);
  Node* add_deoptimizing(Op op, Type type, std::initializer_list<Node*> inputs = {});
  Node* constant(Type type, u64 bits);
  Node* mirror_of(const Klass* klass);
  Node* int_constant(i32 value) { return constant(Type::Int, static_cast<u32>(value)); }
  Node* compare(Condition condition, Node* left, Node* right);
  void guard(Node* condition, DeoptReason reason);
  void guard_not_null(Node* object);
  void deoptimize(DeoptReason reason);

  void push(Node* value);
  Node* pop();
  Node* peek(u32 slots_below_top) const { return frame_.operands[frame_.operands.size() - 1 - slots_below_top]; }

  // --- on_stack_replacement.cpp
  using HeldLocal = u32;  // number of a local that holds a locked object
  static constexpr HeldLocal mirror_of_holder = ~0u;
  void enter_loop_of_method();
  void enter_with_monitors();
  std::vector<HeldLocal> monitors_at(u32 instruction);

  // --- by category
  void build_constant(Operation operation, u64 word);
  Type type_of_constant() const;
  void build_local(Operation operation, u64 word);
  void build_shuffle(Operation operation);
  void build_arithmetic(Operation operation);
  void build_branch(Operation operation);
  bool build_speculation(Condition condition, u32 operands, u32 target);
  bool leads_to_unknown_loop(u32 block) const;
  void build_switch(Operation operation, u64 word);
  std::vector<bool> speculate_on_switch();
  void build_return(Operation operation);
  void end_inlined_method(Node* value);
  void build_array(Operation operation);
  void load_element(Operation operation, Node* array, Node* index);
  void build_field(Operation operation, u64 word);
  // The next two functions read Java objects, so the thread has to be managed (build.h).
  bool build_constant_field(const Klass* klass, u32 offset) NO_THREAD_SAFETY_ANALYSIS;
  void note_constant_object(Node* load, const Klass* klass, u32 offset) NO_THREAD_SAFETY_ANALYSIS;
  void build_object(Operation operation, u64 word);
  void build_unresolved_test(Operation operation);
  void build_impossible_cast(const Klass* wanted);
  bool build_cast_of_one_class(const Klass* wanted);
  void build_monitor(Operation operation);
  void build_invoke(Operation operation, u64 word);
  void build_selected(const CallTarget& call);
  void build_by_profile(const CallTarget& call, const Targets& targets);
  Node* test_of(const CallTarget& call, const Target& target, Node* receiver);
  // Builds the call as one of several alternatives, beginning in block_. Appends the block in which this alternative
  // ends to `ends`. Does not change the abstract frame.
  void add_call(const CallTarget& call, Ends& ends);
  void add_call(const CallTarget& call, Type type, Ends& ends);
  void add_direct_call(const Target& target, u64 count, Ends& ends);  // inlines the target if possible, else calls it
  void finish_call(u32 argument_slots, const Ends& ends);

  // --- exceptions.cpp
  bool catches() const;  // whether any handler, also of a caller, covers this instruction
  void build_throw();
  void raise_unless(Node* condition);
  void catch_after_call();
  void dispatch(Thrown thrown);
  void enter_handler(u32 handler, const Thrown& thrown);
  void end_activation(Thrown thrown);
  void give_up(const Thrown& thrown);
  Block* begin_path(Block* from);

  // --- hierarchy.cpp
  // The unique concrete method of the call; null if the method depends on the receiver's class.
  Method* unique_concrete_method_of(const CallTarget& call);
  Method* guard_only_implementation(const CallTarget& call);
  const InstanceKlass* class_named_by_call() const;
  const Klass* array_named_by_call() const;

  // --- intrinsics.cpp
  using Arguments = std::vector<Node*>;  // one node per argument; long and double count once
  // Builds a call of the target's library kernel, if the target has one whose parameters fit into registers. Returns
  // false if it has built nothing.
  bool try_kernel(const Target& target, u64 count, Ends& ends);
  Node* new_ints(Node* length);
  // Builds a call of Object.clone. Returns false if it has built nothing.
  bool try_clone(const Target& target, Ends& ends);
  Node* is_long_enough(Intrinsic intrinsic, const Arguments& in);
  // Builds the call of an intrinsic. Returns false if it has built nothing.
  bool try_intrinsic(const Target& target, Ends& ends);
  bool build_intrinsic(Intrinsic intrinsic, const Target& target, const Arguments& in, Node*& value);
  bool build_string_intrinsic(Intrinsic intrinsic, const Arguments& in, Node*& value);
  Node* build_unsafe_access(const UnsafeAccess& what, const Arguments& arguments);
  bool build_box(Node* number, Node*& value) NO_THREAD_SAFETY_ANALYSIS;  // reads the cache's length
  Node* class_fact(Intrinsic intrinsic, Node* mirror);
  Node* caller_class();
  void copy_bytes(const Arguments& in);
  void guard_for_intrinsic(Node* condition);
  Node* field_of(Node* object, const InstanceKlass* klass, u32 offset, char type);
  Node* string_value(Node* string);  // the string is not null
  Node* string_coder(Node* string);
  Node* string_length(Node* string, Node* value);
  Node* string_char_at(Node* string, Node* index);
  Node* latin1_char(Node* bytes, Node* index);
  Node* utf16_char(Node* bytes, Node* index);

  // --- inlined.cpp
  // Inlines a call of the target. Returns false if it has built nothing.
  bool try_inline(const Target& target, u64 count, Ends& ends);
  f64 share_of(const Target& target, u64 count) const;  // the share of the call's executions that select this target
  void run_in(Block* block, std::span<Node* const> arguments);
  static bool is_object_initializer(const Method* method);
  std::string run_inlined(Builder& inner, const Target& target);
  void note_virtual_call(const CallTarget& call, const Targets& targets);
  Targets targets_of(const CallTarget& call) const;
  Targets cached_targets(const CallTarget& call) const;
  const Klass* known_class(const Node* value) const;
  bool is_byte_array(const Node* value) const;
  void note_declared(const Node* value, std::string_view descriptor);
  void note_declared_parameters(std::span<Node* const> locals);
  std::string_view declared(const Node* value) const;
  const Klass* class_unless_null(const Node* value) const;
  bool is_known_not_null(const Node* value) const;

  Graph& graph_;
  Inliner& inliner_;
  const MethodShape& shape_;
  const Instructions& instructions_;
  const Flow& flow_;
  const LocalLiveness& live_;
  Activation activation_;
  FrameState* const outer_;  // the caller's frame state; null for the compiled method
  // the inlined call in which this builder's method is; null for the compiled method
  const Origin* const outer_origin_;
  std::vector<Fact> facts_;
  std::vector<Declared> declared_;
  Ends returns_;                  // the blocks in which an inlined method returns
  std::vector<Thrown> thrown_;    // the exceptions that an inlined method throws to its caller
  HeldLock* own_lock_ = nullptr;  // the monitor that a synchronized method acquires at its entry
  std::vector<Block*> blocks_;    // the graph's block of each flow block
  std::vector<Block*> entries_;   // by flow block: the preheader, if the flow block is a loop header; otherwise null
  // by flow block: the abstract frames at the ends of those incoming edges that are built
  std::vector<std::vector<Frame>> incoming_;
  u32 begun_ = 0;           // number of flow blocks whose building has begun
  Block* block_ = nullptr;  // the current block; null if this instruction is unreachable
  Frame frame_;
  u32 instruction_ = 0;
  FrameState* state_ = nullptr;  // the frame state of this instruction; null until it is made
  std::string refusal_;
  // Set for the second builder of an OSR graph (on_stack_replacement.cpp). When a block begins at sought_instruction_,
  // the builder stores the block's abstract frame in sought_frame_.
  std::optional<u32> sought_instruction_;
  std::optional<Frame> sought_frame_;
};

}  // namespace keyhole::graph
