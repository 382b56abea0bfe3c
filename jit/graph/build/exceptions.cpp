// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Builds the dispatch of exceptions in this method. An exception comes from a call, and is then pending, or from an
// athrow. The code tests the handlers in the interpreter's order, from the innermost activation outwards:
//
//     call ──returned──> the next instruction
//       └──pending──> handler's class? ──yes──> release ──> take_exception ──> the handler's block
//                          no: the next handler, then the handlers of the calls that enclose this inlined method
//                     no handler: unwind
//     athrow          the same; no handler: an uncommon trap, and the interpreter throws
//     null, an index  a guard; where it fails often inside a handler's range, a branch and a fallback that throws
//
// X1: the dispatch changes nothing before it has found a handler in this code. So unwind and the uncommon trap see the
//     state at the throw. On the path to the handler, the code releases only the monitor of an inlined synchronized
//     method.
// X2: three kinds of handlers are left to the interpreter: a handler whose block has begun, because it covers itself; a
//     handler that another path enters with other locks; and a pruned handler. Then unwind or the uncommon trap ends
//     the path, and the interpreter searches for the handler.
#include "jit/graph/build/builder.h"
#include "vm/metadata/constant_pool.h"
#include "vm/metadata/instance_klass.h"

namespace keyhole::graph {

// The class that the handler catches; null if the class is not resolved.
static const Klass* caught_class(const Method* method, const ExceptionHandler& handler) {
  const ConstantPool* constants = method->constants;
  u32 index = handler.catch_type_index;
  return reinterpret_cast<const Klass*>(constants->resolved[index].load(std::memory_order_acquire));
}

bool Builder::catches() const {
  if (activation_.is_caught) return true;
  for (u32 i = 0; i < shape_.handlers.size(); ++i) {
    if (shape_.handlers[i] && method()->handlers[i].covers(instructions_.bci(instruction_))) return true;
  }
  return false;
}

void Builder::build_throw() {
  if (!catches()) return deoptimize(DeoptReason::Throws);
  guard_not_null(peek(0));
  dispatch({block_, peek(0), state()});
  block_ = nullptr;
}

// Raises the instruction's exception if the condition is false. The code calls the interpreter's handler of the
// instruction, which throws. The builder then dispatches the exception like an exception from a call.
void Builder::raise_unless(Node* condition) {
  Block* from = block_;
  add(Op::branch, Type::None, {condition});
  Block* fine = begin_path(from);
  block_ = begin_path(from);
  Ends ends;
  add_call({CallKind::Fallback, 0, nullptr, 0, nullptr}, Type::None, ends);
  deoptimize(DeoptReason::Interpreted);  // unreachable: the handler always throws
  block_ = fine;
}

Block* Builder::begin_path(Block* from) {
  Block* path = graph_.make_block();
  Graph::connect(from, path);
  return path;
}

// Ends the block with a catch_. The block's last node must be the call.
void Builder::catch_after_call() {
  Block* from = block_;
  add(Op::catch_, Type::None);
  Block* returned = begin_path(from);
  block_ = begin_path(from);
  Node* exception = add(Op::exception, Type::Reference);
  exception->is_never_null = true;
  dispatch({block_, exception, nullptr});
  block_ = returned;
}

// Builds the class tests for the handlers of this activation that cover the instruction, in the order of the table.
void Builder::dispatch(Thrown thrown) {
  Block* before = block_;
  block_ = thrown.block;
  for (u32 i = 0; i < shape_.handlers.size() && block_ != nullptr; ++i) {
    const ExceptionHandler& handler = method()->handlers[i];
    if (!handler.covers(instructions_.bci(instruction_))) continue;
    const Klass* wanted = handler.catch_type_index == 0 ? nullptr : caught_class(method(), handler);
    if (handler.catch_type_index == 0) {
      enter_handler(i, thrown);
    } else if (wanted == nullptr) {
      give_up(thrown);
    } else {
      Node* test = add(Op::is_instance, Type::Int, {thrown.exception});
      test->klass = wanted;
      Block* from = block_;
      add(Op::branch, Type::None, {test});
      block_ = begin_path(from);
      Block* missed = begin_path(from);
      enter_handler(i, thrown);
      block_ = missed;
    }
  }
  thrown.block = block_;
  if (block_ != nullptr) end_activation(thrown);
  block_ = before;
}

void Builder::enter_handler(u32 handler, const Thrown& thrown) {
  u32 instruction = instructions_.body()->handler_starts[handler];
  u32 number = flow_.block_at(instruction);
  if (!shape_.handlers[handler] || !flow_.starts(instruction) || number < begun_) return give_up(thrown);
  std::vector<Frame>& incoming = incoming_[number];
  if (!incoming.empty() && !same_locks(incoming[0].locks, frame_.locks)) return give_up(thrown);
  if (thrown.lock != nullptr) {
    Block* from = block_;
    add(Op::branch, Type::None, {add(Op::release, Type::Int, {thrown.lock})});
    Block* released = begin_path(from);
    block_ = begin_path(from);
    give_up(thrown);
    block_ = released;
  }
  if (thrown.state == nullptr) add(Op::take_exception, Type::None);
  Frame frame = frame_;
  frame.operands = {thrown.exception};
  incoming.push_back(std::move(frame));
  Graph::connect(block_, path_into(number));
  add(Op::jump, Type::None);
  block_ = nullptr;
}

// If a caller may catch the exception, leaves the dispatch of the exception to the caller's builder. The path to the
// caller's handler then releases the monitor of an inlined synchronized method (X1). If the method holds other
// monitors, the code deoptimizes, and the interpreter continues.
void Builder::end_activation(Thrown thrown) {
  bool may_deoptimize = activation_.is_caught && frame_.locks == own_lock_;
  if (own_lock_ != nullptr) {
    may_deoptimize = may_deoptimize && thrown.lock == nullptr;
    thrown.lock = own_lock_->object;
  }
  if (may_deoptimize) thrown_.push_back(thrown);
  else give_up(thrown);
}

void Builder::give_up(const Thrown& thrown) {
  if (thrown.state == nullptr) {
    add(Op::unwind, Type::None);
  } else {
    Node* node = add(Op::uncommon_trap, Type::None);
    node->state = thrown.state;
    node->reason = DeoptReason::Throws;
  }
  block_ = nullptr;
}

}  // namespace keyhole::graph
