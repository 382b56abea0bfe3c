// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Describes scalar-replaced objects for the site of a deopt exit or a call: the virtual objects of the frame state, and
// at deopt exits its virtual boxes, too. The frame state of a call has no virtual boxes (boxes.cpp).
//
//     frame state [- | n3 n5] n3{+12 n7 +16 n5}     n3 a virtual object, n5 a virtual box, n7 a value
//
//     slots    null, the box's number            site   object 0: class of n3, and its slot; fields: n7's slot,
//     fields   n7, the box's number                               object 1
//                                                       object 1: a box, and its slot; the slot of its number
#include <algorithm>

#include "jit/graph/lower/lowering.h"
#include "runtime/object/klass.h"

namespace keyhole::graph {
namespace {

class Description {
 public:
  Description(const FrameState& state, u32 shift, DebugInfo& site)
      : state_(state), shift_(shift), site_(site), objects_(site.scalar_replaced) {}

  void run() {
    for (const FieldValues& object : state_.objects) {
      const VirtualLayout& layout = *object.object->layout;
      add(object.object, {layout.klass->id, static_cast<i32>(layout.length), {}, {}});
    }
    usize operands = state_.operands.size();
    for_each_slot(state_, operands, [this](u32 slot, const Node* value) { add_box(slot, value); }, shift_);
    auto name = [this](u32 slot, const Node* value) {
      if (value->is_virtual()) objects_[number_of(value)].slots.push_back(slot);
    };
    for_each_frame_slot(state_, operands, name, shift_);
    describe_fields(fields_distance(state_, shift_));
    for_each_lock(&state_, [this](const HeldLock& lock) {
      if (lock.object->is_virtual()) site_.scalar_replaced_locks.push_back(number_of(lock.object));
    });
    std::ranges::reverse(site_.scalar_replaced_locks);
  }

 private:
  void add(const Node* node, ScalarReplacedObject object) {
    nodes_.push_back(node);
    objects_.push_back(std::move(object));
  }
  u32 number_of(const Node* node) const { return static_cast<u32>(std::ranges::find(nodes_, node) - nodes_.begin()); }
  // Describes a virtual box when the walk over the slots meets the box for the first time. The slot of this first visit
  // holds the boxed int.
  void add_box(u32 slot, const Node* value) {
    if (value->op != Op::virtual_box || number_of(value) != nodes_.size()) return;
    add(value, {ScalarReplacedObject::box, 0, {{'I', false, 0, slot}}, {}});
  }
  void describe_fields(u32 slot) {
    for (const FieldValues& object : state_.objects) {
      ScalarReplacedObject& described = objects_[number_of(object.object)];
      for (usize i = 0; i < object.values.size(); ++i) {
        const Node* value = object.values[i];
        const Access& access = object.object->layout->fields[i].access;
        char type = access.type == 'C' ? 'S' : access.type;
        if (value->is_virtual()) described.fields.push_back({type, true, access.offset, number_of(value)});
        else if (has_field_slot(value)) described.fields.push_back({type, false, access.offset, slot});
        if (has_field_slot(value)) ++slot;
      }
    }
  }

  const FrameState& state_;
  const u32 shift_;
  DebugInfo& site_;
  std::vector<ScalarReplacedObject>& objects_;
  std::vector<const Node*> nodes_;  // the node of each object
};

}  // namespace

void Lowering::describe_scalar_replaced(const FrameState* state, u32 shift, DebugInfo& site) {
  Description(*state, shift, site).run();
}

}  // namespace keyhole::graph
