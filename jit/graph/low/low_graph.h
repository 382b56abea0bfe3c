// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A lowered function: what is left of a method when nothing of it is Java's any more. Plain data, the same
// for all header layouts. The optimising tier's graph ends in it, and its code generator begins with it.
//
//   Function -> blocks -> nodes, in their order; a node is named by its number, and is in one block
//            -> symbols: names of addresses outside (entry stubs, stubs, VM entries), found by the host
//            -> sites: pairs of words that stand in the code, one for each call (vm/code/compiled_code.h)
//
// G1: block 0 is the entry, and no block leads to it. Each block ends in one terminator, its last node. Phis are the
//     first nodes of a block; a phi has one operand for each predecessor, in the order of `Block::predecessors`.
// G2: a node stands before its uses: earlier in its block, or in a block that dominates. Constants, symbols,
//     parameters, addresses of sites and variables belong to no block, and may be used everywhere. A variable is used
//     by Get and Set alone: the code generator makes phis of it.
// G3: nothing is checked here: the graph has tested divisors (0, and -1 of the smallest number), null, bounds.
// G4: a call of Java may read and write all memory. No reference from before is used behind it (the graph loads it from
//     its home again); no attribute says anything that would let an access pass a call.
// G5: a snippet and a leaf function reach no safepoint.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/types.h"

namespace keyhole::low {

enum class Type : u8 { None, I1, I8, I16, I32, I64, F32, F64, Ptr };

// What the nodes do: low_nodes.def.
enum class Op : u8 {
#define LOW_NODE(name, mnemonic, operands, meaning) name,
#include "jit/graph/low/low_nodes.def"
#undef LOW_NODE
};

// The parameters of the convention (vm/interpreter/handlers.h), in their order. An entry has Frame, Home, Method and
// Thread (jit/code/registers.h).
enum class Parameter : u8 { Pc, Home, Locals, Thread, Frame, Table, Method, Cell };
inline constexpr u32 parameter_count = 8;

// Accesses of different classes are of different memory; those of one class are, too, when their `part` differs and
// neither is 0. The part of an element is its type, that of a field its number.
enum class Alias : u8 { Any, JavaFrame, Thread, Metadata, ArrayLength, Header, Element, Field };
// EachTime: as Plain, and executed as often as it is reached, in a loop at each iteration.
enum class Order : u8 {
  Plain, Unordered, EachTime, Acquire, Release, AcquireRelease, SequentiallyConsistent, ThreadRelease
};

using NodeId = u32;
using BlockId = u32;
inline constexpr NodeId no_node = ~0u;

// The symbol of the function itself: calls of it are direct.
inline constexpr char own_entry_symbol[] = "keyhole_code";

struct Node {
  Op op;
  Type type = Type::None;   // of the value
  Alias alias = Alias::Any;
  Order order = Order::Plain;
  u32 part = 0;             // of the alias class
  u32 first_operand = 0, operand_count = 0;   // in Function::operands
  u64 bits = 0;             // constant: its bits; Symbol, Leaf, Snippet: number of the symbol; Parameter; SiteAddress:
                            // number of the site; Address: the offset, signed
  u32 scale = 1;            // Address: of the index
  u32 mark = 0;             // 0: none; otherwise Function::marks[mark - 1]
};

struct Case {
  i64 value;
  BlockId target;
};

struct Block {
  std::vector<NodeId> nodes;             // the last one is the terminator
  std::vector<BlockId> predecessors;
  std::vector<BlockId> targets;          // Jump: one. Branch: when true, when false. Switch: default, then its cases
  std::vector<i64> cases;                // Switch: the values
  bool likely = false, unlikely = false; // Branch: the first target
};

struct Site {
  u64 call, resume;   // the two words
};

struct Function {
  std::string name;
  std::vector<Node> nodes;
  std::vector<NodeId> operands;
  std::vector<Block> blocks;
  std::vector<std::string> symbols;
  std::vector<Site> sites;
  std::vector<std::string> marks;   // for a listing: where nodes come from. Empty: nobody wants one
  bool loops_over_arrays = false;   // the longer pipeline: unrolling and vectors

  const NodeId* operands_of(const Node& node) const { return operands.data() + node.first_operand; }
  NodeId operand(NodeId node, u32 index) const { return operands[nodes[node].first_operand + index]; }
};

// Makes functions. Nodes go to the current block, but for those that belong to none.
class Builder {
 public:
  explicit Builder(Function& function) : function(function) {}

  BlockId new_block();
  void go_to(BlockId block) { current = block; }
  BlockId block() const { return current; }
  // Of the nodes that follow; 0: none.
  void set_mark(u32 number) { mark = number; }
  u32 add_mark(std::string text);

  NodeId constant(Type type, u64 bits);
  NodeId symbol(std::string_view name);
  NodeId parameter(Parameter parameter, Type type = Type::Ptr);
  NodeId site_address(const Site& site);
  NodeId variable(Type type);
  NodeId get(NodeId variable);
  NodeId set(NodeId variable, NodeId value);

  // Arithmetic, conversions, compares, selections; those without operands as well.
  NodeId value(Op op, Type type, std::initializer_list<NodeId> operands);
  // base + index * scale + offset. The index is an I64, or no_node.
  NodeId address(NodeId base, NodeId index, u32 scale, i64 offset);
  NodeId load(Type type, NodeId address, Alias alias, u32 part = 0, Order order = Order::Plain);
  NodeId store(NodeId address, NodeId value, Alias alias, u32 part = 0, Order order = Order::Plain);
  // Exchange, FetchAdd, CompareExchange: sequentially consistent. FetchAnd: relaxed. The value that was there.
  NodeId atomic(Op op, Type type, std::initializer_list<NodeId> operands, Alias alias, u32 part = 0);
  NodeId fence(Order order);
  // Its operands are given by set_operand() when they exist. All predecessors are known by then.
  NodeId phi(Type type, u32 operand_count);
  void set_operand(NodeId node, u32 index, NodeId operand) {
    function.operands[function.nodes[node].first_operand + index] = operand;
  }

  NodeId call_leaf(std::string_view symbol, Type type, const std::vector<NodeId>& arguments);
  NodeId call_snippet(std::string_view name, Type type, const std::vector<NodeId>& arguments);
  // `target`: a symbol, or an address. What it returns: CallStatus, CallResult, CallHome of it.
  NodeId call_java(NodeId target, NodeId frame, NodeId home, NodeId method, NodeId thread);

  void jump(BlockId target);
  void branch(NodeId condition, BlockId when_true, BlockId when_false, bool likely = false, bool unlikely = false);
  void switch_on(NodeId value, BlockId otherwise, const std::vector<Case>& cases);
  void ret(NodeId status, NodeId result, NodeId home);
  // A jump with all eight parameters; no_node: whatever.
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

// Empty, or what is wrong, in words.
std::string verify(const Function& function);
// As text, one node a line.
std::string print(const Function& function);

}  // namespace keyhole::low
