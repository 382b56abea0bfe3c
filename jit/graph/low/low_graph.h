// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The low graph of a function: the last form of a method before code generation, without Java operations. It is plain
// data, and does not depend on the header layout. jit/graph/lower makes it of the optimising tier's graph, and the code
// generators (jit/llvm, jit/middle) read it.
//
//   Function -> blocks -> nodes, in their order; a node is named by its number, and is in one block
//            -> symbols: names of outside addresses (entry stubs, stubs, VM entries), which the host resolves
//            -> sites: pairs of words in the code, one for each call (vm/code/compiled_code.h)
//
// G1: block 0 is the entry, and no edge leads to it. A block ends in its only terminator. Phis are the first nodes of a
//     block, and have one operand for each predecessor, in the order of `Block::predecessors`.
// G2: a node stands before its uses: earlier in the same block, or in a block that dominates the use's block.
//     Constants, symbols, parameters, addresses of sites and variables belong to no block, and may be used everywhere.
//     Only Get and Set use a variable. The code generator turns variables into phis.
// G3: nodes check nothing. Earlier nodes have tested for null, array bounds, the divisor 0, and the divisor -1 of the
//     smallest number.
// G4: a call of Java may read and write all memory, and may move objects. After the call, the graph uses no reference
//     that was computed before it, but loads it from its stack slot again. No alias class lets an access move across a
//     call.
// G5: a snippet and a leaf function reach no safepoint.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/types.h"

namespace keyhole::low {

enum class Type : u8 { None, I1, I8, I16, I32, I64, F32, F64, Ptr };

// The operations of nodes: low_nodes.def.
enum class Op : u8 {
#define LOW_NODE(name, mnemonic, operands, meaning) name,
#include "jit/graph/low/low_nodes.def"
#undef LOW_NODE
};

// The parameters of the interpreter's calling convention, in their order (vm/interpreter/handlers/handlers.h). An entry
// of compiled code receives Frame, Slot, Method and Thread (jit/code/registers.h).
enum class Parameter : u8 { Pc, Slot, Locals, Thread, Frame, Table, Method, Word };
inline constexpr u32 parameter_count = 8;

// Accesses of different alias classes never overlap, except that Any overlaps with all classes. Two accesses of one
// class do not overlap if their parts differ and neither part is 0. The part of an array element stands for the
// element's type, and the part of a field for the field's offset.
enum class Alias : u8 { Any, JavaFrame, Thread, Metadata, ArrayLength, Header, Element, Field };
// EachTime: a Plain access that no optimisation may merge or hoist out of a loop, such as the load of a poll.
enum class Order : u8 {
  Plain,
  Unordered,
  EachTime,
  Acquire,
  Release,
  AcquireRelease,
  SequentiallyConsistent,
  ThreadRelease
};

using NodeId = u32;
using BlockId = u32;
inline constexpr NodeId no_node = ~0u;

// The symbol that stands for the compiled function itself, for recursive calls.
inline constexpr char own_entry_symbol[] = "keyhole_code";

struct Node {
  Op op;
  Type type = Type::None;  // type of the node's value
  Alias alias = Alias::Any;
  Order order = Order::Plain;
  u32 part = 0;                              // within the alias class
  u32 first_operand = 0, operand_count = 0;  // in Function::operands
  // The immediate operand of the node. For a Constant: its bits. For a Symbol, Leaf or Snippet: the symbol's number.
  // For a Parameter: its number. For a SiteAddress: the number of the call site. For an Address: its signed offset.
  u64 bits = 0;
  u32 scale = 1;  // factor by which an Address multiplies its index
  u32 mark = 0;   // number of the node's mark, which is Function::marks[mark - 1]; 0 if the node has no mark
};

struct Case {
  i64 value;
  BlockId target;
};

struct Block {
  std::vector<NodeId> nodes;  // the block's nodes; the last one is the terminator
  std::vector<BlockId> predecessors;
  // The blocks to which the terminator may go. A Jump has one target. A Branch has the target for true, then the target
  // for false. A Switch has the default target, then one target for each case.
  std::vector<BlockId> targets;
  std::vector<i64> cases;                 // the values of a Switch's cases
  bool likely = false, unlikely = false;  // whether a Branch is likely, or unlikely, to go to its first target
};

struct Site {
  u64 call, resume;  // the two words of a call site, which lie beside the code
};

struct Function {
  std::string name;
  std::vector<Node> nodes;
  std::vector<NodeId> operands;
  std::vector<Block> blocks;
  std::vector<std::string> symbols;
  std::vector<Site> sites;
  // The marks of nodes, which only a listing needs. A mark is a text that says where a node comes from: a bytecode, a
  // lock's fast path or a deopt exit (lower/annotations.cpp). Several nodes may have the same mark.
  std::vector<std::string> marks;
  bool loops_over_arrays = false;  // whether LLVM runs its longer pass pipeline, with unrolling and vectorization

  const NodeId* operands_of(const Node& node) const { return operands.data() + node.first_operand; }
  NodeId operand(NodeId node, u32 index) const { return operands[nodes[node].first_operand + index]; }
};

// Builds a function. Appends each node to the current block, unless nodes of its kind belong to no block (G2).
class Builder {
 public:
  explicit Builder(Function& function) : function(function) {}

  BlockId new_block();
  void go_to(BlockId block) { current = block; }
  BlockId block() const { return current; }
  // All nodes that are made from now on get the mark with this number in Function::marks. Number 0 stands for no mark.
  void set_mark(u32 number) { mark = number; }
  // Adds the text to Function::marks, and returns the number of the new mark. Numbers begin at 1.
  u32 add_mark(std::string text);

  NodeId constant(Type type, u64 bits);
  NodeId symbol(std::string_view name);
  NodeId parameter(Parameter parameter, Type type = Type::Ptr);
  NodeId site_address(const Site& site);
  NodeId variable(Type type);
  NodeId get(NodeId variable);
  NodeId set(NodeId variable, NodeId value);

  // Makes an arithmetic node, a conversion, a comparison, a Select, or a node without operands.
  NodeId value(Op op, Type type, std::initializer_list<NodeId> operands);
  // Makes the address base + index * scale + offset. The index is an I64, or no_node.
  NodeId address(NodeId base, NodeId index, u32 scale, i64 offset);
  NodeId load(Type type, NodeId address, Alias alias, u32 part = 0, Order order = Order::Plain);
  NodeId store(NodeId address, NodeId value, Alias alias, u32 part = 0, Order order = Order::Plain);
  // Makes an atomic access, which returns the old value. Exchange, FetchAdd and CompareExchange are sequentially
  // consistent; FetchAnd is relaxed.
  NodeId atomic(Op op, Type type, std::initializer_list<NodeId> operands, Alias alias, u32 part = 0);
  NodeId fence(Order order);
  // Makes a phi without operands; set_operand() sets them later. All predecessors of the block must be known.
  NodeId phi(Type type, u32 operand_count);
  void set_operand(NodeId node, u32 index, NodeId operand) {
    function.operands[function.nodes[node].first_operand + index] = operand;
  }

  NodeId call_leaf(std::string_view symbol, Type type, const std::vector<NodeId>& arguments);
  NodeId call_snippet(std::string_view name, Type type, const std::vector<NodeId>& arguments);
  // Calls `target`, which is a symbol or an address. The nodes CallStatus, CallResult and CallSlot give the call's
  // results.
  NodeId call_java(NodeId target, NodeId frame, NodeId slot, NodeId method, NodeId thread);

  void jump(BlockId target);
  void branch(NodeId condition, BlockId when_true, BlockId when_false, bool likely = false, bool unlikely = false);
  void switch_on(NodeId value, BlockId otherwise, const std::vector<Case>& cases);
  void ret(NodeId status, NodeId result, NodeId slot);
  // Jumps to `target` with all eight parameters of the calling convention. If an argument is no_node, its parameter is
  // undefined.
  void exit(NodeId target, const std::vector<NodeId>& parameters);
  void unreachable();

 private:
  NodeId add(Node node, const NodeId* operands, usize count, bool in_block);
  u32 symbol_number(std::string_view name);
  void leads_to(BlockId target);

  Function& function;
  BlockId current = 0;
  u32 mark = 0;
};

std::string_view name(Type type);
std::string_view name(Op op);
bool is_terminator(Op op);
bool belongs_to_no_block(Op op);

// Verifies the function. Returns an empty string, or a description of the first error in words.
std::string verify(const Function& function);
// The function as text, one line per node.
std::string print(const Function& function);

}  // namespace keyhole::low
