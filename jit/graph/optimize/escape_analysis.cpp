// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Escape analysis: an object that no other code can see is scalar-replaced. Its fields become values.
//
//     n3 = new_instance Point                      n3 = virtual_object Point
//     store_field n3 n1 .x
//     guard n5 @7 [n3]                       ──>   guard n5 @7 [n3] n3{.x n1}      deoptimization materializes it
//     n6 = load_field n3 .x                                                        (rematerialization.cpp)
//     return_ n6                                   return_ n1
//
//     candidate ── a use that needs the object ──> escapes: stays as it is, and the objects in its fields escape, too
//         └── only accesses, checks, frame states ──> virtual
//
// E1: an object escapes if it is stored into an object that is not virtual, passed to a call, returned, thrown, or
//     merged with another object. The merge may be a phi of the graph, or a phi that a field would need.
// E2: a load from a virtual object finds what this thread has stored, since no other thread has the object. So accesses
//     to its volatile fields need no ordering.
// E3: a frame state lists the values of all fields of the objects that it names (frame_state.h, S5). Objects may refer
//     to each other.
// E4: when an allocation deoptimizes, or a call ends with an exception, memory may have run out, and deoptimization
//     could not materialize objects (rematerialization.cpp R3). So the objects in the frame state of an allocation or
//     call escape if one of its activations has a handler that would catch an OutOfMemoryError.
// E5: the monitor of a virtual object is not acquired, since no other thread could want it. Deoptimization acquires it
//     for the materialized object. Lock records are a stack, so an object escapes if a real monitor is acquired while
//     its own is held.
// E6: objects stay virtual in the frame state of a call. During the call their fields are in slots of the frame
//     (stack_slots.h, H4), and references in these slots are roots. There are two exceptions. The objects escape if a
//     debugger or an agent may read the locals, which would be null. They also escape in a fallback that throws, since
//     the interpreter's handler reads the operands.
// E7: the exception object that an uncommon trap throws escapes. So the exception can leave frames without handlers and
//     locks, without a deoptimization (deopt_exits.cpp, write_throw). A virtual exception object would have to be
//     materialized by a deoptimization.
// E8: the first walk over the graph assumes that every candidate is virtual. If a walk finds a use by which an object
//     escapes, the next walk takes that object as allocated. The walks end when one finds no such use
//     (virtual_objects.h).
#include "jit/graph/optimize/escape_analysis.h"

#include <algorithm>

#include "jit/graph/ir/class_tests.h"
#include "jit/graph/optimize/phases.h"
#include "jit/graph/optimize/virtual_objects.h"
#include "runtime/base/flags.h"
#include "vm/link/loading/array_klasses.h"
#include "vm/link/redefinition.h"
#include "vm/metadata/instance_klass.h"

namespace keyhole::graph {
namespace {

bool may_catch_exhaustion(const Method* method, const ExceptionHandler& handler) {
  if (handler.catch_type_index == 0) return true;
  std::string_view name = method->constants->class_name(handler.catch_type_index)->text();
  return name == "java/lang/Throwable" || name == "java/lang/Error" || name == "java/lang/VirtualMachineError" ||
         name == "java/lang/OutOfMemoryError";
}
}  // namespace

bool catches_exhaustion(const FrameState* state) {
  for (; state != nullptr; state = state->outer) {
    const Method* method = state->method;
    for (const ExceptionHandler& handler : std::span(method->handlers, method->handler_count)) {
      if (handler.covers(state->bci) && may_catch_exhaustion(method, handler)) return true;
    }
  }
  return false;
}

bool materializes_objects_of_state(const Node* node) {
  bool is_call = node->op == Op::call;
  bool raises = is_call && node->call->kind == CallKind::Fallback && node->inputs.empty();
  bool may_be_exhausted = is_call || node->op == Op::new_instance || node->op == Op::new_array || node->op == Op::box;
  return raises || (is_call && are_redefinitions_expected()) || (may_be_exhausted && catches_exhaustion(node->state));
}

Node* thrown_by(const Node* node) {
  return node->op == Op::uncommon_trap && node->reason == DeoptReason::Throws ? node->state->operands.back() : nullptr;
}

namespace {

class EscapeAnalysis {
 public:
  explicit EscapeAnalysis(Graph& graph) : graph_(graph), objects_(graph), is_dropped_(graph.node_count()) {}

  bool run() {
    if (objects_.empty()) return false;
    for (u32 walks = 0; walks < most_walks; ++walks) {
      if (!walk()) return rewrite();
    }
    return false;
  }

 private:
  static constexpr u32 most_walks = 32;

  // Walks over the graph once. Returns true if another walk is needed (E8).
  bool walk() {
    objects_.forget_aliases();
    for (Block* block : graph_.blocks) {
      objects_.enter(block);
      for (usize i = 0; i < block->nodes.size(); ++i) visit(block->nodes[i]);
      objects_.end(block);
    }
    for (const Block* block : graph_.blocks) {
      for (const Node* node : block->nodes) {
        if (node->op != Op::phi) break;
        for (Node* input : node->inputs) objects_.escape(objects_.resolve(input));
      }
    }
    return objects_.settle();
  }

  bool rewrite() {
    auto is_virtual = [](const Candidate& object) { return !object.escapes; };
    if (std::ranges::none_of(objects_.all(), is_virtual)) return false;
    rewrites_ = true;
    walk();
    objects_.place_phis();
    for (Candidate& object : objects_.all()) {
      if (object.escapes) continue;
      object.node->op = Op::virtual_object;
      object.node->inputs = {};
      object.node->state = nullptr;
      object.node->layout = graph_.make_data(object.layout);
    }
    for (Block* block : graph_.blocks) {
      std::erase_if(block->nodes,
                    [this](const Node* node) { return node->id < is_dropped_.size() && is_dropped_[node->id]; });
    }
    graph_.resolve_replacements();
    graph_.remove_redundant_phis();
    return true;
  }

  Candidate* object_of(Node* value) { return objects_.of(objects_.resolve(value)); }
  void escape(Node* value) { objects_.escape(objects_.resolve(value)); }

  // --- nodes ---------------------------------------------------------------------------------------------------------

  void visit(Node* node) {
    if (node->op == Op::phi) return;  // walk() handles phis after all other nodes
    if (const Candidate* object = objects_.of(node)) return objects_.make(*object);
    if (!needs_no_object(node)) {
      for (Node* input : node->inputs) escape(input);
    }
    if (node->state == nullptr) return;
    if (is_real_lock(node)) escape_locked(node->state);  // E5
    if (Node* thrown = thrown_by(node)) escape(thrown);  // E7
    FrameState* state = with_fields(node->state, materializes_objects_of_state(node));
    if (rewrites_) node->state = state;
  }

  // Whether the node, with virtual objects as inputs, can be replaced or dropped, so that these objects need not be
  // allocated for it. In the walk that rewrites the graph, also replaces or drops the node.
  bool needs_no_object(Node* node) {
    Candidate* object = node->inputs.empty() ? nullptr : object_of(node->inputs[0]);
    switch (node->op) {
      case Op::compare_reference: return compare(node), true;
      case Op::can_store: return object != nullptr && can_store(node, *object);
      default: break;
    }
    if (object == nullptr) return false;
    switch (node->op) {
      case Op::store_field:
      case Op::store_element: return store(node, *object);
      case Op::load_field:
      case Op::load_element: return load(node, *object);
      case Op::array_length:
        if (object->length == nullptr) return false;
        replace(node, object->length);
        return true;
      case Op::is_instance:
      case Op::is_castable:
      case Op::has_class:
      case Op::selects: become(node, result_for(node, object->layout.klass) ? 1 : 0); return true;
      case Op::monitor_enter:
      case Op::monitor_exit:
      case Op::release:
        if (!flags::EliminateLocks) return false;
        if (node->op == Op::release) become(node, 1);  // the constant 1 says that the release has succeeded
        else if (rewrites_) is_dropped_[node->id] = true;
        return true;
      case Op::has_no_finalizer: become(node, 1); return true;  // a class with a finalizer has no new_instance nodes
      case Op::mirror_of:
        if (rewrites_) {
          node->op = Op::mirror;
          node->inputs = {};
          node->klass = object->layout.klass;
        }
        return true;
      default: return false;
    }
  }

  bool store(Node* node, const Candidate& object) {
    i64 field = objects_.field_of(object, node);
    if (field < 0 || !fits(object, field, node->inputs.back())) return false;
    objects_.set(field, objects_.resolve(node->inputs.back()));
    if (rewrites_) is_dropped_[node->id] = true;
    return true;
  }

  bool load(Node* node, const Candidate& object) {
    i64 field = objects_.field_of(object, node);
    if (field < 0 || !fits(object, field, node)) return false;
    Node* value = objects_.value_of(field);
    objects_.use(value);
    Op narrow = node->access.type == 'B' ? Op::i2b : node->access.type == 'C' ? Op::i2c : Op::i2s;
    if (node->access.type != 'B' && node->access.type != 'C' && node->access.type != 'S') {
      replace(node, value);
    } else if (rewrites_) {
      node->op = narrow;
      node->inputs = graph_.make_span<Node*>(std::span<Node* const>(&value, 1));
      node->bits = 0;
    }
    return true;
  }
  static bool fits(const Candidate& object, i64 field, const Node* value) {
    return object.layout.fields[static_cast<usize>(field) - object.first].type == value->type;
  }

  // Folds a comparison with a virtual object, which equals only itself.
  void compare(Node* node) {
    const Candidate *left = object_of(node->inputs[0]), *right = object_of(node->inputs[1]);
    if (left == nullptr && right == nullptr) return;
    become(node, (left == right) == (node->condition == Condition::Equal) ? 1 : 0);
  }

  bool can_store(Node* node, const Candidate& array) {
    if (!array.layout.klass->is_array()) return false;
    const Klass* component = array.layout.klass->as_array()->component;
    Node* value = objects_.resolve(node->inputs[1]);
    if (const Candidate* object = objects_.of(value)) {
      become(node, object->layout.klass->is_subtype_of(component) ? 1 : 0);
    } else if (rewrites_) {
      node->op = Op::is_castable;
      node->inputs = node->inputs.subspan(1);
      node->klass = component;
    }
    return true;
  }

  void replace(Node* node, Node* value) {
    objects_.alias(node, value);
    if (rewrites_) Graph::replace(node, value);
  }
  void become(Node* node, u64 bits) {
    if (!rewrites_) return;
    node->op = Op::constant;
    node->inputs = {};
    node->bits = bits;
  }

  bool is_real_lock(const Node* node) { return node->op == Op::monitor_enter && object_of(node->inputs[0]) == nullptr; }
  void escape_locked(const FrameState* state) {
    for (; state != nullptr; state = state->outer) {
      for (const HeldLock* lock = state->locks; lock != nullptr; lock = lock->outer) escape(lock->object);
    }
  }

  // --- frame states --------------------------------------------------------------------------------------------------

  // Handles the candidates for scalar replacement that the frame state names. If `as_objects` is true, these candidates
  // escape. Otherwise the frame state has to list the values of their fields. In the walk that rewrites the graph,
  // returns a copy of the frame state with these values; in earlier walks, returns the frame state itself.
  FrameState* with_fields(FrameState* state, bool as_objects) {
    std::vector<const Candidate*> named;
    auto name = [&](Node* value) {
      const Candidate* object = object_of(value);
      if (object == nullptr) return;
      if (as_objects) return escape(value);
      if (std::ranges::find(named, object) == named.end()) named.push_back(object);
    };
    for (FrameState* each = state; each != nullptr; each = each->outer) {
      std::ranges::for_each(each->locals, name);
      std::ranges::for_each(each->operands, name);
      for (const HeldLock* lock = each->locks; lock != nullptr; lock = lock->outer) name(lock->object);
    }
    for (const FieldValues& object : state->objects) std::ranges::for_each(object.values, name);
    for (usize i = 0; i < named.size(); ++i) {  // name() appends to `named`
      for (usize field = 0; field < named[i]->layout.fields.size(); ++field) {
        Node* value = objects_.value_of(named[i]->first + static_cast<i64>(field));
        objects_.use(value);
        name(value);
      }
    }
    return rewrites_ && !named.empty() ? state_with_objects(state, named) : state;
  }

  // Copies the frame state and adds the field values. If consecutive nodes have the same field values, they share one
  // copy, so that they also share a deopt exit.
  FrameState* state_with_objects(FrameState* state, std::span<const Candidate* const> named) {
    std::vector<FieldValues> objects(state->objects.begin(), state->objects.end());
    for (const Candidate* object : named) {
      std::vector<Node*> values;
      for (usize field = 0; field < object->layout.fields.size(); ++field)
        values.push_back(objects_.value_of(object->first + static_cast<i64>(field)));
      objects.push_back({object->node, graph_.make_span<Node*>(std::span<Node* const>(values))});
    }
    auto is_same = [](const FieldValues& a, const FieldValues& b) {
      return a.object == b.object && std::ranges::equal(a.values, b.values);
    };
    FrameState*& last = last_copies_[state];
    if (last != nullptr && std::ranges::equal(last->objects, objects, is_same)) return last;
    last = graph_.make_frame_state(*state);
    last->objects = graph_.make_span<FieldValues>(std::span<const FieldValues>(objects));
    return last;
  }

  Graph& graph_;
  VirtualObjects objects_;
  bool rewrites_ = false;
  std::vector<bool> is_dropped_;  // by node id
  std::map<const FrameState*, FrameState*> last_copies_;
};

}  // namespace

bool eliminate_allocations(Graph& graph) {
  if (!flags::DoEscapeAnalysis || !flags::EliminateAllocations) return false;
  return EscapeAnalysis(graph).run();
}

}  // namespace keyhole::graph
