// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Rematerialization: allocates the scalar-replaced objects of a deopt point or call
// (jit/graph/optimize/escape_analysis.cpp, boxes.cpp).
//
//     site ──> ScalarReplacedObject { class, stack slots of its fields, slots that refer to it }
//
//     stack slots                 frames              heap
//     [ 7 | ref | ... ]  ──read──> [ null ] ──allocate all──> {0, null} {0} ──fill──> {7, ref} {3} ──refer──> frames
//
// R1: the values of all fields are read first, references into handles, because the allocations may move what they
//     refer to. Until the objects exist, the slots that will refer to them are null.
// R2: all objects are allocated before the first one is filled, because they may refer to each other in cycles. No
//     other code sees an object before the frames refer to it, so none sees an object that is partly filled.
// R3: when an allocation fails, the program has already executed past the allocation that would have failed in the
//     interpreter. No exception handler of these activations can get the state that it expects, so none is searched:
//     the OutOfMemoryError ends all these activations, their monitors are released, and the caller sees the error come
//     out of its call (JLS 11.1.3 lets a VirtualMachineError come at any point).
// R4: a lock of a scalar-replaced object has no lock record, and lies inside all locks that have one
//     (jit/graph/ir/frame_state.h, S8). Records are pushed above the existing ones, outermost first, and the
//     algorithm's own enter takes the lock, uncontended: records, recursion counts and lock-stacks become what the
//     interpreter would have made. Until then the new frames count no such record. When there is no room for a record,
//     R3 holds with a StackOverflowError.
// R5: after a call, either the callee's result lies above the operands or an exception is pending; both are preserved.
//     Fields lie below the operands (jit/graph/lower/stack_slots.h, H4) and are read before the operands move.
#include <vector>

#include "gc/barrier.h"
#include "gc/heap/heap.h"
#include "runtime/object/object.h"
#include "runtime/sync/synchronizer.h"
#include "vm/frames/materialization.h"
#include "vm/frames/unwind.h"
#include "vm/link/boxes.h"
#include "vm/link/exceptions.h"
#include "vm/link/java_call.h"
#include "vm/link/loading/array_klasses.h"

namespace keyhole::interpreter {
namespace {

// Copies of the debug info's lists of locks on scalar-replaced objects.
struct ScalarReplacedLocks {
  explicit ScalarReplacedLocks(const DebugInfo& site) : objects(site.scalar_replaced_locks) {
    for (const DebugInfo::Activation& activation : site.activations) below.push_back(activation.scalar_replaced_locks);
  }
  std::vector<u32> objects;  // numbers of the locked objects, outermost lock first
  std::vector<u32> below;    // by activation, innermost first: the number of locks of outer activations
};

class Rematerialization {
 public:
  Rematerialization(JavaThread* thread, Frame* frame, const DebugInfo& site)  // copies: the code may be freed
      : scope_(thread), thread_(thread), frame_(frame), further_slots_(site.further_slots),
        objects_(site.scalar_replaced), locks_(site) {}

  // LIFE(deoptimization) 8/10: scalar-replaced objects are allocated and filled, their locks are taken
  // Returns the innermost frame, or null with an exception pending.
  Frame* run() MAY_SAFEPOINT {
    read(locals_of(frame_));
    materialize_frames(thread_, frame_, nullptr);
    if (allocate()) {
      fill();
      refer(locals_of(frame_));
      if (lock()) return thread_->top_frame;
    }
    abandon_activations(thread_, frame_);  // R3
    return nullptr;
  }

 private:
  struct Value {
    Slot bits = 0;
    Handle reference;
  };

  // R1
  void read(Slot* locals) TOUCHES_OBJECTS {
    for (const ScalarReplacedObject& object : objects_) {
      for (const ScalarReplacedObject::Field& field : object.fields) {
        if (field.is_scalar_replaced) values_.push_back({});
        else if (field.type == 'A') values_.push_back({0, scope_.make(object_of(locals[field.source]))});
        else values_.push_back({locals[field.source], {}});
      }
    }
    for (const ScalarReplacedObject& object : objects_) {
      for (u32 slot : object.slots) locals[slot] = 0;
    }
  }

  // False: an exception is pending.
  bool allocate() MAY_SAFEPOINT {
    usize value = 0;
    for (const ScalarReplacedObject& object : objects_) {
      Object* made = nullptr;
      if (object.klass_id == ScalarReplacedObject::box) {
        made = boxes::value_of(thread_, static_cast<i32>(values_[value].bits));
      } else {
        Klass* klass = klass_of_id(object.klass_id);
        made = klass->is_array() ? heap::allocate_array(thread_, klass, object.length)
                                 : heap::allocate_instance(thread_, klass);
        if (made == nullptr) throw_out_of_memory(thread_, heap::array_failure_message(object.length));
      }
      if (made == nullptr) return false;
      made_.push_back(scope_.make(made));
      value += object.fields.size();
    }
    return true;
  }

  void fill() TOUCHES_OBJECTS {
    auto value = values_.begin();
    for (usize i = 0; i < objects_.size(); ++i) {
      for (const ScalarReplacedObject::Field& field : objects_[i].fields) {
        if (objects_[i].klass_id != ScalarReplacedObject::box) store(made_[i].get(), field, *value);
        ++value;
      }
    }
  }

  // Stores the objects in the slots that refer to them. After a call everything above the frame header has moved.
  void refer(Slot* locals) TOUCHES_OBJECTS {
    const i64 header = frame_->stack_base() - locals;
    for (usize i = 0; i < objects_.size(); ++i) {
      for (u32 slot : objects_[i].slots) locals[slot < header ? slot : slot - further_slots_] = slot_of(made_[i].get());
    }
  }

  // Takes the locks (R4). Returns false if an exception is pending.
  bool lock() MAY_SAFEPOINT {
    for (u32 number : locks_.objects) {
      if (!has_lock_record(thread_)) {
        throw_stack_overflow(thread_);
        return false;
      }
      LockRecord* record = push_lock_record(thread_, made_[number].get());
      sync::enter(thread_, Handle(&record->object), record);
    }
    VirtualFrame activation(thread_);
    for (u32 below : locks_.below) {
      activation.frame()->lock_record_base += below;
      activation.step_out();
    }
    return true;
  }

  void store(Object* holder, const ScalarReplacedObject::Field& field, const Value& value) TOUCHES_OBJECTS {
    switch (field.type) {
      case 'B': return holder->set<u8>(field.offset, static_cast<u8>(value.bits));
      case 'S': return holder->set<u16>(field.offset, static_cast<u16>(value.bits));
      case 'I': return holder->set<u32>(field.offset, static_cast<u32>(value.bits));
      case 'J': return holder->set<u64>(field.offset, value.bits);
      default: {
        Object* reference = field.is_scalar_replaced ? made_[field.source].get() : value.reference.get();
        return barrier::store(holder, field.offset, reference);
      }
    }
  }

  HandleScope scope_;
  JavaThread* const thread_;
  Frame* const frame_;
  const u32 further_slots_;
  const std::vector<ScalarReplacedObject> objects_;
  const ScalarReplacedLocks locks_;
  std::vector<Value> values_;  // fields of all objects, in order
  std::vector<Handle> made_;
};

}  // namespace

Frame* materialize(JavaThread* thread, Frame* frame) {
  const DebugInfo& site = *debug_info_of(frame);
  if (!site.scalar_replaced.empty()) return Rematerialization(thread, frame, site).run();
  materialize_frames(thread, frame, nullptr);
  return thread->top_frame;
}

// R5
Frame* materialize_after_call(JavaThread* thread, Frame* frame, Slot* sp) {
  const DebugInfo& site = *debug_info_of(frame);
  const u32 slots = site.result_slots;
  const bool is_reference = site.result_is_reference;
  const Slot result = *sp;
  HandleScope scope(thread);
  Handle object = scope.make(is_reference ? object_of(result) : nullptr);
  frame->sp = sp - slots;
  Frame* innermost = materialize(thread, frame);
  if (innermost == nullptr || slots == 0) return innermost;
  innermost->sp += slots;
  *innermost->sp = is_reference ? slot_of(object.get()) : result;
  return innermost;
}

// R5
Frame* materialize_for_exception(JavaThread* thread, Frame* frame) {
  HandleScope scope(thread);
  Handle exception = scope.make(nullptr);
  exception.set(take_exception(thread));
  Frame* innermost = materialize(thread, frame);
  if (innermost != nullptr) thread->pending_exception = exception.get();
  return innermost;
}

}  // namespace keyhole::interpreter
