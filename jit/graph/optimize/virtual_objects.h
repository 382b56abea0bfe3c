// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// What is in the fields of new objects at each place of a graph, as values: the part of escape_analysis.cpp that knows
// no uses.
//
//     n3 = new_instance Point        x: 0    y: 0
//     store_field n3 n1 .x           x: n1   y: 0
//     branch b2 b3
//     b2: store_field n3 n2 .y               y: n2
//     b4: b2 b3                      x: n1   y: phi(n2, 0)
//
// A walk over the blocks in reverse postorder begins each with what its predecessors agree on. What they do not agree
// on is a phi, and so is what a loop stores, at its header. Phis that nobody asks for are not made.
// A phi whose every input is one object is that object: this is assumed first where it holds for what is known of a
// loop, and checked when the loop's ends are known (`forced`).
#pragma once

#include <deque>
#include <map>
#include <vector>

#include "jit/graph/ir/graph.h"

namespace keyhole::graph {

// Of an instance of this class, by their offsets.
std::vector<VirtualField> fields_of(const Klass* klass);
// Of an array of this class and length.
std::vector<VirtualField> elements_of(const Klass* klass, u32 length);

struct Candidate {
  Node* node;                   // new_instance, or new_array of a constant length
  VirtualLayout layout;
  u32 first;                    // its fields are numbered from there on
  Node* length = nullptr;       // of an array
  bool escapes = false;
};

class VirtualObjects {
 public:
  explicit VirtualObjects(Graph& graph);

  bool empty() const { return candidates_.empty(); }
  std::deque<Candidate>& all() { return candidates_; }
  // The object that this value is; null: another, or one that escapes.
  Candidate* of(const Node* value);
  // Through loads of fields, and phis that are one object.
  Node* resolve(Node* value) const;
  void alias(Node* load, Node* value);
  void escape(Node* value);
  void forget_aliases();

  // --- one walk ------------------------------------------------------------------------------------------------------
  void enter(const Block* block);
  void leave(const Block* block) { ends_[block->id] = now_; }
  void make(const Candidate& object);
  // The number of the field that is accessed; -1: none.
  i64 field_of(const Candidate& object, const Node* access) const;
  Node* value_of(i64 field) const { return now_[static_cast<usize>(field)]; }
  void set(i64 field, Node* value) { now_[static_cast<usize>(field)] = value; }
  // The value is needed: if it is a phi, it will be made.
  void use(Node* value);
  // Behind the walk: the inputs of the phis. True: what was assumed does not hold, or less escapes than was thought;
  // another walk is due.
  bool settle();

  // They go into their blocks.
  void place_phis();

 private:
  struct Phi {
    Node* node;
    Block* block;
    u32 field;
    bool is_used = false;
    Node* forced = nullptr;         // what it is assumed to be
    bool is_settled = false;        // it is a phi: nothing is assumed any more
  };

  void find_candidates();
  void add(Node* node, std::vector<VirtualField> fields, const Klass* klass, u32 length);
  void find_loop_stores();
  std::vector<u32> stores_of(const Node* node);
  Node* phi_at(const Block* block, u32 field);
  Phi* phi_of(const Node* value);
  Type type_of(u32 field) const { return types_[field]; }

  Graph& graph_;
  std::deque<Candidate> candidates_;
  std::vector<Candidate*> by_node_;               // by id
  std::vector<Type> types_;                       // by field
  std::vector<std::vector<bool>> loop_stores_;    // by block, of the loop that it heads, and field
  std::vector<Node*> aliases_;                    // by id
  std::vector<Node*> now_;                        // by field; null: its object is not there
  std::vector<std::vector<Node*>> ends_;          // by block
  std::map<std::pair<u32, u32>, Phi> phis_;       // by block and field
  std::vector<Phi*> phi_by_node_;                 // by id
  std::vector<Phi*> used_;
  std::map<std::pair<const Node*, Type>, Node*> defaults_;   // what a new object has in its fields
  bool changed_ = false;
};

}  // namespace keyhole::graph
