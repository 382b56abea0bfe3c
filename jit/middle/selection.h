// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Selection: decides for each node whether it gets a register of its own.
//
//   Value      computed where it stands, into a register or a spill slot
//   Alias      has the value of another node: nothing is emitted (a zero extension, a Get of a variable)
//   Folded     computed by its users: an address in an access, a comparison in a branch, a load in an operation
//   Placeless  a constant, a symbol, a site's address, the thread: part of its users' instructions
//   Dead       not computed
//
// E1: values of I32 and narrower types are zero-extended to 64 bits in registers and spill slots; an I1 is 0 or 1. So
//     zero extensions cost nothing.
// E2: a Get is an Alias of its variable if no Set of the variable stands between the Get and the place where its users
//     are computed, in one block. Otherwise it is a Value, a copy.
// E3: a Load is Folded into its only user if no node between them writes memory. It is Plain, Unordered or EachTime.
// E4: a comparison is Folded if its only user is a branch or a selection of its block, or such a comparison's negation.
// E5: a Set whose variable is read on a rare edge of its block alone is sunk: it is a move on that edge. So the results
//     that a call hands to the end of abnormal returns cost the normal path nothing.
#pragma once

#include <vector>

#include "jit/middle/block_order.h"

namespace keyhole::middle {

enum class Form : u8 { Dead, Value, Alias, Folded, Placeless };

// The nodes that read the result of a call of Java. CallJava defines them; no_node: the part is not used.
struct CallResults {
  low::NodeId status = low::no_node, result = low::no_node, slot = low::no_node;
};

// A Set that is emitted as a move on an edge (E5).
struct SunkSet {
  low::NodeId set;
  usize target;  // of its block's terminator
};

struct Selection {
  std::vector<Form> form;          // by NodeId
  std::vector<low::NodeId> alias;  // by NodeId, for Form::Alias: another node, which may be an Alias, too
  std::vector<u32> call_number;    // by NodeId of a CallJava: the index in `calls`
  std::vector<CallResults> calls;
  std::vector<std::vector<SunkSet>> sunk;  // by BlockId
  std::vector<bool> is_sunk;               // by NodeId

  low::NodeId resolve(low::NodeId id) const {
    while (form[id] == Form::Alias) id = alias[id];
    return id;
  }
  // Whether the node is emitted where it stands.
  bool is_emitted(const low::Function& function, low::NodeId id) const;
  // Calls `visit` with each value and variable that an operand reads, in registers or spill slots.
  template <typename Visit>
  void for_each_leaf(const low::Function& function, low::NodeId operand, Visit&& visit) const {
    if (operand == low::no_node) return;
    const low::NodeId id = resolve(operand);
    if (form[id] == Form::Value) return visit(id);
    if (form[id] != Form::Folded) return;
    const low::Node& node = function.nodes[id];
    for (u32 i = 0; i < node.operand_count; ++i) for_each_leaf(function, function.operand(id, i), visit);
  }
  // The operands that an emitted node reads; none for a phi, which reads at the ends of its block's predecessors.
  template <typename Visit> void for_each_use(const low::Function& function, low::NodeId id, Visit&& visit) const {
    const low::Node& node = function.nodes[id];
    for (u32 i = node.op == low::Op::Set ? 1 : 0; i < node.operand_count; ++i)
      for_each_leaf(function, function.operand(id, i), visit);
  }
};

Selection select(const low::Function& function, const BlockOrder& order);

// Whether the node does more than compute a value.
bool has_effect(const low::Node& node);
// Whether the node writes memory, or orders accesses to it.
bool writes_memory(const low::Node& node);

}  // namespace keyhole::middle
