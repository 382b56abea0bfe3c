// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Graphs: a method as blocks of values, each assigned once.
//
//   blocks[0] ──> block ──> ...      nodes in the order of execution, phis first; the last one ends the block
//
// G1: a node's inputs are defined before it on every path; those of a phi at the end of the predecessor of the same
//     number, counted with repetitions.
// G2: the order of nodes with effects in a block is that of the bytecode. Nodes without are where they were made.
// G3: what may leave has a state (frame_state.h).
// G4: loops have one header, which dominates the loop. The blocks are in reverse postorder.
// G5: a graph names methods and classes, never objects: it may be kept over a safepoint. Who keeps it pins their units.
// verify.cpp checks these rules.
#pragma once

#include <memory>
#include <memory_resource>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "jit/graph/ir/frame_state.h"
#include "jit/graph/ir/type.h"
#include "vm/bytecodes.h"
#include "vm/code/instruction.h"
#include "vm/link/class_hierarchy.h"

namespace keyhole::graph {

namespace effect {
inline constexpr u32 pure = 1, reads = 2, writes = 4, deoptimizes = 8, calls = 16, ends = 32;
}  // namespace effect

enum class Op : u8 {
#define NODE(name, ...) name,
#include "jit/graph/ir/nodes.def"
#undef NODE
};

struct NodeRow {
  std::string_view name, inputs;
  char type;
  u32 effects;
};
namespace detail {
inline constexpr NodeRow rows[] = {
#define NODE(name, inputs, type, effects) {#name, inputs, type, effects},
#include "jit/graph/ir/nodes.def"
#undef NODE
};
}  // namespace detail
constexpr const NodeRow& row(Op op) { return detail::rows[static_cast<u32>(op)]; }
constexpr bool has(Op op, u32 any_of) { return (row(op).effects & any_of) != 0; }

// --- what nodes are told beside their inputs -------------------------------------------------------------------------

enum class Condition : u8 { Equal, NotEqual, Less, GreaterOrEqual, Greater, LessOrEqual, Below };   // Below: unsigned

// Why code leaves.
enum class DeoptReason : u8 {
  Null, Range, ZeroDivisor, NegativeSize, Cast, ElementType,   // the instruction raises
  Throws,       // athrow
  Unresolved,   // a cell that has not been executed
  Locks,        // monitors that are not nested
  Interpreted,  // an instruction that only the interpreter executes
  Class,        // guesses from the profile: a receiver of a class that it has not seen,
  Untaken,      // a way that a branch has never gone,
  Intrinsic,    // a method does what is usual,
  Hoisted,      // what a loop asks holds before it
  Monitor,      // while locks are recorded: the pairs of an inlined method's monitor are counted
};

std::string_view name(Condition condition);
std::string_view name(DeoptReason reason);
constexpr bool raises(DeoptReason reason) { return reason <= DeoptReason::ElementType; }

// Type as in vm/code/operations.def: B C S I J, A.
struct Access {
  char type;
  bool is_ordered;
  u32 offset;            // of a field
  const Symbol* name;    // of a field
};
// Bytes / object_alignment of an instance; shift of an array's elements.
struct Allocation {
  u32 klass_id;
  u32 size;
};
// Of a box: the value of the first object in the cache, and how many there are.
struct BoxCache {
  i32 first;
  u32 count;
};
struct ResolvedObject {
  const ConstantPool* constants;
  u32 index;
};

// Of an object that is virtual: what a FrameState tells the values of. Type: of what is on the stack.
struct VirtualField {
  Access access;
  Type type;
};
struct VirtualLayout {
  const Klass* klass;
  u32 length;                      // of an array, whose elements are the fields
  std::span<VirtualField> fields;
};

struct SelectedMethod {
  u32 vtable_index;
  const Method* method;
};

// Step: the state's cell, by its handler in the interpreter. Without arguments: it raises an exception.
enum class CallKind : u8 { Direct, Virtual, Interface, Fallback };
struct CallTarget {
  CallKind kind;
  u32 argument_slots;                                  // of the state's operands: without an appendix
  Method* method;                                      // Direct
  u32 vtable_index;                                    // Virtual
  const interpreter::InterfaceCallSite* interface;     // Interface
};

struct SwitchKeys {
  std::span<i32> keys;
};

// --- nodes and blocks ------------------------------------------------------------------------------------------------

struct Block;

// Which bytecode a node comes from; known when a listing is wanted.
struct Origin {
  const Method* method;
  u32 bci;
  const Origin* outer;             // the call that `method` is inlined at
};

struct Node {
  Node(Op op, Type type, u32 id) : op(op), type(type), id(id) {}

  Op op;
  Type type;
  u32 id;
  bool is_never_null = false;      // a reference
  bool has_no_record = false;      // an enter or exit: S9 of frame_state.h
  bool is_marked = false;          // a store of a reference: its card has been marked (coalesced_card_marks.cpp)
  Block* block = nullptr;
  Node* replaced_by = nullptr;     // until Graph::resolve_replacements
  std::span<Node*> inputs;
  FrameState* state = nullptr;
  const Origin* origin = nullptr;
  union {
    u64 bits = 0;                  // constant: an int or float zero-extended; a reference is null
    u32 local;                     // parameter: where the value is
    Condition condition;
    DeoptReason reason;
    Access access;
    Allocation allocation;
    BoxCache cache;
    ResolvedObject resolved;
    const Klass* klass;
    Object** root;
    const CallTarget* call;
    const SwitchKeys* switch_keys;
    const SelectedMethod* selected;
    const VirtualLayout* layout;
    u32 joined_regions;            // of an enter: that coarsen_locks has added to its own
  };

  bool has(u32 any_of) const { return graph::has(op, any_of); }
  bool is_box() const { return op == Op::box || op == Op::virtual_box; }
  // No object at all, but what states name in its place.
  bool is_virtual() const { return op == Op::virtual_box || op == Op::virtual_object; }
  bool is_constant() const { return op == Op::constant; }
  bool is_constant(u64 value) const { return op == Op::constant && bits == value; }
};

struct Block {
  explicit Block(std::pmr::memory_resource* memory) : nodes(memory), predecessors(memory), successors(memory) {}

  u32 id = 0;                      // its place in Graph::blocks
  bool is_loop_header = false;
  Block* dominator = nullptr;      // the immediate one; the first block has none (Graph::order_blocks)
  std::pmr::vector<Node*> nodes;
  std::pmr::vector<Block*> predecessors, successors;

  Node* end() const { return nodes.back(); }
  bool is_ended() const { return !nodes.empty() && nodes.back()->has(effect::ends); }
  // What this call of the block throws goes to handlers: catch_ stands right behind it.
  bool catches(const Node* call) const { return end()->op == Op::catch_ && nodes.end()[-2] == call; }
  // By order_blocks: places in a walk over the tree of dominators, before and behind what is below.
  u32 dominance_begin = 0, dominance_end = 0;
  bool dominates(const Block* other) const {
    return dominance_begin <= other->dominance_begin && other->dominance_end <= dominance_end;
  }
};

struct PrunedHandler {
  const Method* method;
  u32 number;
};

class Graph {
 public:
  explicit Graph(Method* method) : methods{method}, method_(method) {}
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;

  Method* method() const { return method_; }
  // The header of the loop at which a frame of the interpreter's continues in it; otherwise the method is entered.
  std::optional<u32> loop_cell;
  u32 node_count() const { return node_count_; }    // ids are below
  // In reverse postorder after order_blocks.
  std::vector<Block*> blocks;
  // What it was made of: the method, and those whose cells or profiles were read to inline them, each once.
  std::vector<Method*> methods;
  // Handlers of these that no exception had gone to yet: they were left out.
  std::vector<PrunedHandler> left_out;
  // What holds for the classes that are linked now, and is not asked for in it.
  std::vector<UniqueConcreteMethod> assumptions;
  // Locks that a state may name in addition to those that are held (HeldLock::is_eliminated).
  u32 eliminated_levels = 0;
  bool has_origins = false;
  bool has_counted_loops = false;   // without a poll (loop_strip_mining.cpp)
  const Origin* origin = nullptr;   // of nodes that are made

  Block* make_block();
  // In no block yet.
  Node* make(Op op, Type type, std::span<Node* const> inputs = {});
  FrameState* make_frame_state(const FrameState& like);
  HeldLock* make_lock(Node* object, HeldLock* outer);
  template <typename T> T* make_data(const T& value) {
    return new (memory_.allocate(sizeof(T), alignof(T))) T(value);
  }
  template <typename T> std::span<T> make_span(std::span<const T> values) {
    T* copy = static_cast<T*>(memory_.allocate(values.size_bytes(), alignof(T)));
    std::uninitialized_copy(values.begin(), values.end(), copy);
    return {copy, values.size()};
  }

  static void append(Block* block, Node* node) {
    node->block = block;
    block->nodes.push_back(node);
  }
  static void connect(Block* from, Block* to) {
    from->successors.push_back(to);
    to->predecessors.push_back(from);
  }

  // Uses of `node` will be uses of `other`.
  static void replace(Node* node, Node* other) { node->replaced_by = other; }
  static Node* current(Node* node) {
    while (node->replaced_by != nullptr) node = node->replaced_by;
    return node;
  }
  // In all inputs and states; drops the nodes that have been replaced.
  void resolve_replacements();
  // A phi of one value is that value, also when it is an input of itself.
  void remove_redundant_phis();
  // Drops blocks that are not reached, orders the others, finds dominators.
  void order_blocks();

 private:
  void number_dominators();

  Method* method_;
  std::pmr::monotonic_buffer_resource memory_;
  std::vector<FrameState*> states_;
  std::vector<HeldLock*> locks_;
  u32 node_count_ = 0;
};

// Empty, or the first rule that is broken, and where.
std::string verify(const Graph& graph);
// Text, a line for each block and node. Complete text can be read back.
enum class Detail : u8 { Readable, Complete };
std::string print(const Graph& graph, Detail detail = Detail::Readable);
// For Graphviz: a box for each block, an arrow for each edge, back edges dashed.
std::string print_dot(const Graph& graph, std::string_view title);

}  // namespace keyhole::graph
