// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Builds allocations, type checks and monitors.
#include "jit/graph/build/builder.h"

#include "runtime/object/klass.h"

namespace keyhole::graph {

using namespace interpreter;

void Builder::build_object(Operation operation, u64 word) {
  switch (operation) {
    case Operation::checkcast: {
      const auto* wanted = metadata_at<const Klass>(operand_b(word));
      const Klass* known = class_unless_null(peek(0));
      if (known != nullptr && !known->is_subtype_of(wanted)) return build_impossible_cast(wanted);
      if (build_cast_of_one_class(wanted)) return;
      Node* test = add(Op::is_castable, Type::Int, {peek(0)});
      test->klass = wanted;
      return guard(test, DeoptReason::Cast);
    }
    case Operation::instanceof_: {
      Node* test = add(Op::is_instance, Type::Int, {pop()});
      test->klass = metadata_at<const Klass>(operand_b(word));
      return push(test);
    }
    case Operation::new_instance: {
      Node* object = add_deoptimizing(Op::new_instance, Type::Reference);
      object->allocation = {static_cast<u32>(operand_b(word)), operand_a(word)};
      object->is_never_null = true;
      return push(object);
    }
    case Operation::newarray: {
      guard(compare(Condition::GreaterOrEqual, peek(0), int_constant(0)), DeoptReason::NegativeSize);
      Node* array = add_deoptimizing(Op::new_array, Type::Reference, {peek(0)});
      array->allocation = {static_cast<u32>(operand_b(word)), operand_a(word)};
      array->is_never_null = true;
      pop();
      return push(array);
    }
    case Operation::multianewarray: {
      Ends ends;
      add_call({CallKind::Fallback, operand_a(word), nullptr, 0, nullptr}, Type::Reference, ends);
      ends[0].value->is_never_null = true;
      return finish_call(operand_a(word), ends);
    }
    case Operation::athrow: return build_throw();
    default: return deoptimize(DeoptReason::Interpreted);
  }
}

// Builds a cast that fails for every object, because the object's class is known not to fit; only null passes. The
// result is the constant null: no later node may treat the object as an instance of the wanted class, because the
// object lacks that class's methods and fields.
void Builder::build_impossible_cast(const Klass* wanted) {
  Node* object = peek(0);
  Node* test = add(Op::is_castable, Type::Int, {object});
  test->klass = wanted;
  guard(test, DeoptReason::Cast);
  if (object->is_never_null || is_known_not_null(object)) return deoptimize(DeoptReason::Cast);
  pop();
  push(constant(Type::Reference, 0));
}

// Builds a type test whose class is not resolved. A test of an object would have resolved the class (JVMS 6.5). So if
// this test was executed, it has tested only null, and a guard checks that the object is null. The result is then
// known: a cast of null succeeds, and instanceof is false for null.
void Builder::build_unresolved_test(Operation operation) {
  Node* object = peek(0);
  bool has_run = shape_.profile.exists() && frequency() > 0;
  if (!has_run || object->is_never_null || is_known_not_null(object)) return deoptimize(DeoptReason::Unresolved);
  Node* null = constant(Type::Reference, 0);
  guard(compare(Condition::Equal, object, null), DeoptReason::Unresolved);
  pop();
  push(operation == Operation::checkcast_unresolved ? null : int_constant(0));
}

// Guards a cast to an interface for the one class that the profile has seen. Without the guard, the cast would search
// the object's class for the interface, and a call on the result would check the class once more.
bool Builder::build_cast_of_one_class(const Klass* wanted) {
  if (wanted->is_in_displays() || wanted->is_array() ||
      !inliner_.may_speculate(method(), instructions_.bci(instruction_), DeoptReason::Class))
    return false;
  const Klass* klass = shape_.profile.only_class_of(instruction_);
  if (klass == nullptr || !inliner_.may_name(klass) || !klass->is_subtype_of(wanted)) return false;
  Node* object = peek(0);
  if (!object->is_never_null && !is_known_not_null(object))
    guard(compare(Condition::NotEqual, object, constant(Type::Reference, 0)), DeoptReason::Class);
  Node* test = add(Op::has_class, Type::Int, {object});
  test->klass = klass;
  guard(test, DeoptReason::Class);
  return true;
}

// Builds monitorenter and monitorexit. A monitorexit that does not release the innermost monitor becomes a deopt point.
void Builder::build_monitor(Operation operation) {
  Node* object = peek(0);
  if (operation == Operation::monitorexit) {
    if (frame_.locks == nullptr || frame_.locks->object != object) return deoptimize(DeoptReason::Locks);
    add_deoptimizing(Op::monitor_exit, Type::None, {object});
    frame_.locks = frame_.locks->outer;
  } else {
    guard_not_null(object);
    add_deoptimizing(Op::monitor_enter, Type::None, {object});
    frame_.locks = graph_.make_lock(object, frame_.locks);
  }
  pop();
}

}  // namespace keyhole::graph
