// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Graphs in SSA form: a method as blocks of nodes.
//
//   blocks[0] ──> block ──> ...      nodes in the order of execution, phis first; the last one ends the block
//
// G1: a node's inputs are defined before it on every path. The nth input of a phi is defined at the end of the block's
//     nth predecessor, where a predecessor with two edges counts twice.
// G2: nodes with effects keep the order of the bytecode. Nodes without effects have a fixed place in a block, too: the
//     graph is no sea of nodes.
// G3: a node that may deoptimize has a frame state (frame_state.h).
// G4: a loop has one header, which dominates the loop. The blocks are in reverse postorder.
// G5: a graph names methods and classes, never objects, so it may be kept across a safepoint. Its owner pins their
//     class units.
//
// verify.cpp checks all of these rules but G5.
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
#include "vm/link/loading/class_hierarchy.h"

namespace keyhole::interpreter {
struct KernelCall;
}

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

// --- attributes of nodes, besides their inputs -----------------------------------------------------------------------

enum class Condition : u8 { Equal, NotEqual, Less, GreaterOrEqual, Greater, LessOrEqual, Below };  // Below is unsigned

// The reason why a deopt point deoptimizes.
enum class DeoptReason : u8 {
  // The reasons from Null to ElementType stand for instructions that throw an exception after the deoptimization.
  Null,
  Range,
  ZeroDivisor,
  NegativeSize,
  Cast,
  ElementType,
  Throws,       // an athrow whose exception no handler of the graph catches
  Unresolved,   // an instruction that was never executed
  Locks,        // monitors are not released in nested order
  Interpreted,  // an instruction that only the interpreter executes
  Class,        // speculation that the receiver is of a class that the profile has seen
  Untaken,      // speculation that a branch takes the direction that the profile has seen
  Intrinsic,    // speculation that an intrinsic's usual case applies
  Hoisted,      // speculation that a guard of a loop also holds in front of the loop
  // speculation that the recorder coalesces the enter and the exit of an inlined synchronized method; used only while
  // locks are recorded (recorded_locks.h)
  Monitor,
};

std::string_view name(Condition condition);
std::string_view name(DeoptReason reason);
constexpr bool raises(DeoptReason reason) { return reason <= DeoptReason::ElementType; }

// A memory access. The type is a letter of vm/code/operations.def: B C S I J, A.
struct Access {
  char type;
  bool is_ordered;
  u32 offset;          // offset of the field
  const Symbol* name;  // name of the field
};
// The class and size of a new object. The `size` of an instance counts units of object_alignment. The `size` of an
// array is the logarithm to base 2 of the bytes of one element.
struct Allocation {
  u32 klass_id;
  u32 size;
};
// The cache of Integer.valueOf: the smallest cached int, and the number of cached objects.
struct BoxCache {
  i32 first;
  u32 count;
};
struct ResolvedObject {
  const ConstantPool* constants;
  u32 index;
};

// A field or element of a virtual object. Frame states list the value of the field; `type` is the type of this value in
// a graph.
struct VirtualField {
  Access access;
  Type type;
};
struct VirtualLayout {
  const Klass* klass;
  u32 length;  // an array's length; its elements are the fields
  std::span<VirtualField> fields;
};

struct SelectedMethod {
  u32 vtable_index;
  const Method* method;
};

// Fallback: the code calls the interpreter's handler for the instruction of the frame state. A fallback without
// arguments always throws.
enum class CallKind : u8 { Direct, Virtual, Interface, Fallback };
struct CallTarget {
  CallKind kind;
  // how many operands of the frame state are arguments; an appendix is not counted
  u32 argument_slots;
  Method* method;    // Direct: the called method
  u32 vtable_index;  // for a Virtual call: the method's index in the vtable
  // for an Interface call: the call site whose cache names the last receiver's class
  const interpreter::InterfaceCallSite* interface;
};

struct SwitchKeys {
  std::span<i32> keys;
};

// --- nodes and blocks ------------------------------------------------------------------------------------------------

struct Block;

// The bytecode that a node comes from. Nodes have an origin only if a listing is wanted.
struct Origin {
  const Method* method;
  u32 bci;
  const Origin* outer;  // the inlined call in which the node is, or null
};

struct Node {
  Node(Op op, Type type, u32 id) : op(op), type(type), id(id) {}

  Op op;
  Type type;
  u32 id;
  bool is_never_null = false;   // whether the value is a reference that is known not to be null
  bool has_no_record = false;   // whether this enter or exit has no lock record (S9 of frame_state.h)
  bool card_is_marked = false;  // whether an earlier node marks the card of this store (coalesced_card_marks.cpp)
  Block* block = nullptr;
  Node* replaced_by = nullptr;  // the replacement of this node, until Graph::resolve_replacements
  std::span<Node*> inputs;
  FrameState* state = nullptr;
  const Origin* origin = nullptr;
  union {
    u64 bits = 0;  // a constant's value as bits: an int or float is zero-extended, null is 0
    u32 local;     // number of a parameter's local
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
    const interpreter::KernelCall* kernel;
    u32 joined_regions;  // number of later regions that lock coarsening has merged into the region of this enter
  };

  bool has(u32 any_of) const { return graph::has(op, any_of); }
  bool is_box() const { return op == Op::box || op == Op::virtual_box; }
  // Whether the node stands for an object that the code does not allocate. Only frame states name such a node;
  // comparisons, too, may name a virtual box.
  bool is_virtual() const { return op == Op::virtual_box || op == Op::virtual_object; }
  bool is_constant() const { return op == Op::constant; }
  bool is_constant(u64 value) const { return op == Op::constant && bits == value; }
};

struct Block {
  explicit Block(std::pmr::memory_resource* memory) : nodes(memory), predecessors(memory), successors(memory) {}

  u32 id = 0;  // the index in Graph::blocks
  bool is_loop_header = false;
  Block* dominator = nullptr;  // the immediate dominator; null for the first block (Graph::order_blocks)
  std::pmr::vector<Node*> nodes;
  std::pmr::vector<Block*> predecessors, successors;

  Node* end() const { return nodes.back(); }
  bool is_ended() const { return !nodes.empty() && nodes.back()->has(effect::ends); }
  // Whether handlers of the graph get an exception of this call, that is, whether catch_ follows the call.
  bool catches(const Node* call) const { return end()->op == Op::catch_ && nodes.end()[-2] == call; }
  // Set by order_blocks: the block's preorder number in the dominator tree, and one more than the largest number in its
  // subtree.
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
  // For on-stack replacement: the first instruction of the loop's header, at which the graph starts. Empty for a graph
  // that starts at the method's entry.
  std::optional<u32> loop_instruction;
  u32 node_count() const { return node_count_; }  // all node ids are smaller than this
  // All blocks; after order_blocks they are in reverse postorder.
  std::vector<Block*> blocks;
  // The compiled method, and each method whose bytecode or profile the inliner has read.
  std::vector<Method*> methods;
  // Exception handlers that the graph does not contain, because no exception had reached them when the graph was built.
  std::vector<PrunedHandler> pruned_handlers;
  // The code's dependencies: facts about the loaded classes that the code relies on without checking them.
  std::vector<UniqueConcreteMethod> assumptions;
  // The number of nested enters that were eliminated (nested_locks.cpp). The thread needs room for this many additional
  // lock records, because deoptimization may push one for each eliminated enter.
  u32 eliminated_levels = 0;
  bool has_origins = false;
  bool has_counted_loops = false;  // whether some loops have no poll (loop_strip_mining.cpp)
  const Origin* origin = nullptr;  // origin that make() gives to new nodes

  Block* make_block();
  // Makes a node that is not in a block yet.
  Node* make(Op op, Type type, std::span<Node* const> inputs = {});
  FrameState* make_frame_state(const FrameState& like);
  HeldLock* make_lock(Node* object, HeldLock* outer);
  template <typename T> T* make_data(const T& value) { return new (memory_.allocate(sizeof(T), alignof(T))) T(value); }
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

  // Records that `other` replaces `node` in all its uses.
  static void replace(Node* node, Node* other) { node->replaced_by = other; }
  static Node* current(Node* node) {
    while (node->replaced_by != nullptr) node = node->replaced_by;
    return node;
  }
  // Carries out all earlier calls of replace(): inputs and frame states get the replacements, and the replaced nodes
  // are dropped.
  void resolve_replacements();
  // Removes redundant phis: a phi whose inputs are all one value or the phi itself is replaced by that value.
  void remove_redundant_phis();
  // Drops unreachable blocks, orders the remaining blocks, and computes dominators.
  void order_blocks();

 private:
  void number_dominators();

  Method* method_;
  std::pmr::monotonic_buffer_resource memory_;
  std::vector<FrameState*> states_;
  std::vector<HeldLock*> locks_;
  u32 node_count_ = 0;
};

// Verifies the graph. Returns an empty string, or a description of the first broken rule with its place in the graph.
std::string verify(const Graph& graph);
// The graph as text, with a line for each block and node. Complete text can be parsed again.
enum class Detail : u8 { Readable, Complete };
std::string print(const Graph& graph, Detail detail = Detail::Readable);
// The graph as DOT for Graphviz: a box for each block, an arrow for each edge, back edges dashed.
std::string print_dot(const Graph& graph, std::string_view title);

}  // namespace keyhole::graph
