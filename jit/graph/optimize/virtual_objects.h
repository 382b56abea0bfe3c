// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The values in the fields of new objects, at each place of a graph. escape_analysis.cpp decides which objects escape.
//
//     n3 = new_instance Point        x: 0    y: 0
//     store_field n3 n1 .x           x: n1   y: 0
//     branch b2 b3
//     b2: store_field n3 n2 .y               y: n2
//     b4: b2 b3                      x: n1   y: phi(n2, 0)
//
// The walk visits the blocks in reverse postorder. If all predecessors of a block agree on the value of a field, the
// block begins with this value; otherwise with a phi. At a loop's header, every field that the loop stores to is a phi.
// A phi that no node needs is not built.
//
// A phi whose inputs are all the same object stands for that object. When a walk ends with such a phi, the next walk
// assumes that the phi is the object (`forced`), and checks the assumption at its own end.
#pragma once

#include <deque>
#include <map>
#include <vector>

#include "jit/graph/ir/graph.h"

namespace keyhole::graph {

// Returns the fields of an instance of this class, ordered by their offsets.
std::vector<VirtualField> fields_of(const Klass* klass);
// Returns a VirtualField for each element of an array of this class and length.
std::vector<VirtualField> elements_of(const Klass* klass, u32 length);

struct Candidate {
  Node* node;  // a new_instance node, or a new_array node of constant length
  VirtualLayout layout;
  u32 first;  // the number of this object's first field, if the fields of all candidates are numbered in one sequence
  Node* length = nullptr;  // length of an array, as a node; null for an instance
  bool escapes = false;
};

class VirtualObjects {
 public:
  explicit VirtualObjects(Graph& graph);

  bool empty() const { return candidates_.empty(); }
  std::deque<Candidate>& all() { return candidates_; }
  // Returns the candidate that the value stands for. Returns null for any other value, and for an object that escapes.
  Candidate* of(const Node* value);
  // Returns the value for which the given value stands, or the given value itself. A load from a field of a virtual
  // object stands for the field's value. If all inputs of a phi are the same object, the phi stands for that object.
  Node* resolve(Node* value) const;
  void alias(Node* load, Node* value);
  void escape(Node* value);
  void forget_aliases();

  // --- one walk ------------------------------------------------------------------------------------------------------
  void enter(const Block* block);
  void end(const Block* block) { ends_[block->id] = now_; }
  void make(const Candidate& object);
  // The number of the field that the access names; -1 if the object has no such field.
  i64 field_of(const Candidate& object, const Node* access) const;
  Node* value_of(i64 field) const { return now_[static_cast<usize>(field)]; }
  void set(i64 field, Node* value) { now_[static_cast<usize>(field)] = value; }
  // Notes that a node needs the value. A phi that a node needs is inserted into its block later, by place_phis().
  void use(Node* value);
  // Sets the inputs of the phis at the end of a walk. Returns true if another walk is needed. It is needed if an
  // assumption about a phi failed or was added, or if another object escapes.
  bool settle();

  // Inserts the phis of fields that some node needs into their blocks.
  void place_phis();

 private:
  struct Phi {
    Node* node;
    Block* block;
    u32 field;
    bool is_used = false;
    Node* forced = nullptr;  // the virtual object that the phi is assumed to stand for; null without such an assumption
    bool is_settled = false;  // whether the assumption `forced` has failed, because the phi merges several objects
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
  std::vector<std::vector<bool>> loop_stores_;  // by header and field: whether the header's loop stores to the field
  std::vector<Node*> aliases_;                  // by node id
  // by field: its value at the current place; null if its object does not exist yet
  std::vector<Node*> now_;
  std::vector<std::vector<Node*>> ends_;     // value of each field at the end of each block
  std::map<std::pair<u32, u32>, Phi> phis_;  // by block and field
  std::vector<Phi*> phi_by_node_;            // by node id
  std::vector<Phi*> used_;
  // the zero constants with which the fields of new objects begin
  std::map<std::pair<const Node*, Type>, Node*> defaults_;
  bool changed_ = false;
};

}  // namespace keyhole::graph
