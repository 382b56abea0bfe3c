// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Instruction selection: decides for each node whether it gets a location of its own. Forms of a node:
//
//   Value      computed where it stands, into a register or a spill slot
//   Alias      has the value of another node: nothing is emitted (a zero extension, a Get of a variable)
//   Folded     computed by its users: an address in an access, a comparison in a branch, a load in an operation
//   Placeless  a constant, a symbol, a site's address, the thread: part of its users' instructions
//   Dead       not computed
//
// E1: registers and spill slots hold values of I32 and narrower types zero-extended to 64 bits; an I1 is 0 or 1. So
//     zero extensions cost nothing.
// E2: a Get is an Alias of its variable if its users are in the same block, and no Set of the variable is between the
//     Get and the place where a user is computed. Otherwise the Get is a Value, that is, a copy.
// E3: a Load is Folded into its only user if its order is Plain, Unordered or EachTime, and no node between the two
//     writes memory.
// E4: a comparison is Folded if its only user is in the same block, and is a branch, the condition of a selection, or a
//     negation of the comparison.
// E5: if a variable is read only after a rare edge of the block that sets it, the Set is sunk: it becomes a move on
//     this edge. Calls set variables for the shared code that handles abnormal returns; sinking makes these Sets free
//     on the normal path.
#pragma once

#include <vector>

#include "jit/middle/block_order.h"

namespace keyhole::middle {

enum class Form : u8 { Dead, Value, Alias, Folded, Placeless };

// CallResults: the nodes CallStatus, CallResult and CallSlot of a call of Java. The code of the CallJava node writes
// the values of these three nodes. no_node means that the function does not use the result.
struct CallResults {
  low::NodeId status = low::no_node, result = low::no_node, slot = low::no_node;
};

// SunkSet: a Set that was moved from its block to an outgoing edge of the block, where it becomes a move (E5).
struct SunkSet {
  low::NodeId set;
  usize target;  // the edge to which the Set was moved: an index in `targets` of the Set's block
};

struct Selection {
  std::vector<Form> form;  // by NodeId
  // by NodeId of an Alias: the node whose value the Alias has; this node may be an Alias, too
  std::vector<low::NodeId> alias;
  std::vector<u32> call_number;  // by NodeId of a CallJava: the index in `calls` of the call's results
  std::vector<CallResults> calls;
  std::vector<std::vector<SunkSet>> sunk;  // by BlockId
  std::vector<bool> is_sunk;               // by NodeId

  low::NodeId resolve(low::NodeId id) const {
    while (form[id] == Form::Alias) id = alias[id];
    return id;
  }
  // Whether the node gets instructions of its own. Otherwise the node is dead, or is part of its users' instructions.
  bool is_emitted(const low::Function& function, low::NodeId id) const;
  // Calls `visit` with each value and variable that the code reads from a register or a spill slot to compute the
  // operand.
  template <typename Visit>
  void for_each_leaf(const low::Function& function, low::NodeId operand, Visit&& visit) const {
    if (operand == low::no_node) return;
    const low::NodeId id = resolve(operand);
    if (form[id] == Form::Value) return visit(id);
    if (form[id] != Form::Folded) return;
    const low::Node& node = function.nodes[id];
    for (u32 i = 0; i < node.operand_count; ++i) for_each_leaf(function, function.operand(id, i), visit);
  }
  // Calls `visit` with each value and variable that an emitted node reads. Must not be called for a phi, because a phi
  // reads its operands at the ends of the predecessors.
  template <typename Visit> void for_each_use(const low::Function& function, low::NodeId id, Visit&& visit) const {
    const low::Node& node = function.nodes[id];
    for (u32 i = node.op == low::Op::Set ? 1 : 0; i < node.operand_count; ++i)
      for_each_leaf(function, function.operand(id, i), visit);
  }
};

Selection select(const low::Function& function, const BlockOrder& order);

// Whether the node has an effect besides computing its value.
bool has_effect(const low::Node& node);
// Whether the node writes memory, or orders accesses to it.
bool writes_memory(const low::Node& node);

}  // namespace keyhole::middle
