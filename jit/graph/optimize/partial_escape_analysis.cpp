// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Partial escape analysis: an object that escapes on some paths only is allocated on these paths only. On such a path,
// a copy of the object is allocated at a *place*: a position in a block, before a use by which the object escapes.
//
//     n3 = new_instance Key                       n3 = new_instance Key           virtual now (escape_analysis.cpp)
//     store_field n3 n1 .x                        store_field n3 n1 .x
//     branch b2 b3                                branch b2 b3
//     b2: n6 = load_field n3 .x                   b2: n6 = load_field n3 .x
//     b3:                                         b3: n8 = new_instance Key @9 [n3]
//                                          ──>        n9 = load_field n3 .x
//                                                     store_field n8 n9 .x
//         n5 = call put n3 @9 [n3]                    n5 = call put n8 @9 [n8]
//
//     object ── a use by which it escapes ──> a place before the use, where a copy is allocated
//        └── no path around the places, or a path from a place to a use of the object ──> it stays as it is
//
// P1: every path sees one object only. Uses that a place dominates get the copy in place of the object. Execution
//     cannot get from a place to any other use without passing the object's own allocation. So no code can compare the
//     object with the copy.
// P2: a place lies in the block of its use, directly before a node with a frame state. This node is the use itself if
//     the use has a frame state, otherwise the last node with a frame state that precedes the use. If the heap has no
//     room for the copy, the code deoptimizes with the frame state of this node.
// P3: at least one path from the object's allocation to the end of the method, or back to the allocation, passes no
//     place. A path to an uncommon trap does not count.
// P4: escape analysis can replace all uses of the original object; otherwise two objects would be allocated. The
//     object's monitor is not entered.
#include <algorithm>
#include <map>
#include <optional>

#include "jit/graph/optimize/escape_analysis.h"
#include "jit/graph/optimize/phases.h"
#include "jit/graph/optimize/virtual_objects.h"
#include "runtime/base/flags.h"
#include "vm/metadata/instance_klass.h"

namespace keyhole::graph {
namespace {

constexpr usize most_places = 4, most_copied_fields = 16;

struct Place {
  Block* block;
  usize index;  // index in block->nodes; the copy is allocated before the node with this index
  Node* copy = nullptr;
};

// A use of the object: `node` has the object as an input or in its frame state. The object must exist when execution
// reaches `index` in `block`. Usually `block` and `index` are the node's own position. If the node is a phi, they are
// the end of the predecessor from which the phi gets the object.
struct Use {
  Node* node;
  Block* block;
  usize index;
  bool needs_object;  // whether this use makes the object escape
};

class Splitting {
 public:
  Splitting(Graph& graph, Node* object)
      : graph_(graph), object_(object), fields_(fields_of(klass_of_id(object->allocation.klass_id))) {}

  bool run() {
    if (fields_.size() > most_copied_fields) return false;
    find_uses();
    if (!find_places() || !has_path_around() || !is_one_object()) return false;
    // A place is a position at which a copy of the object is allocated. A block has at most one place. So the nodes
    // that make_copy() inserts at one place do not change the index of another place.
    for (Place& place : places_) make_copy(place);
    for (const Use& use : uses_) rename(use);
    return true;
  }

 private:
  // --- uses ----------------------------------------------------------------------------------------------------------

  bool is_field(const Node* access) const {
    return std::ranges::any_of(fields_, [&](const VirtualField& field) {
      const Node* value = access->op == Op::store_field ? access->inputs.back() : access;
      return field.access.offset == access->access.offset && field.type == value->type;
    });
  }
  // P4: whether the object escapes because it is an input of the node. It does if escape analysis cannot replace this
  // use.
  bool needs_object(const Node* node) const {
    switch (node->op) {
      case Op::compare_reference:
      case Op::is_instance:
      case Op::is_castable:
      case Op::has_class:
      case Op::selects:
      case Op::has_no_finalizer:
      case Op::mirror_of: return false;
      case Op::load_field: return !is_field(node);
      case Op::store_field: return node->inputs.back() == object_ || !is_field(node);
      default: return true;
    }
  }

  void find_uses() {
    for (Block* block : graph_.blocks) {
      for (usize i = 0; i < block->nodes.size(); ++i) {
        Node* node = block->nodes[i];
        if (node->op == Op::phi) {
          for (usize edge = 0; edge < node->inputs.size(); ++edge) {
            Block* from = block->predecessors[edge];
            if (node->inputs[edge] == object_) uses_.push_back({node, from, from->nodes.size(), true});
          }
          continue;
        }
        bool is_input = std::ranges::find(node->inputs, object_) != node->inputs.end();
        bool is_named = node->state != nullptr && names(*node->state);
        if (!is_input && !is_named) continue;
        bool is_needed = (is_input && needs_object(node)) || (is_named && materializes_objects_of_state(node)) ||
                         thrown_by(node) == object_;
        uses_.push_back({node, block, i, is_needed});
      }
    }
  }

  bool names(const FrameState& innermost) const {
    for (const FrameState* state = &innermost; state != nullptr; state = state->outer) {
      if (std::ranges::find(state->locals, object_) != state->locals.end()) return true;
      if (std::ranges::find(state->operands, object_) != state->operands.end()) return true;
      for (const HeldLock* lock = state->locks; lock != nullptr; lock = lock->outer) {
        if (lock->object == object_) return true;
      }
    }
    return std::ranges::any_of(innermost.objects, [this](const FieldValues& object) {
      return std::ranges::find(object.values, object_) != object.values.end();
    });
  }

  // --- places --------------------------------------------------------------------------------------------------------

  // P2: returns the place at which the copy for this use is allocated, or nothing if there is no such place. A monitor
  //     operation has no place, because of P4.
  std::optional<Place> place_of(const Use& use) const {
    if (use.node->op == Op::monitor_enter || use.node->op == Op::monitor_exit || use.node->op == Op::release ||
        use.node->op == Op::lock_method || use.block == object_->block)
      return std::nullopt;
    for (usize index = std::min(use.index + 1, use.block->nodes.size()); index-- > 0;) {
      const FrameState* state = use.block->nodes[index]->state;
      if (state == nullptr) continue;
      if (names(*state) && catches_exhaustion(state)) return std::nullopt;
      return Place{use.block, index};
    }
    return std::nullopt;
  }

  bool find_places() {
    for (const Use& use : uses_) {
      if (!use.needs_object) continue;
      std::optional<Place> place = place_of(use);
      if (!place) return false;
      places_.push_back(*place);
    }
    std::ranges::sort(places_, {}, [](const Place& place) { return std::pair(place.block->id, place.index); });
    std::vector<Place> first;
    for (const Place& place : places_) {  // places_ is sorted, so a place comes before those that it dominates
      bool is_dominated =
          std::ranges::any_of(first, [&](const Place& other) { return other.block->dominates(place.block); });
      if (!is_dominated) first.push_back(place);
    }
    places_ = std::move(first);
    return !places_.empty() && places_.size() <= most_places;
  }

  // Calls `visit(block)` for `from` and the blocks that can be reached from it, but does not enter `borders` and the
  // object's block. Returns true if the walk meets the object's block, or if `visit` returns true.
  template <typename Visit> bool go_on(const Block* from, const std::vector<bool>& borders, Visit&& visit) {
    std::vector<bool> is_seen(borders);
    std::vector<const Block*> work{from};
    while (!work.empty()) {
      const Block* block = work.back();
      work.pop_back();
      if (visit(block)) return true;
      for (const Block* next : block->successors) {
        if (next == object_->block) return true;
        if (is_seen[next->id]) continue;
        is_seen[next->id] = true;
        work.push_back(next);
      }
    }
    return false;
  }

  // P3: whether some path from the allocation of the object needs no copy. Such a path ends at the end of the method,
  // or back at the allocation, and passes no place at which a copy is allocated.
  bool has_path_around() {
    std::vector<bool> places(graph_.blocks.size());
    for (const Place& place : places_) places[place.block->id] = true;
    return go_on(object_->block, places,
                 [](const Block* block) { return block->end()->op == Op::return_ || block->end()->op == Op::unwind; });
  }

  const Place* place_for(const Use& use) const {
    auto found = std::ranges::find_if(places_, [&](const Place& place) {
      return place.block == use.block ? place.index <= use.index : place.block->dominates(use.block);
    });
    return found == places_.end() ? nullptr : &*found;
  }

  // P1: whether every path uses at most one of them: the object, or one of its copies.
  bool is_one_object() {
    std::vector<bool> is_after(graph_.blocks.size());
    for (const Place& place : places_) {
      std::vector<const Block*> work{place.block};
      while (!work.empty()) {
        const Block* block = work.back();
        work.pop_back();
        for (const Block* next : block->successors) {
          if (next == object_->block || is_after[next->id]) continue;
          is_after[next->id] = true;
          work.push_back(next);
        }
      }
    }
    for (const Place& place : places_) {
      if (is_after[place.block->id]) return false;
    }
    return std::ranges::all_of(uses_, [&](const Use& use) {
      return place_for(use) != nullptr || (!use.needs_object && !is_after[use.block->id]);
    });
  }

  // --- the copy ------------------------------------------------------------------------------------------------------

  void make_copy(Place& place) {
    const Node* before = place.block->nodes[place.index];
    graph_.origin = before->origin;
    std::vector<Node*> made;
    auto add = [&](Op op, Type type, std::initializer_list<Node*> inputs) {
      Node* node = graph_.make(op, type, std::span<Node* const>(inputs.begin(), inputs.size()));
      node->block = place.block;
      made.push_back(node);
      return node;
    };
    place.copy = add(Op::new_instance, Type::Reference, {});
    place.copy->allocation = object_->allocation;
    place.copy->is_never_null = true;
    place.copy->state = before->state;
    for (const VirtualField& field : fields_) {
      Node* value = add(Op::load_field, field.type, {object_});
      value->access = field.access;
      add(Op::store_field, Type::None, {place.copy, value})->access = field.access;
    }
    place.block->nodes.insert(place.block->nodes.begin() + static_cast<i64>(place.index), made.begin(), made.end());
    graph_.origin = nullptr;
  }

  void rename(const Use& use) {
    const Place* place = place_for(use);
    if (place == nullptr) return;
    if (use.node->op == Op::phi) {  // a phi gets the copy only for its inputs from use.block
      for (usize edge = 0; edge < use.node->inputs.size(); ++edge) {
        if (use.node->block->predecessors[edge] == use.block && use.node->inputs[edge] == object_)
          use.node->inputs[edge] = place->copy;
      }
      return;
    }
    std::ranges::replace(use.node->inputs, object_, place->copy);
    if (use.node->state != nullptr) use.node->state = renamed(use.node->state, place->copy);
  }

  FrameState* renamed(FrameState* state, Node* copy) {
    if (state == nullptr) return nullptr;
    FrameState*& made = renamed_[{state, copy}];
    if (made != nullptr) return made;
    FrameState* outer = renamed(state->outer, copy);
    FrameState* changed = graph_.make_frame_state(*state);
    changed->outer = outer;
    std::ranges::replace(changed->locals, object_, copy);
    std::ranges::replace(changed->operands, object_, copy);
    for (FieldValues& object : changed->objects) std::ranges::replace(object.values, object_, copy);
    return renamed_[{state, copy}] = changed;
  }

  Graph& graph_;
  Node* const object_;
  const std::vector<VirtualField> fields_;
  std::vector<Use> uses_;
  std::vector<Place> places_;  // the places where copies are allocated, at most one per block
  std::map<std::pair<const FrameState*, const Node*>, FrameState*> renamed_;
};

}  // namespace

bool partial_escape_analysis(Graph& graph) {
  if (!flags::DoEscapeAnalysis || !flags::EliminateAllocations) return false;
  std::vector<Node*> objects;
  for (const Block* block : graph.blocks) {
    for (Node* node : block->nodes) {
      if (node->op != Op::new_instance) continue;
      if (klass_of_id(node->allocation.klass_id)->kind == KlassKind::Instance) objects.push_back(node);
    }
  }
  bool changed = false;
  for (Node* object : objects) changed |= Splitting(graph, object).run();
  return changed;
}

}  // namespace keyhole::graph
