// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// On-stack replacement: a graph that is entered at a loop's header. The code continues a frame of the interpreter. The
// locals are in their stack slots, and the frame's lock records name the objects that it has locked.
//
//     synchronized (lock) {            n0 = parameter 2            javac's copy of `lock`
//       while (more()) step();   ──>   held_monitor n0
//     }                                check_monitors n0 @7        deoptimizes unless n0 is what the frame has locked
//                                      jump                        to the header
//
// The bytecode at the header does not say which monitors are held. So a second builder builds the method from its
// beginning up to the header, without inlining and speculation. It finds the monitors that are held at the header, and
// locals that hold the locked objects. Paths that were never executed are not built, so the result may be wrong for
// them. Therefore the code checks it (check_monitors).
#include <algorithm>

#include "jit/graph/build/builder.h"
#include "runtime/sync/algorithm.h"
#include "runtime/sync/synchronizer.h"
#include "vm/verify/frame_map.h"
#include "vm/verify/local_kinds.h"

namespace keyhole::graph {

namespace {

// Returns the type of the value in a slot of this kind. None means that compiled code does not use the slot.
Type type_of_slot(SlotKind kind) {
  switch (kind) {
    case SlotKind::Int: return Type::Int;
    case SlotKind::Float: return Type::Float;
    case SlotKind::LongUpper: return Type::Long;
    case SlotKind::DoubleUpper: return Type::Double;
    case SlotKind::Reference: return Type::Reference;
    default: return Type::None;
  }
}

}  // namespace

void Builder::enter_loop_of_method() {
  const Method* method = this->method();
  instruction_ = *graph_.loop_instruction;
  if (operand_depth(graph_.method(), instructions_.bci(instruction_)) != 0)
    return refuse("operands at a loop's header");
  std::vector<SlotKind> kinds = local_kinds_at(method, instructions_.bci(instruction_));
  frame_.locals.resize(method->max_locals);
  for (u32 i = 0; i < kinds.size(); ++i) {
    Type type = type_of_slot(kinds[i]);
    if (type == Type::None || !live_.is_live(instruction_, i)) continue;
    Node* node = add(Op::parameter, type);
    node->local = i;
    frame_.locals[i] = node;
  }
  if (method->is_synchronized() || instructions_.body()->has_monitors) enter_with_monitors();
}

void Builder::enter_with_monitors() {
  std::vector<HeldLocal> held = monitors_at(instruction_);
  if (!held.empty() && sync::fast_path().is_none())
    // Deopt exits correct the thread's lock records by settle_locks() (lower/locks.cpp). settle_locks() supports only
    // lock algorithms that have a fast path.
    return refuse("a loop in a region of a monitor without a fast path");
  std::vector<Node*> objects;
  for (HeldLocal local : held) {
    Node* object = local == mirror_of_holder ? mirror_of(method()->holder) : frame_.locals[local];
    if (object == nullptr) refuse("a monitor of a dead local at a loop's header");
    if (!refusal_.empty()) return;
    add(Op::held_monitor, Type::None, {object});
    objects.push_back(object);
    frame_.locks = graph_.make_lock(object, frame_.locks);
    if (objects.size() == 1 && method()->is_synchronized()) own_lock_ = frame_.locks;
  }
  if (!refusal_.empty()) return;
  FrameState* before = state();
  add_with(Op::check_monitors, Type::None, objects)->state = before;
}

// Finds a local for each object that the frame has locked at the instruction. The outermost object comes first. The
// loop must not write this local.
std::vector<Builder::HeldLocal> Builder::monitors_at(u32 instruction) {
  Graph graph(graph_.method());
  BuildOptions options;
  Inliner inliner(graph, options);
  MethodShape shape(graph_.method(), 0, true);
  std::vector<HeldLocal> held;
  auto refused = [&](std::string_view why) {
    refuse(std::string(why));
    return held;
  };
  if (!shape.flow.refusal().empty()) return refused(shape.flow.refusal());
  Builder scout(graph, inliner, shape);
  scout.sought_instruction_ = instruction;
  std::string refusal = scout.run();
  if (!refusal.empty()) return refused(refusal);
  if (!scout.sought_frame_) return refused("a loop's header is not reached from the method's entry");
  const std::vector<bool>& assigned = shape.flow.blocks()[shape.flow.block_at(instruction)].assigned;
  const std::vector<Node*>& locals = scout.sought_frame_->locals;
  for (const HeldLock* lock = scout.sought_frame_->locks; lock != nullptr; lock = lock->outer) {
    u32 local = 0;
    while (local < locals.size() && (locals[local] != lock->object || assigned[local])) ++local;
    if (local < locals.size()) held.push_back(local);
    else if (lock == scout.own_lock_ && method()->is_static()) held.push_back(mirror_of_holder);
    else return refused("a monitor of no local at a loop's header");
  }
  std::ranges::reverse(held);
  return held;
}

}  // namespace keyhole::graph
