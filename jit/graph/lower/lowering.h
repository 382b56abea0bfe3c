// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Lowering of one graph (lower.h). Its parts have files of their own:
//
//   lower.cpp            blocks, phis, the entry, returns
//   values.cpp           constants, arithmetic, conversions, comparisons
//   memory.cpp           fields, elements, roots
//   objects.cpp          allocation, type checks, stores of references, resolved objects
//   boxes.cpp            boxes
//   expanded_snippets.cpp  short snippets as low nodes
//   scalar_replaced.cpp  objects that deoptimization materializes
//   intrinsics.cpp       computations of intrinsics
//   locks.cpp            monitors
//   calls.cpp            calls, the header, reloads after a call
//   deopt_exits.cpp      guards, polls, the writes of deopt exits
//   annotations.cpp      comments of listings
#pragma once

#include <deque>
#include <memory>
#include <optional>

#include "jit/graph/lower/lower.h"
#include "jit/graph/lower/stack_slots.h"

namespace keyhole::graph {

class Lowering {
 public:
  Lowering(const Graph& graph, Snippets snippets, Samples samples);
  Lowered run();

 private:
  using NodeId = low::NodeId;
  using BlockId = low::BlockId;

  using DeoptKey = std::pair<const FrameState*, std::optional<DeoptReason>>;

  // lower.cpp
  void lower_entry();
  void lower_entry_in_loop();
  NodeId has_native_room();
  void lower_block(const Block* block);
  void lower(const Node* node);
  void lower_end(const Node* node);
  void lower_return(const Node* node);
  void fill_phis();
  Lowered refused();
  void make_variables();
  NodeId value_at_end_of(BlockId edge, const Node* node);
  void refuse(std::string why);
  NodeId symbol(const std::string& name, const void* address);
  // Makes a symbol for an address. The symbol's name is a kind, such as "method", and a number, because a function may
  // use several addresses of one kind. The numbers are the same in every process, so that an image can keep the code.
  NodeId numbered_symbol(std::string_view kind, const void* address);
  static low::Type type_of(Type type);
  static low::Type memory_type(char type);  // the low type of a value in memory, for the type letter of an Access

  // values.cpp
  NodeId constant(const Node* node);
  // Lowers an arithmetic node. Returns no_node for other nodes.
  NodeId arithmetic(const Node* node);
  NodeId divided(const Node* node);
  NodeId three_way(const Node* node);
  NodeId compare_int(const Node* node);
  NodeId compare_operands_of(const Node* three_way, Condition condition);
  NodeId is_false(NodeId bit);
  // The node's value as an I1: the result of a condition, or whether an int is not 0.
  NodeId bit_of(const Node* node);
  NodeId value_of(const Node* node);
  NodeId int_constant(i64 value) { return b_.constant(low::Type::I32, static_cast<u32>(value)); }

  // memory.cpp
  struct Place {
    NodeId address;
    low::Alias alias;
    u32 part;
  };
  NodeId load(const Access& access, Type type, const Place& place);
  void store(const Access& access, const Place& place, const Node* value);
  Place field(const Node* node);
  Place element(const Node* node);
  NodeId array_length(const Node* node);
  NodeId decoded(NodeId narrow);
  NodeId mirror_of(const Klass* klass);

  // objects.cpp
  // The alias part (low_graph.h) of array elements that are references. Elements of a primitive type have a part from 1
  // to 4 that depends on their size: 1 for one byte, 4 for eight bytes.
  static constexpr u32 reference_part = 5;
  NodeId snippet(std::string_view name, low::Type type, const std::vector<NodeId>& arguments);
  NodeId klass_of(NodeId object);
  NodeId klass_id_of(NodeId object);
  template <typename Test> NodeId unless_null(const Node* object, bool if_null, Test&& test);
  NodeId is_subtype_of(NodeId object, const Klass* wanted);
  NodeId is_listed(NodeId known, NodeId klass, NodeId other, const Klass* wanted);
  NodeId or_by_leaf(NodeId known, const std::string& name, const void* function, const std::vector<NodeId>& arguments);
  void lower_type_test(const Node* node);
  void lower_can_store(const Node* node);
  NodeId has_class(const Node* node);
  NodeId selects(const Node* node);
  NodeId has_no_finalizer(const Node* node);
  void lower_allocation(const Node* node);
  static bool is_small(const Node* allocation);
  NodeId allocate(bool is_array, const std::vector<NodeId>& arguments, const FrameState* state);
  void store_reference(const Node* node);
  NodeId byte_for_array(const Node* node);
  NodeId resolved_object(const Node* node);
  NodeId root_object(const Node* node);

  // expanded_snippets.cpp
  bool expand_snippet(std::string_view name, const std::vector<NodeId>& arguments, NodeId* result);
  NodeId expanded_klass_id(NodeId object);
  NodeId expanded_klass(NodeId object);
  NodeId array_bytes(NodeId element_shift, NodeId length);
  NodeId expanded_has_room(NodeId bytes);
  NodeId expanded_has_room_for_array(const std::vector<NodeId>& arguments);
  NodeId expanded_allocation(NodeId klass_id, NodeId bytes);
  NodeId expanded_array_allocation(const std::vector<NodeId>& arguments);
  void expand_store(const std::vector<NodeId>& arguments, bool is_ordered, bool marks);

  // boxes.cpp
  void lower_box(const Node* node);
  void lower_comparison_with_box(const Node* node);
  NodeId place_in_cache(const Node* box);
  NodeId cached_box(NodeId place);

  // intrinsics.cpp
  // Lowers the computation of an intrinsic. Returns no_node for other nodes.
  NodeId computed(const Node* node);
  Place raw(const Node* node);
  void lower_identity_hash(const Node* node);
  void lower_intrinsic(const Node* node);
  void lower_store_raw(const Node* node);
  void lower_atomic(const Node* node);

  // locks.cpp
  void lower_monitor(const Node* node);
  void lower_lock_method(const Node* node);
  void lower_check_monitors(const Node* node);
  void lower_try_enter(const Node* node);
  void lower_release(const Node* node);
  void lower_drop_record();
  void enter(std::string_view algorithm, const Node* enter, BlockId otherwise);
  void push_record(NodeId record, NodeId object, NodeId top);
  NodeId top_after(const Node* exit, NodeId top);
  void make_record(const Node* object);
  static void describe_eliminated_locks(const FrameState* state, DebugInfo& site);
  void settle_locks(const FrameState* state);
  void release_coarsened(const Node* object);
  void enter_eliminated(const Node* object);
  NodeId record_at(NodeId index);
  void set_record_top(NodeId top);

  // calls.cpp
  void lower_call(const Node* node);
  // write_slots writes the slots of all frames of the frame state. write_own_slots writes only the slots of the
  // innermost frame.
  void write_slots(const FrameState* state, usize operands, const FrameContents& contents, u32 shift = 0);
  void write_own_slots(const FrameState* state, const FrameContents& contents);
  void write_slot(u32 slot, const Node* value, const FrameContents& contents);
  void write_header(u32 locks, FrameContents::Kind kind);
  void write_kind(const FrameContents& contents, u32 locks, FrameContents::Kind kind);
  void write_site(const FrameState* state, const Node* call = nullptr);
  NodeId make_site(const FrameState* state, DebugInfo info);
  static void describe_call(const Node* call, DebugInfo& site);
  static void describe_scalar_replaced(const FrameState* state, u32 shift, DebugInfo& site);
  NodeId target_of(const Node* node, NodeId* method);
  NodeId selected_method(NodeId object, u32 vtable_index);
  NodeId entry_from_code(NodeId method);
  NodeId interface_target(const Node* node, NodeId* method);
  NodeId obsolete_word();
  void check_status(const Node* node, NodeId call, i64 top_of_result);
  void catch_exception(const Node* call);
  void lower_unwind();
  BlockId abnormal_return(bool passes);
  NodeId result_of(const Node* node, NodeId word);
  void reload(const Node* call);
  void write_abnormal_return();
  static bool is_covered(const FrameState* state);
  static bool passes(const FrameState* state);

  // deopt_exits.cpp Counters for stress tests, in which the code takes every nth deopt point or abnormal return. All
  // compiled code shares these counters.
  static inline u32 deopts_passed_ = 0, returns_passed_ = 0;
  NodeId is_nth(u32* passed, std::string_view name, i64 interval);
  void deoptimize_under_stress(const FrameState* state);
  void go_on_if(NodeId bit, const FrameState* otherwise) { go_on_if(bit, deopt_exit(otherwise)); }
  static bool is_counted(const FrameState* state, DeoptReason reason);
  void go_on_if(NodeId bit, BlockId otherwise);
  void lower_guard(const Node* node);
  void lower_poll(const Node* node);
  void note_sample(const FrameState* state, NodeId armed);
  void record_execution_sample(const FrameState* state);
  BlockId deopt_exit(const FrameState* state) { return deopt_exit_at({state, std::nullopt}); }
  BlockId deopt_exit(const FrameState* state, DeoptReason reason);
  BlockId deopt_exit_at(const DeoptKey& key);
  void write_deopt_exit(const DeoptKey& key, const FrameContents& contents);
  void write_throw(const FrameState* state, const FrameContents& contents);
  void write_inlined_deopt_exit(const FrameState* state, const FrameContents& contents);
  void write_deopt_exit_with_objects(const FrameState* state, const FrameContents& contents);
  void set_deopt_top(const FrameState* state);
  void write_tails();
  void count_deopt(const FrameState* state, DeoptReason reason);
  void store_slot(i64 distance, const Node* value);
  NodeId as_word(const Node* node);

  // annotations.cpp: each function below sets the comment for the low nodes that are made afterwards. A listing shows
  // the comment at the instructions of these nodes.
  void annotate(const Node* node);
  void annotate_fast_path(const Node* node, std::string_view algorithm);
  void annotate_deopt_exit(const FrameState* state, std::optional<DeoptReason> reason);
  void annotate(std::string_view text);

  NodeId instruction_address(u32 instruction);
  i64 frame_distance() const { return i64{graph_.method()->max_locals} * 8; }
  // The distance in bytes from the frame's locals to an operand of the innermost frame. Operand -1 is the slot below
  // the first operand.
  static i64 operand_distance(const FrameState* state, i64 operand) {
    return (i64{operands_distance(*state)} + operand) * 8;
  }
  NodeId locals() { return locals_variable_ == low::no_node ? locals_ : b_.get(locals_variable_); }
  NodeId at(i64 distance_from_locals) { return b_.address(locals(), low::no_node, 1, distance_from_locals); }
  NodeId thread_field(usize offset, low::Type type, low::Order order = low::Order::Plain);

  const Graph& graph_;
  const Snippets snippets_;
  const Samples samples_;
  StackSlots stack_slots_;
  Lowered lowered_;
  low::Builder b_;
  NodeId slot_, frame_, method_, thread_, locals_ = low::no_node;
  // by node id: in values_ the low node of the value, and in bits_ the I1 of a condition
  std::vector<NodeId> values_, bits_;
  std::vector<BlockId> blocks_, ends_;  // by block id: in blocks_ the first low block, and in ends_ the last one
  std::vector<NodeId> variables_;       // by node id: the low variable that holds the value, or no_node
  // The variable with the address of local 0. `locals_` has this address only up to the first call.
  NodeId locals_variable_ = low::no_node;
  // The code that gets control when a call does not return normally. There are two such blocks. `passing` can pass an
  // exception to the caller of the compiled method; calls in activations without handlers and locks jump to it. All
  // other calls jump to `block`.
  struct AbnormalReturn {
    std::optional<BlockId> block, passing;
    NodeId status, result, slot;  // variables
  };
  std::optional<AbnormalReturn> abnormal_return_;
  NodeId obsolete_site_ = low::no_node;
  struct DeoptExit {
    BlockId block;
    std::shared_ptr<const FrameContents> contents;
  };
  std::shared_ptr<const FrameContents> contents_;  // what the stack slots contain at the current node
  // The address of the thread's lock records, or no_node. It is no_node until the current block has loaded the address,
  // and again after each call. If each use loaded the address, LLVM would repeat the load after each locked
  // instruction, and the monitor exit would wait for the load.
  NodeId records_ = low::no_node;
  // small objects that were allocated since the block's begin or since its last call
  std::vector<const Node*> allocated_here_;
  std::map<DeoptKey, DeoptExit> deopt_exits_;  // lower.h M4
  // A tail is the end of deopt exits: code that writes the slots of one frame and of its outer frames. Deopt exits that
  // differ only in their innermost frames jump to the same tail.
  struct Tail {
    const FrameState* state;
    FrameContents contents;  // the frame contents that are the same at all jumps to this tail
    // number of lock records that the frames inside `state` have; 0 if the code has written the frame's header
    u32 locks;
    BlockId block;
  };
  void write_tail(const Tail& tail);
  Tail& tail_of(const FrameState* state, const FrameContents& contents, u32 locks);
  std::deque<Tail> tails_;           // all tails, in the order in which the first jump to each was made
  NodeId deopt_top_ = low::no_node;  // variable with the address of the top operand's slot
  std::map<std::string, u32, std::less<>> annotations_;
  std::map<std::pair<std::string_view, const void*>, u32> numbered_;
};

}  // namespace keyhole::graph
