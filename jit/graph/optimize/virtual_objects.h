// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The values in the fields of new objects, at each place of a graph. This part of escape analysis does not decide which
// uses let an object escape.
//
//     n3 = new_instance Point        x: 0    y: 0
//     store_field n3 n1 .x           x: n1   y: 0
//     branch b2 b3
//     b2: store_field n3 n2 .y               y: n2
//     b4: b2 b3                      x: n1   y: phi(n2, 0)
//
// The walk visits the blocks in reverse postorder. A block begins with the values that its predecessors agree on. A
// field on which they disagree is a phi, and so is, at a loop's header, a field that the loop stores. A phi that no
// node needs is not built.
//
// A phi whose inputs are all the same object is that object. The walk first assumes this for a loop's phi from the
// inputs that it knows, and checks it when it knows the loop's ends (`forced`).
#pragma once

#include <deque>
#include <map>
#include <vector>

#include "jit/graph/ir/graph.h"

namespace keyhole::graph {

// The layout of an instance of this class: its fields, by offset.
std::vector<VirtualField> fields_of(const Klass* klass);
// The layout of an array of this class and length: its elements.
std::vector<VirtualField> elements_of(const Klass* klass, u32 length);

struct Candidate {
  Node* node;  // a new_instance, or a new_array of a constant length
  VirtualLayout layout;
  u32 first;               // the number of its first field among the fields of all candidates
  Node* length = nullptr;  // the array's length; null for an instance
  bool escapes = false;
};

class VirtualObjects {
 public:
  explicit VirtualObjects(Graph& graph);

  bool empty() const { return candidates_.empty(); }
  std::deque<Candidate>& all() { return candidates_; }
  // The candidate that the value stands for. Null for other values, and if the object escapes.
  Candidate* of(const Node* value);
  // The value that the given one stands for: a load of a virtual object's field stands for the field's value, and a phi
  // whose inputs are all the same object stands for that object.
  Node* resolve(Node* value) const;
  void alias(Node* load, Node* value);
  void escape(Node* value);
  void forget_aliases();

  // --- one walk ------------------------------------------------------------------------------------------------------
  void enter(const Block* block);
  void end(const Block* block) { ends_[block->id] = now_; }
  void make(const Candidate& object);
  // The number of the field that the access names; -1 if there is none.
  i64 field_of(const Candidate& object, const Node* access) const;
  Node* value_of(i64 field) const { return now_[static_cast<usize>(field)]; }
  void set(i64 field, Node* value) { now_[static_cast<usize>(field)] = value; }
  // Notes that the value is needed: if it is a phi, it will be built.
  void use(Node* value);
  // Sets the inputs of the phis, after the walk. Returns true if another walk is needed: an assumption was wrong, a new
  // one was made, or another object escapes.
  bool settle();

  // Inserts the phis into their blocks.
  void place_phis();

 private:
  struct Phi {
    Node* node;
    Block* block;
    u32 field;
    bool is_used = false;
    Node* forced = nullptr;   // the object that this phi is assumed to be
    bool is_settled = false;  // the assumption was wrong: it is a phi of several objects
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
  std::vector<Candidate*> by_node_;             // by node id
  std::vector<Type> types_;                     // by field
  std::vector<std::vector<bool>> loop_stores_;  // by block and field: whether the loop stores to the field
  std::vector<Node*> aliases_;                  // by node id
  // by field: the field's value at the current place; null: its object does not exist yet
  std::vector<Node*> now_;
  std::vector<std::vector<Node*>> ends_;     // by block: the values at its end
  std::map<std::pair<u32, u32>, Phi> phis_;  // by block and field
  std::vector<Phi*> phi_by_node_;            // by node id
  std::vector<Phi*> used_;
  std::map<std::pair<const Node*, Type>, Node*> defaults_;  // the zero values in the fields of a new object
  bool changed_ = false;
};

}  // namespace keyhole::graph
