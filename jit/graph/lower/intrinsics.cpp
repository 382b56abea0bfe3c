// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Lowers intrinsics to low nodes, to snippets that are compiled from the interpreter's source, or to calls of leaf
// functions, which reach no safepoint.
#include "jit/graph/ir/intrinsics.h"
#include "jit/graph/lower/lowering.h"
#include "runtime/sync/synchronizer.h"
#include "runtime/threads/continuations/continuation.h"
#include "runtime/threads/java_thread.h"
#include "vm/interpreter/array_copy.h"
#include "vm/interpreter/kernel_calls.h"
#include "vm/interpreter/library_kernels.h"
#include "vm/interpreter/string_intrinsics.h"

namespace keyhole::graph {

using low::Alias;
using low::no_node;

namespace {

bool is_instance_of(const Object* mirror, const Object* object) TOUCHES_OBJECTS {
  const Klass* klass = klass_of_mirror(mirror);
  return object != nullptr && !klass->is_primitive() && object->klass()->is_subtype_of(klass);
}
template <ClassFact fact> i32 fact_of_mirror(const Object* mirror) TOUCHES_OBJECTS {
  return fact_of(klass_of_mirror(mirror), fact);
}
u32 latin1_hash(const Object* bytes) TOUCHES_OBJECTS {
  u32 length = static_cast<u32>(bytes->length());
  // The vector kernel hashes arrays of `least` to `most` bytes. For shorter arrays the kernel is not faster. For longer
  // arrays the kernel would delay safepoints.
  constexpr u32 least = 32, most = 1_MiB;
  if (length < least || length > most || !interpreter::kernels::supports.avx2)
    return interpreter::strings::latin1_hash_code(bytes);
  return interpreter::kernels::hash_code(0, std::span(interpreter::strings::bytes_of(bytes), length));
}

}  // namespace

Lowering::NodeId Lowering::computed(const Node* node) {
  low::Type type = type_of(node->type);
  auto in = [&](usize i) { return value_of(node->inputs[i]); };
  auto one = [&](low::Op op) { return b_.value(op, type, {in(0)}); };
  auto two = [&](low::Op op) { return b_.value(op, type, {in(0), in(1)}); };
  auto narrowed = [&](low::Op op) {  // converts to int
    return b_.value(low::Op::Truncate, low::Type::I32, {b_.value(op, low::Type::I64, {in(0)})});
  };
  switch (node->op) {
    case Op::square_root: return one(low::Op::Sqrt);
    case Op::fabs:
    case Op::dabs: return one(low::Op::Abs);
    case Op::imin:
    case Op::lmin: return two(low::Op::Min);
    case Op::imax:
    case Op::lmax: return two(low::Op::Max);
    case Op::multiply_high: return two(low::Op::MulHigh);
    case Op::unsigned_multiply_high: return two(low::Op::UMulHigh);
    case Op::ibit_count: return one(low::Op::PopCount);
    case Op::ileading_zeros: return one(low::Op::LeadingZeros);
    case Op::itrailing_zeros: return one(low::Op::TrailingZeros);
    case Op::lbit_count: return narrowed(low::Op::PopCount);
    case Op::lleading_zeros: return narrowed(low::Op::LeadingZeros);
    case Op::ltrailing_zeros: return narrowed(low::Op::TrailingZeros);
    case Op::ireverse_bytes:
    case Op::lreverse_bytes: return one(low::Op::ByteSwap);
    case Op::bits_of_float:
    case Op::float_of_bits:
    case Op::bits_of_double:
    case Op::double_of_bits: return one(low::Op::Bits);
    default: return no_node;
  }
}

Lowering::Place Lowering::raw(const Node* node) {
  return {b_.address(value_of(node->inputs[0]), value_of(node->inputs[1]), 1, 0), Alias::Any, 0};
}

void Lowering::lower_atomic(const Node* node) {
  low::Type memory = memory_type(node->access.type);
  bool is_narrow = memory == low::Type::I8 || memory == low::Type::I16;
  auto in = [&](usize i) {
    NodeId value = value_of(node->inputs[i]);
    return is_narrow && i >= 2 ? b_.value(low::Op::Truncate, memory, {value}) : value;
  };
  auto offset = [&] { return b_.value(low::Op::Truncate, low::Type::I32, {in(1)}); };
  bool is_reference = node->access.type == 'A';
  switch (node->op) {
    case Op::compare_and_set:
      if (is_reference) {
        bits_[node->id] = snippet("compare_exchange_reference", low::Type::I1, {in(0), offset(), in(2), in(3)});
        return;
      }
      bits_[node->id] =
          b_.value(low::Op::Equal, low::Type::I1,
                   {in(2), b_.atomic(low::Op::CompareExchange, memory, {raw(node).address, in(2), in(3)}, Alias::Any)});
      return;
    case Op::compare_and_exchange:
      if (is_reference) {
        values_[node->id] = snippet("compare_exchange_witness", low::Type::Ptr, {in(0), offset(), in(2), in(3)});
        return;
      }
      values_[node->id] = b_.atomic(low::Op::CompareExchange, memory, {raw(node).address, in(2), in(3)}, Alias::Any);
      if (is_narrow) {
        low::Op widen = node->access.type == 'C' ? low::Op::ZeroExtend : low::Op::SignExtend;
        values_[node->id] = b_.value(widen, low::Type::I32, {values_[node->id]});
      }
      return;
    case Op::exchange:
      values_[node->id] = is_reference ? snippet("exchange_reference", low::Type::Ptr, {in(0), offset(), in(2)})
                                       : b_.atomic(low::Op::Exchange, memory, {raw(node).address, in(2)}, Alias::Any);
      return;
    default: values_[node->id] = b_.atomic(low::Op::FetchAdd, memory, {raw(node).address, in(2)}, Alias::Any);
  }
}

void Lowering::lower_store_raw(const Node* node) {
  if (node->access.type != 'A') return store(node->access, raw(node), node->inputs[2]);
  NodeId offset = b_.value(low::Op::Truncate, low::Type::I32, {value_of(node->inputs[1])});
  snippet(node->access.is_ordered ? "store_volatile_reference" : "store_reference", low::Type::None,
          {value_of(node->inputs[0]), offset, value_of(node->inputs[2])});
}

// Returns the object's identity hash. If the object has none yet, gives it one.
void Lowering::lower_identity_hash(const Node* node) {
  NodeId object = value_of(node->inputs[0]);
  NodeId known = snippet("identity_hash", low::Type::I32, {object});
  BlockId make = b_.new_block(), merged = b_.new_block();
  b_.branch(b_.value(low::Op::NotEqual, low::Type::I1, {known, int_constant(0)}), merged, make);
  b_.go_to(make);
  symbol("identity_hash", reinterpret_cast<const void*>(&sync::identity_hash_unless_locked));
  NodeId made = b_.call_leaf("identity_hash", low::Type::I32, {thread_, object});
  b_.jump(merged);
  b_.go_to(merged);
  NodeId phi = values_[node->id] = b_.phi(low::Type::I32, 2);
  b_.set_operand(phi, 0, known);
  b_.set_operand(phi, 1, made);
}

void Lowering::lower_intrinsic(const Node* node) {
  auto in = [&](usize i) { return value_of(node->inputs[i]); };
  auto leaf = [&](std::string name, const void* function, low::Type type, const std::vector<NodeId>& arguments) {
    symbol(name, function);
    return b_.call_leaf(name, type, arguments);
  };
  NodeId& value = values_[node->id];
  switch (node->op) {
    case Op::mirror_of: {
      NodeId place = b_.address(klass_of(in(0)), no_node, 1, offsetof(Klass, mirror));
      value = b_.load(low::Type::Ptr, place, Alias::Metadata);
      return;
    }
    case Op::current_thread: value = thread_field(offsetof(JavaThread, current_object), low::Type::Ptr); return;
    case Op::current_carrier: {
      NodeId carrier = thread_field(offsetof(JavaThread, carrier), low::Type::Ptr);
      NodeId place = b_.address(carrier, no_node, 1, offsetof(Carrier, thread));
      NodeId thread = b_.load(low::Type::Ptr, place, Alias::Thread);
      place = b_.address(thread, no_node, 1, offsetof(JavaThread, thread_object));
      value = b_.load(low::Type::Ptr, place, Alias::Thread);
      return;
    }
    case Op::scoped_value_cache: value = thread_field(offsetof(JavaThread, scoped_value_cache), low::Type::Ptr); return;
    case Op::set_scoped_value_cache: {
      NodeId place = b_.address(thread_, no_node, 1, offsetof(JavaThread, scoped_value_cache));
      b_.store(place, in(0), Alias::Thread, offsetof(JavaThread, scoped_value_cache) + 1);
      return;
    }
    case Op::set_current_thread: {
      NodeId place = b_.address(thread_, no_node, 1, offsetof(JavaThread, current_object));
      b_.store(place, in(0), Alias::Thread, offsetof(JavaThread, current_object) + 1);
      return;
    }
    case Op::identity_hash: return lower_identity_hash(node);
    case Op::is_instance_of:
      bits_[node->id] =
          leaf("is_instance_of", reinterpret_cast<const void*>(&is_instance_of), low::Type::I1, {in(0), in(1)});
      return;
    case Op::class_fact: {
      struct Row {
        const char* name;
        i32 (*function)(const Object*);
      };
      constexpr Row rows[] = {{"class_modifiers", fact_of_mirror<ClassFact::Modifiers>},
                              {"class_is_array", fact_of_mirror<ClassFact::IsArray>},
                              {"class_is_interface", fact_of_mirror<ClassFact::IsInterface>},
                              {"class_is_primitive", fact_of_mirror<ClassFact::IsPrimitive>}};
      const Row& row = rows[node->bits];
      value = leaf(row.name, reinterpret_cast<const void*>(row.function), low::Type::I32, {in(0)});
      return;
    }
    case Op::latin1_hash:
      value = leaf("latin1_hash", reinterpret_cast<const void*>(&latin1_hash), low::Type::I32, {in(0)});
      return;
    case Op::load_raw: value = load(node->access, node->type, raw(node)); return;
    case Op::store_raw: return lower_store_raw(node);
    case Op::fence: b_.fence(low::Order::SequentiallyConsistent); return;
    case Op::load_store_fence: b_.fence(low::Order::AcquireRelease); return;
    case Op::change_pins: {
      NodeId continuation = thread_field(offsetof(JavaThread, continuation), low::Type::Ptr);
      NodeId is_one = b_.value(low::Op::NotEqual, low::Type::I1, {continuation, b_.constant(low::Type::Ptr, 0)});
      BlockId changes = b_.new_block(), merged = b_.new_block();
      b_.branch(is_one, changes, merged);
      b_.go_to(changes);
      NodeId place = b_.address(continuation, no_node, 1, offsetof(Continuation, pins));
      NodeId pins = b_.load(low::Type::I32, place, Alias::Any);
      b_.store(place, b_.value(low::Op::Add, low::Type::I32, {pins, int_constant(static_cast<i32>(node->bits))}),
               Alias::Any);
      b_.jump(merged);
      b_.go_to(merged);
      return;
    }
    case Op::spin_wait: snippet("spin_wait", low::Type::None, {}); return;
    case Op::copy_array: {
      NodeId done = leaf("copy_array", reinterpret_cast<const void*>(&interpreter::copy_array), low::Type::I1,
                         {in(0), in(1), in(2), in(3), in(4)});
      return go_on_if(done, deopt_exit(node->state, node->reason));
    }
    case Op::copy_bytes: snippet("copy_bytes", low::Type::None, {in(0), in(1), in(2), in(3), in(4)}); return;
    case Op::copy_elements: {
      char type = node->access.type;
      i32 shift = type == 'B' ? 0 : type == 'J' ? 3 : type == 'I' ? 2 : 1;
      snippet("copy_elements", low::Type::None, {in(0), in(1), int_constant(shift), in(2)});
      return;
    }
    case Op::clone_if_room:
      value = leaf("clone_if_room", reinterpret_cast<const void*>(&interpreter::clone_if_room), low::Type::Ptr,
                   {thread_, in(0)});
      return;
    case Op::string_equals: {
      NodeId result = snippet("string_equals", low::Type::I64, {in(0), in(1)});
      go_on_if(b_.value(low::Op::GreaterEqual, low::Type::I1, {result, b_.constant(low::Type::I64, 0)}),
               deopt_exit(node->state, node->reason));
      value = b_.value(low::Op::Truncate, low::Type::I32, {result});
      return;
    }
    case Op::library_query:
    case Op::library_call: {
      std::vector<NodeId> arguments;
      for (const Node* input : node->inputs) arguments.push_back(value_of(input));
      NodeId result =
          leaf(fmt::format("kernel_{}", node->kernel->name), node->kernel->function, low::Type::I64, arguments);
      NodeId declined = b_.constant(low::Type::I64, static_cast<u64>(interpreter::kernel_calls::declined));
      go_on_if(b_.value(low::Op::NotEqual, low::Type::I1, {result, declined}),
               deopt_exit(node->state, DeoptReason::Intrinsic));
      if (node->type == Type::Int) value = b_.value(low::Op::Truncate, low::Type::I32, {result});
      return;
    }
    default: return lower_atomic(node);
  }
}

}  // namespace keyhole::graph
