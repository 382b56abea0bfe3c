// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Objects that optimised code has not made (jit/graph/optimize/escape_analysis.cpp, boxes.cpp) are made when it leaves,
// also in a call.
//
//     site ──> UnmadeObject { class, fields' slots, slots that name it }
//
//     homes, further slots        frames              heap
//     [ 7 | ref | ... ]  ──read──> [ null ] ──allocate all──> {0, null} {0} ──fill──> {7, ref} {3} ──name──> frames
//
// R1: the values of all fields are read first, references into handles: what is allocated then may move them. Until
//     the objects are there the slots that are to name them are null.
// R2: all are allocated before the first is filled: they may name each other in cycles. Nobody else sees them before
//     the frames name them, so nothing is half made where anybody looks.
// R3: when memory runs out the program has come to where an allocation that it has executed before has failed. No
//     handler of these activations could be given the state that it expects, so none is asked: the OutOfMemoryError
//     leaves all of them, their monitors are released, and the caller sees it come out of its call (JLS 11.1.3 lets a
//     VirtualMachineError come at any point).
// R4: what code has locked and not made has no lock record, and lies inside all that has one
//     (jit/graph/ir/frame_state.h, S8). Records are pushed above those that there are, outermost first, and the
//     algorithm's own enter, which nobody contends, does the rest: so records, recursion counts and lock stacks are
//     what the interpreter would have made. Until then the frames made count none of them. Where there is no room for a
//     record R3 holds, with a StackOverflowError.
// R5: behind a call the callee's result is above what the frames hold, and an exception is pending: both are kept
//     meanwhile. What is in objects lies below the operands (jit/graph/lower/stack_slots.h, H4), and is read before
//     these move.
#include <vector>

#include "gc/barrier.h"
#include "gc/heap.h"
#include "runtime/object/object.h"
#include "runtime/sync/synchronizer.h"
#include "vm/interpreter/handlers.h"
#include "vm/interpreter/java_frames.h"
#include "vm/interpreter/raise.h"
#include "vm/interpreter/unwind.h"
#include "vm/link/array_klasses.h"
#include "vm/link/boxes.h"
#include "vm/link/exceptions.h"

namespace keyhole::interpreter {
namespace {

// Of a site, copied.
struct UnmadeLocks {
  explicit UnmadeLocks(const CallSiteViews& site) : objects(site.unmade_locks) {
    for (const CallSiteViews::View& view : site.views) below.push_back(view.unmade_locks);
  }
  std::vector<u32> objects;   // their numbers, outermost first
  std::vector<u32> below;     // of each view, innermost first: locks of views further out
};

class Rebuilding {
 public:
  Rebuilding(JavaThread* thread, Frame* frame, const CallSiteViews& site)   // copies: the code may be freed
      : scope_(thread), thread_(thread), frame_(frame), further_slots_(site.further_slots), objects_(site.unmade),
        locks_(site) {}

  // The innermost frame, or null: with an exception pending.
  Frame* run() MAY_SAFEPOINT {
    read(locals_of(frame_));
    materialise(thread_, frame_, nullptr);
    if (allocate()) {
      fill();
      name(locals_of(frame_));
      if (lock()) return thread_->top_frame;
    }
    abandon_activations(thread_, frame_);   // R3
    return nullptr;
  }

 private:
  struct Value {
    Slot bits = 0;
    Handle reference;
  };

  // R1
  void read(Slot* locals) TOUCHES_OBJECTS {
    for (const UnmadeObject& object : objects_) {
      for (const UnmadeObject::Field& field : object.fields) {
        if (field.is_unmade) values_.push_back({});
        else if (field.type == 'A') values_.push_back({0, scope_.make(as_object(locals[field.source]))});
        else values_.push_back({locals[field.source], {}});
      }
    }
    for (const UnmadeObject& object : objects_) {
      for (u32 slot : object.slots) locals[slot] = 0;
    }
  }

  // False: with an exception pending.
  bool allocate() MAY_SAFEPOINT {
    usize value = 0;
    for (const UnmadeObject& object : objects_) {
      Object* made = nullptr;
      if (object.klass_id == UnmadeObject::box) {
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
      for (const UnmadeObject::Field& field : objects_[i].fields) {
        if (objects_[i].klass_id != UnmadeObject::box) store(made_[i].get(), field, *value);
        ++value;
      }
    }
  }

  // Behind a call: all above the header has moved.
  void name(Slot* locals) TOUCHES_OBJECTS {
    const i64 header = frame_->stack_base() - locals;
    for (usize i = 0; i < objects_.size(); ++i) {
      for (u32 slot : objects_[i].slots)
        locals[slot < header ? slot : slot - further_slots_] = to_slot(made_[i].get());
    }
  }

  // R4. False: with an exception pending.
  bool lock() MAY_SAFEPOINT {
    for (u32 number : locks_.objects) {
      if (!has_lock_record(thread_)) {
        throw_stack_overflow(thread_);
        return false;
      }
      LockRecord* record = push_lock_record(thread_, made_[number].get());
      sync::enter(thread_, Handle(&record->object), record);
    }
    FrameView view(thread_);
    for (u32 below : locks_.below) {
      view.frame()->lock_record_base += below;
      view.step_out();
    }
    return true;
  }

  void store(Object* holder, const UnmadeObject::Field& field, const Value& value) TOUCHES_OBJECTS {
    switch (field.type) {
      case 'B': return holder->set<u8>(field.offset, static_cast<u8>(value.bits));
      case 'S': return holder->set<u16>(field.offset, static_cast<u16>(value.bits));
      case 'I': return holder->set<u32>(field.offset, static_cast<u32>(value.bits));
      case 'J': return holder->set<u64>(field.offset, value.bits);
      default: {
        Object* reference = field.is_unmade ? made_[field.source].get() : value.reference.get();
        return barrier::store(holder, field.offset, reference);
      }
    }
  }

  HandleScope scope_;
  JavaThread* const thread_;
  Frame* const frame_;
  const u32 further_slots_;
  const std::vector<UnmadeObject> objects_;
  const UnmadeLocks locks_;
  std::vector<Value> values_;     // of all fields of all objects
  std::vector<Handle> made_;
};

}  // namespace

Frame* materialise_left(JavaThread* thread, Frame* frame) {
  const CallSiteViews& site = *views_of_call_site(frame);
  if (!site.unmade.empty()) return Rebuilding(thread, frame, site).run();
  materialise(thread, frame, nullptr);
  return thread->top_frame;
}

// R5
Frame* materialise_returned(JavaThread* thread, Frame* frame, Slot* sp) {
  const CallSiteViews& site = *views_of_call_site(frame);
  const u32 slots = site.result_slots;
  const bool is_reference = site.result_is_reference;
  const Slot result = *sp;
  HandleScope scope(thread);
  Handle object = scope.make(is_reference ? as_object(result) : nullptr);
  frame->sp = sp - slots;
  Frame* innermost = materialise_left(thread, frame);
  if (innermost == nullptr || slots == 0) return innermost;
  innermost->sp += slots;
  *innermost->sp = is_reference ? to_slot(object.get()) : result;
  return innermost;
}

// R5
Frame* materialise_thrown(JavaThread* thread, Frame* frame) {
  HandleScope scope(thread);
  Handle exception = scope.make(nullptr);
  exception.set(take_exception(thread));
  Frame* innermost = materialise_left(thread, frame);
  if (innermost != nullptr) thread->pending_exception = exception.get();
  return innermost;
}

}  // namespace keyhole::interpreter
