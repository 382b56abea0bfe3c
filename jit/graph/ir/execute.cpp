// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The interpreter of graphs.
#include "jit/graph/ir/execute.h"

#include <algorithm>

#include "gc/barrier.h"
#include "gc/heap/heap.h"
#include "jit/graph/ir/evaluate.h"
#include "jit/graph/ir/intrinsics.h"
#include "runtime/object/identity.h"
#include "runtime/sync/synchronizer.h"
#include "runtime/threads/continuations/continuation.h"
#include "vm/interpreter/array_copy.h"
#include "vm/interpreter/kernel_calls.h"
#include "vm/interpreter/resolution.h"
#include "vm/interpreter/string_intrinsics.h"
#include "vm/link/boxes.h"
#include "vm/link/exceptions.h"
#include "vm/link/java_call.h"
#include "vm/link/linker.h"
#include "vm/link/loading/array_klasses.h"
#include "vm/metadata/instance_klass.h"

namespace keyhole::graph {
namespace {

template <typename T> u64 load(Object* holder, u32 offset, bool is_ordered) TOUCHES_OBJECTS {
  return static_cast<u64>(
      holder->atomic<T>(offset).load(is_ordered ? std::memory_order_seq_cst : std::memory_order_relaxed));
}
template <typename T> void store(Object* holder, u32 offset, u64 value, bool is_ordered) TOUCHES_OBJECTS {
  holder->atomic<T>(offset).store(static_cast<T>(value),
                                  is_ordered ? std::memory_order_seq_cst : std::memory_order_relaxed);
}

u64 load(const Access& access, Object* holder, u32 offset) TOUCHES_OBJECTS {
  switch (access.type) {
    case 'B': return static_cast<u32>(load<i8>(holder, offset, access.is_ordered));
    case 'C': return load<u16>(holder, offset, access.is_ordered);
    case 'S': return static_cast<u32>(load<i16>(holder, offset, access.is_ordered));
    case 'I': return load<u32>(holder, offset, access.is_ordered);
    case 'J': return load<u64>(holder, offset, access.is_ordered);
    default: return slot_of(decode(static_cast<NarrowRef>(load<NarrowRef>(holder, offset, access.is_ordered))));
  }
}

void store(const Access& access, Object* holder, u32 offset, u64 value) TOUCHES_OBJECTS {
  switch (access.type) {
    case 'B': return store<u8>(holder, offset, value, access.is_ordered);
    case 'C':
    case 'S': return store<u16>(holder, offset, value, access.is_ordered);
    case 'I': return store<u32>(holder, offset, value, access.is_ordered);
    case 'J': return store<u64>(holder, offset, value, access.is_ordered);
    default:
      if (access.is_ordered) {
        return barrier::store_ordered(holder, offset, object_of(value), std::memory_order_seq_cst);
      }
      return barrier::store(holder, offset, object_of(value));
  }
}

u32 element_offset(const Access& access, u32 index) {
  u32 shift = access.type == 'B' ? 0 : access.type == 'J' ? 3 : access.type == 'I' || access.type == 'A' ? 2 : 1;
  return Object::element_offset(shift, index);
}

class Executor {
 public:
  Executor(JavaThread* thread, const Graph& graph, u64 forced_deopt)
      : thread_(thread), graph_(graph), forced_deopt_(forced_deopt), values_(graph.node_count()),
        is_reference_(graph.node_count()) {
    for (const Block* block : graph.blocks) {
      for (const Node* node : block->nodes) is_reference_[node->id] = node->type == Type::Reference;
    }
  }

  Execution run(std::span<const Slot> arguments) MAY_SAFEPOINT {
    arguments_ = arguments;
    const Block* block = graph_.blocks[0];
    while (block != nullptr) block = run_block(block);
    return std::move(run_);
  }

 private:
  u64 value(const Node* node) const { return values_[node->id]; }
  Object* object(const Node* node) const { return object_of(value(node)); }

  // Executes the block and returns its successor; null ends the execution.
  const Block* run_block(const Block* block) MAY_SAFEPOINT {
    for (const Node* node : block->nodes) {
      if (node->op == Op::phi) continue;  // take() has set the phis
      if (node->has(effect::deoptimizes) && leaves(node)) return nullptr;
      if (node->has(effect::ends)) return next(node);
      step(node);
      if (run_.exit != nullptr) return nullptr;
      if (node->op == Op::call && has_exception(thread_) && !block->catches(node)) {
        run_.has_thrown = true;
        deoptimize(node);
        return nullptr;
      }
    }
    return nullptr;
  }

  const Block* next(const Node* node) MAY_SAFEPOINT {
    switch (node->op) {
      case Op::return_: run_.result = node->inputs.empty() ? 0 : value(node->inputs[0]); return nullptr;
      case Op::jump: return take(node->block, 0);
      case Op::catch_: return take(node->block, has_exception(thread_) ? 1 : 0);
      case Op::unwind:
        run_.has_thrown = true;
        deoptimize(thrown_);
        return nullptr;
      case Op::branch: return take(node->block, value(node->inputs[0]) != 0 ? 0 : 1);
      default: {
        std::span<i32> keys = node->switch_keys->keys;
        auto found = std::find(keys.begin(), keys.end(), static_cast<i32>(value(node->inputs[0])));
        return take(node->block, found == keys.end() ? 0 : static_cast<usize>(found - keys.begin()) + 1);
      }
    }
  }

  // Takes the edge to successor `number` and returns that successor. If several edges connect the two blocks, they have
  // the same order in `successors` and in `predecessors`. All phis are set at once, because one phi may be an input of
  // another phi.
  const Block* take(const Block* from, usize number) {
    const Block* to = from->successors[number];
    usize before = static_cast<usize>(std::count(from->successors.begin(), from->successors.begin() + number, to));
    usize edge = 0;
    for (;; ++edge) {
      if (to->predecessors[edge] == from && before-- == 0) break;
    }
    std::vector<std::pair<u32, u64>> merged;
    for (const Node* node : to->nodes) {
      if (node->op != Op::phi) break;
      merged.emplace_back(node->id, value(node->inputs[edge]));
    }
    for (auto [id, bits] : merged) values_[id] = bits;
    return to;
  }

  bool leaves(const Node* node) MAY_SAFEPOINT {
    constexpr usize most_polls = 100;
    if (node->op == Op::poll && run_.polls_passed.size() < most_polls) run_.polls_passed.push_back(run_.deopts_passed);
    bool fails = node->op == Op::uncommon_trap || (node->op == Op::guard && value(node->inputs[0]) == 0);
    if (!fails && run_.deopts_passed++ != forced_deopt_) return false;
    deoptimize(node);
    return true;
  }

  void deoptimize(const Node* node) MAY_SAFEPOINT {
    run_.exit = node;
    rebuild(node->state->objects);
    auto slots = [this](std::span<Node* const> nodes) {
      std::vector<Slot> all;
      for (const Node* slot : nodes) all.push_back(slot == nullptr ? 0 : value(slot));
      return all;
    };
    auto locks = [this](const HeldLock* lock) {
      std::vector<Object*> all;
      for (; lock != nullptr; lock = lock->outer) all.insert(all.begin(), object(lock->object));
      return all;
    };
    run_.locals = slots(node->state->locals);
    run_.operands = slots(node->state->operands);
    run_.locks = locks(node->state->locks);
    for (const FrameState* state = node->state->outer; state != nullptr; state = state->outer) {
      run_.callers.push_back({state, slots(state->locals), slots(state->operands), locks(state->locks)});
    }
  }

  // Allocates the virtual objects of the frame state, with the values of their fields.
  void rebuild(std::span<const FieldValues> objects) MAY_SAFEPOINT {
    HandleScope scope(thread_);
    Kept kept = keep_references(scope);
    std::vector<Handle> made;
    for (const FieldValues& object : objects) {
      const VirtualLayout& layout = *object.object->layout;
      Klass* klass = klass_of_id(layout.klass->id);
      made.push_back(scope.make(klass->is_array()
                                    ? heap::allocate_array(thread_, klass, static_cast<i32>(layout.length))
                                    : heap::allocate_instance(thread_, klass)));
    }
    reload_references(kept);
    for (usize i = 0; i < objects.size(); ++i) values_[objects[i].object->id] = slot_of(made[i]);
    for (const FieldValues& object : objects) {
      for (usize i = 0; i < object.values.size(); ++i) {
        const Access& access = object.object->layout->fields[i].access;
        store(access, object_of(value(object.object)), access.offset, value(object.values[i]));
      }
    }
  }

  void step(const Node* node) MAY_SAFEPOINT {
    u64& result = values_[node->id];
    auto in = [&](usize i) { return value(node->inputs[i]); };
    switch (node->op) {
      case Op::constant: result = node->bits; return;
      // The execution allocates a virtual object only when the graph deoptimizes.
      case Op::virtual_object: result = 0; return;
      case Op::parameter: result = parameter(node); return;
      case Op::mirror: result = slot_of(node->klass->mirror); return;
      case Op::resolved_object:
        result = slot_of(
            node->resolved.constants->resolved_references->reference_at(static_cast<i32>(node->resolved.index)));
        return;
      case Op::root_object: result = slot_of(*node->root); return;
      case Op::compare_reference: result = (in(0) == in(1)) == (node->condition == Condition::Equal); return;
      case Op::is_instance: result = in(0) != 0 && object_of(in(0))->klass()->is_subtype_of(node->klass); return;
      case Op::is_castable: result = in(0) == 0 || object_of(in(0))->klass()->is_subtype_of(node->klass); return;
      case Op::has_class: result = object_of(in(0))->klass() == node->klass; return;
      case Op::has_no_finalizer: result = !object_of(in(0))->klass()->as_instance()->has_finalizer; return;
      case Op::selects:
        result = object_of(in(0))->klass()->vtable_entry(node->selected->vtable_index).load() == node->selected->method;
        return;
      case Op::can_store:
        result =
            in(1) == 0 || object_of(in(1))->klass()->is_subtype_of(object_of(in(0))->klass()->as_array()->component);
        return;
      case Op::array_length: result = static_cast<u32>(object_of(in(0))->length()); return;
      case Op::byte_for_array:
        result = object_of(in(0))->klass_id() == boolean_array_klass_id ? in(1) & 1 : in(1);
        return;
      case Op::load_field: result = load(node->access, object_of(in(0)), node->access.offset); return;
      case Op::store_field: return store(node->access, object_of(in(0)), node->access.offset, in(1));
      case Op::load_element:
        result = load(node->access, object_of(in(0)), element_offset(node->access, static_cast<u32>(in(1))));
        return;
      case Op::store_element:
        return store(node->access, object_of(in(0)), element_offset(node->access, static_cast<u32>(in(1))), in(2));
      case Op::mark_elements:
        return barrier::mark_elements(object_of(in(0)), static_cast<i64>(in(1)), static_cast<i64>(in(2)));
      case Op::new_instance:
      case Op::new_array:
      case Op::box:
      case Op::virtual_box: return allocate(node);
      case Op::copy_array:
        if (!interpreter::copy_array(object_of(in(0)), static_cast<i32>(in(1)), object_of(in(2)),
                                     static_cast<i32>(in(3)), static_cast<i32>(in(4)))) {
          deoptimize(node);
        }
        return;
      case Op::copy_bytes:
        return interpreter::copy_bytes(object_of(in(0)), static_cast<i32>(in(1)), object_of(in(2)),
                                       static_cast<i32>(in(3)), static_cast<i32>(in(4)));
      case Op::copy_elements:
        return interpreter::copy_elements(object_of(in(0)), object_of(in(1)), object_of(in(0))->klass()->element_shift,
                                          static_cast<i32>(in(2)));
      case Op::clone_if_room: result = slot_of(interpreter::clone_if_room(thread_, object_of(in(0)))); return;
      case Op::string_equals: {
        bool equal = false;
        if (!interpreter::strings::equals(object_of(in(0)), object_of(in(1)), equal)) deoptimize(node);
        result = equal;
        return;
      }
      case Op::library_query:
      case Op::library_call: {
        std::vector<Slot> slots;
        for (const Node* input : node->inputs) {
          if (is_wide(input->type)) slots.push_back(0);
          slots.push_back(value(input));
        }
        i64 answer = node->kernel->of_slots(slots.data() + slots.size());
        if (answer == interpreter::kernel_calls::declined) deoptimize(node);
        result = static_cast<u32>(answer);
        return;
      }
      case Op::mirror_of: result = slot_of(object_of(in(0))->klass()->mirror); return;
      case Op::current_thread: result = slot_of(thread_->current_object); return;
      case Op::current_carrier: result = slot_of(thread_->carrier->thread->thread_object); return;
      case Op::scoped_value_cache: result = slot_of(thread_->scoped_value_cache); return;
      case Op::set_scoped_value_cache: thread_->scoped_value_cache = object_of(in(0)); return;
      case Op::identity_hash: result = sync::identity_hash_unless_locked(thread_, object_of(in(0))); return;
      case Op::is_instance_of: {
        const Klass* klass = klass_of_mirror(object_of(in(0)));
        result = in(1) != 0 && !klass->is_primitive() && object_of(in(1))->klass()->is_subtype_of(klass);
        return;
      }
      case Op::class_fact:
        result = static_cast<u32>(fact_of(klass_of_mirror(object_of(in(0))), static_cast<ClassFact>(node->bits)));
        return;
      case Op::latin1_hash: result = interpreter::strings::latin1_hash_code(object_of(in(0))); return;
      case Op::load_raw: result = load(node->access, raw(node), 0); return;
      case Op::store_raw:
        if (node->access.type == 'A') return store(node->access, object_of(in(0)), static_cast<u32>(in(1)), in(2));
        return store(node->access, raw(node), 0, in(2));
      case Op::fence: return std::atomic_thread_fence(std::memory_order_seq_cst);
      case Op::load_store_fence: return std::atomic_thread_fence(std::memory_order_acq_rel);
      case Op::set_current_thread: thread_->current_object = object_of(in(0)); return;
      case Op::spin_wait: return HardwareWorld::pause();
      case Op::change_pins:
        if (thread_->continuation != nullptr) thread_->continuation->pins += static_cast<u32>(node->bits);
        return;
      case Op::compare_and_set:
      case Op::compare_and_exchange:
      case Op::exchange:
      case Op::fetch_and_add: result = access_atomically(node); return;
      case Op::guard:
      case Op::poll:
      case Op::loop_entry:
      case Op::lock_method:
      case Op::held_monitor:
      case Op::check_monitors:
      case Op::monitor_enter:
      case Op::monitor_exit:
      case Op::drop_record: return;
      case Op::call: thrown_ = node; return call(node);
      case Op::try_enter:
      case Op::release: result = 1; return;
      case Op::exception: result = slot_of(thread_->pending_exception); return;
      case Op::take_exception: thread_->pending_exception = nullptr; return;
      default: break;
    }
    std::vector<u64> inputs;
    for (const Node* input : node->inputs) inputs.push_back(value(input));
    std::optional<u64> computed = evaluate(*node, inputs);
    KEYHOLE_CHECK(computed.has_value(), "n{} {} cannot be executed", node->id, row(node->op).name);
    result = *computed;
  }

  // The address of a raw access as an Object pointer, to be passed to load() and store() with the offset 0.
  Object* raw(const Node* node) const { return object_of(value(node->inputs[0]) + value(node->inputs[1])); }

  u64 access_atomically(const Node* node) const TOUCHES_OBJECTS {
    auto in = [&](usize i) { return value(node->inputs[i]); };
    u32 offset = static_cast<u32>(in(1));
    if (node->access.type == 'A') {
      if (node->op == Op::exchange) return slot_of(barrier::exchange(object_of(in(0)), offset, object_of(in(2))));
      Object* witness;
      bool is_set = barrier::compare_exchange(object_of(in(0)), offset, object_of(in(2)), object_of(in(3)), &witness);
      return node->op == Op::compare_and_set ? u64{is_set} : slot_of(witness);
    }
    switch (node->access.type) {
      case 'B': return static_cast<u32>(static_cast<i8>(access_atomically<u8>(node)));
      case 'S': return static_cast<u32>(static_cast<i16>(access_atomically<u16>(node)));
      case 'C': return access_atomically<u16>(node);
      case 'J': return access_atomically<u64>(node);
      default: return access_atomically<u32>(node);
    }
  }
  template <typename T> u64 access_atomically(const Node* node) const TOUCHES_OBJECTS {
    std::atomic<T>& place = raw(node)->atomic<T>(0);
    T operand = static_cast<T>(value(node->inputs[2]));
    if (node->op == Op::exchange) return place.exchange(operand);
    if (node->op == Op::fetch_and_add) return place.fetch_add(operand);
    T expected = operand;
    bool is_set = place.compare_exchange_strong(expected, static_cast<T>(value(node->inputs[3])));
    return node->op == Op::compare_and_set ? is_set : expected;
  }

  u64 parameter(const Node* node) const {
    u64 bits = arguments_[node->local];
    return node->type == Type::Int || node->type == Type::Float ? static_cast<u32>(bits) : bits;
  }

  // --- safepoints: all references of the execution are kept in handles -----------------------------------------------

  using Kept = std::vector<std::pair<u32, Handle>>;

  Kept keep_references(HandleScope& scope) TOUCHES_OBJECTS {
    Kept kept;
    for (u32 i = 0; i < values_.size(); ++i) {
      if (is_reference_[i] && values_[i] != 0) kept.emplace_back(i, scope.make(object_of(values_[i])));
    }
    return kept;
  }
  void reload_references(const Kept& kept) TOUCHES_OBJECTS {
    for (auto& [id, handle] : kept) values_[id] = slot_of(handle);
  }

  Object* made_by(const Node* node) MAY_SAFEPOINT {
    if (node->is_box()) return boxes::value_of(thread_, static_cast<i32>(value(node->inputs[0])));
    Klass* klass = klass_of_id(node->allocation.klass_id);
    return node->op == Op::new_instance
               ? heap::allocate_instance(thread_, klass)
               : heap::allocate_array(thread_, klass, static_cast<i32>(value(node->inputs[0])));
  }
  void allocate(const Node* node) MAY_SAFEPOINT {
    HandleScope scope(thread_);
    Kept kept = keep_references(scope);
    Object* made = made_by(node);
    reload_references(kept);
    values_[node->id] = slot_of(made);
    if (made == nullptr) deoptimize(node);
  }

  void call(const Node* node) MAY_SAFEPOINT {
    if (node->call->kind == CallKind::Fallback && node->inputs.empty())
      // A fallback without arguments is an instruction that always throws. The executed graph deoptimizes here, and the
      // interpreter executes the instruction.
      return deoptimize(node);
    std::vector<Slot> arguments;
    for (const Node* input : node->inputs) {
      if (is_wide(input->type)) arguments.push_back(0);
      arguments.push_back(value(input));
    }
    const CallTarget& target = *node->call;
    HandleScope scope(thread_);
    Kept kept = keep_references(scope);
    u64 result = 0;
    if (target.kind == CallKind::Fallback) {
      result = multianewarray(node, arguments);
    } else if (target.kind == CallKind::Interface) {
      result = call_java_virtual(thread_, target.interface->method, arguments);
    } else {
      Method* method = target.method;
      if (target.kind == CallKind::Virtual) {
        method = object_of(arguments[0])->klass()->vtable_entry(target.vtable_index).load(std::memory_order_relaxed);
      }
      result = call_java(thread_, method, arguments);
    }
    reload_references(kept);
    values_[node->id] = node->type == Type::Int || node->type == Type::Float ? static_cast<u32>(result) : result;
  }

  // Executes a fallback with arguments, which can only be a multianewarray. The other fallbacks with arguments, those
  // of monitorenter, do not exist before lowering.
  u64 multianewarray(const Node* node, std::span<const Slot> lengths) MAY_SAFEPOINT {
    const Method* method = node->state->method;
    u32 index = bytecode::constant_index(method->code, node->state->bci);
    Klass* klass = resolve_class_at(thread_, method->constants, index);
    if (klass == nullptr) return 0;
    return slot_of(interpreter::allocate_multi_array(thread_, klass, static_cast<u32>(lengths.size()), lengths.data()));
  }

  JavaThread* thread_;
  const Graph& graph_;
  u64 forced_deopt_;
  std::span<const Slot> arguments_;
  const Node* thrown_ = nullptr;  // the last call that was executed, which may have a pending exception
  std::vector<u64> values_;       // by node id
  std::vector<bool> is_reference_;
  Execution run_;
};

}  // namespace

Execution execute(JavaThread* thread, const Graph& graph, std::span<const Slot> arguments, u64 forced_deopt) {
  return Executor(thread, graph, forced_deopt).run(arguments);
}

}  // namespace keyhole::graph
