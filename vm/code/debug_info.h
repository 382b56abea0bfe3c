// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Debug info of a call site in optimised code: inlined activations, scalar-replaced objects and eliminated locks.
//
// The compiler makes it with the code. Stack walks read the activations (vm/frames/layout/virtual_frame.h);
// deoptimization reads all of it (vm/frames/materialization.h).
#pragma once

#include <vector>

#include "vm/metadata/method.h"

namespace keyhole {

// An object that optimised code keeps in stack slots. Deoptimization allocates it (vm/frames/rematerialization.cpp).
struct ScalarReplacedObject {
  static constexpr u32 box = 0;  // instead of a class: an Integer with the number in its one field (vm/link/boxes.h)
  struct Field {
    char type;                // B S I J A: the type in memory
    bool is_scalar_replaced;  // `source` is the number of another scalar-replaced object of this site
    u32 offset;
    u32 source;  // else the field's stack slot, counted from the frame's locals
  };
  u32 klass_id;
  i32 length;                 // of an array
  std::vector<Field> fields;  // fields that are not 0 or null
  std::vector<u32> slots;     // the stack slots that refer to the object, counted from the frame's locals
};

struct DebugInfo {
  struct Activation {
    Method* method;  // not used for the last activation, whose method is the frame's
    u32 bci;         // the bci of the invoke that is in progress
    u32 locals;      // stack slots between the frame's locals and the activation's
    // The numbers of locks that belong to activations further out:
    u32 lock_records;               // locks among the frame's lock records
    u32 eliminated_locks = 0;       // locks among DebugInfo::eliminated_locks
    u32 scalar_replaced_locks = 0;  // locks among DebugInfo::scalar_replaced_locks
  };
  std::vector<Activation> activations;  // innermost first; the last is the frame's own

  // Stack slots between the frame's header and its operands, during a call. They hold fields of scalar-replaced
  // objects. Operands and inlined activations lie higher by this number (jit/graph/lower/stack_slots.h, H4).
  u32 further_slots = 0;
  // Slots that hold a reference or null but belong to no activation, counted from the frame's locals.
  std::vector<u32> further_roots;
  u32 result_slots = 0;  // of the callee
  bool result_is_reference = false;

  // Enters that the code has eliminated and that the activations hold (jit/graph/optimize/nested_locks.cpp), outermost
  // first. For each one, the index of the frame's lock record with the same object. Deoptimization enters them again.
  std::vector<u32> eliminated_locks;
  std::vector<ScalarReplacedObject> scalar_replaced;
  // The scalar-replaced objects that activations have locked, by number, outermost first.
  std::vector<u32> scalar_replaced_locks;
};

}  // namespace keyhole
