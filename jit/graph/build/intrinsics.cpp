// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Calls of intrinsics (intrinsics.h). In cases that throw or are rare, a guard deoptimizes with the frame state before
// the call, and the interpreter calls the method. If that happens often, the recompiled code calls the method
// (DeoptReason::Intrinsic).
//
//   String   value: the bytes; null only while a constructor runs, or in an instance made by Unsafe
//            coder: 0 one byte per char (Latin-1), 1 two
#include <algorithm>

#include "jit/graph/build/builder.h"
#include "jit/graph/ir/intrinsics.h"
#include "vm/link/boxes.h"
#include "vm/link/callers.h"
#include "vm/link/linker.h"
#include "vm/link/well_known.h"
#include "vm/metadata/instance_klass.h"

namespace keyhole::graph {
namespace {

// The node's operation, for an intrinsic that becomes one node with the arguments as its inputs.
Op node_of(Intrinsic intrinsic) {
  switch (intrinsic) {
    case Intrinsic::sqrt: return Op::square_root;
    case Intrinsic::abs_float: return Op::fabs;
    case Intrinsic::abs_double: return Op::dabs;
    case Intrinsic::min_int: return Op::imin;
    case Intrinsic::max_int: return Op::imax;
    case Intrinsic::min_long: return Op::lmin;
    case Intrinsic::max_long: return Op::lmax;
    case Intrinsic::multiply_high: return Op::multiply_high;
    case Intrinsic::unsigned_multiply_high: return Op::unsigned_multiply_high;
    case Intrinsic::bit_count_int: return Op::ibit_count;
    case Intrinsic::bit_count_long: return Op::lbit_count;
    case Intrinsic::leading_zeros_int: return Op::ileading_zeros;
    case Intrinsic::leading_zeros_long: return Op::lleading_zeros;
    case Intrinsic::trailing_zeros_int: return Op::itrailing_zeros;
    case Intrinsic::trailing_zeros_long: return Op::ltrailing_zeros;
    case Intrinsic::reverse_bytes_int: return Op::ireverse_bytes;
    case Intrinsic::reverse_bytes_long: return Op::lreverse_bytes;
    case Intrinsic::float_to_bits: return Op::bits_of_float;
    case Intrinsic::bits_to_float: return Op::float_of_bits;
    case Intrinsic::double_to_bits: return Op::bits_of_double;
    case Intrinsic::bits_to_double: return Op::double_of_bits;
    case Intrinsic::current_thread: return Op::current_thread;
    case Intrinsic::current_carrier: return Op::current_carrier;
    case Intrinsic::scoped_value_cache: return Op::scoped_value_cache;
    default: return Op::constant;
  }
}

const Symbol* name_of_field(const InstanceKlass* klass, u32 offset) {
  std::span<const Field> fields(klass->fields, klass->field_count);
  return std::ranges::find_if(fields,
                              [offset](const Field& field) { return !field.is_static() && field.offset == offset; })
      ->name;
}

}  // namespace

bool Builder::try_intrinsic(const Target& target, Ends& ends) {
  const Method* callee = target.method;
  if (!inliner_.is_enabled()) return false;
  Intrinsic intrinsic = intrinsic_of(callee);
  std::optional<UnsafeAccess> access = unsafe_access_of(callee);
  if ((intrinsic == Intrinsic::none && !access) ||
      !inliner_.may_speculate(method(), instructions_.bci(instruction_), DeoptReason::Intrinsic)) {
    return false;
  }
  auto first = frame_.operands.end() - static_cast<i64>(callee->argument_slots);
  Arguments arguments;
  std::copy_if(first, frame_.operands.end(), std::back_inserter(arguments),
               [](const Node* slot) { return slot != nullptr; });
  Node* value = nullptr;
  if (access) value = build_unsafe_access(*access, arguments);
  else if (!build_intrinsic(intrinsic, target, arguments, value)) return false;
  inliner_.note({activation_.depth, instructions_.bci(instruction_), callee, false, "(intrinsic)"});
  ends.push_back({block_, value});
  return true;
}

// --- library kernels -------------------------------------------------------------------------------------------------

namespace {

// The minimal array lengths for a call of a kernel. For shorter arrays the method's inlined body is faster, because of
// the overhead of the call. Hash codes have a higher minimum, because their kernels work on groups of 32 elements.
constexpr i32 least_elements = 16, least_hashed_elements = 32;

}  // namespace

// Builds the condition that the array is long enough for a call of the kernel. Returns null if every array is long
// enough.
Node* Builder::is_long_enough(Intrinsic intrinsic, const Arguments& in) {
  Node* length;
  i32 least = least_elements;
  switch (intrinsic) {
    case Intrinsic::latin1_index_of_char: length = add(Op::isub, Type::Int, {in[3], in[2]}); break;
    case Intrinsic::latin1_index_of: length = add(Op::isub, Type::Int, {in[1], in[4]}); break;
    case Intrinsic::has_negatives:
    case Intrinsic::count_positives: length = in[2]; break;
    case Intrinsic::vectorized_hash:
      length = in[2];
      least = least_hashed_elements;
      break;
    case Intrinsic::hash_of_bytes:
    case Intrinsic::hash_of_shorts:
    case Intrinsic::hash_of_chars:
    case Intrinsic::hash_of_ints:
      guard_for_intrinsic(compare(Condition::NotEqual, in[0], constant(Type::Reference, 0)));
      length = add(Op::array_length, Type::Int, {in[0]});
      least = least_hashed_elements;
      break;
    default: return nullptr;
  }
  return compare(Condition::GreaterOrEqual, length, int_constant(least));
}

// Allocates an int[] for the kernel to fill. The code deoptimizes if the length is negative, because only the method's
// body throws for invalid arguments.
Node* Builder::new_ints(Node* length) {
  guard_for_intrinsic(compare(Condition::GreaterOrEqual, length, int_constant(0)));
  const Klass* klass = primitive_array_klass(BasicType::Int);
  Node* array = add_deoptimizing(Op::new_array, Type::Reference, {length});
  array->allocation = {klass->id, klass->element_shift};
  array->is_never_null = true;
  return array;
}

// Builds a call of the kernel. If the method can be inlined, the code branches: short arrays go to the inlined body,
// and long arrays to the kernel. If the method returns an array, its result is one of its arguments.
bool Builder::try_kernel(const Target& target, u64 count, Ends& ends) {
  const Method* callee = target.method;
  Intrinsic intrinsic = intrinsic_of(callee);
  const interpreter::KernelCall* kernel = kernel_of(intrinsic);
  if (!inliner_.is_enabled() || kernel == nullptr || kernel->parameter_count > most_kernel_parameters ||
      !inliner_.may_speculate(method(), instructions_.bci(instruction_), DeoptReason::Intrinsic))
    return false;
  auto first = frame_.operands.end() - static_cast<i64>(callee->argument_slots);
  Arguments in;
  std::copy_if(first, frame_.operands.end(), std::back_inserter(in), [](const Node* slot) { return slot != nullptr; });
  bool inlines =
      inliner_.judge(activation_, instructions_.bci(instruction_), callee, share_of(target, count)).inlines &&
      Inliner::fault_of(inliner_.shape_of(target.method)).empty();
  Node* is_long = inlines ? is_long_enough(intrinsic, in) : nullptr;
  Block* others = nullptr;
  if (is_long != nullptr) {
    Block* from = block_;
    block_ = graph_.make_block();
    others = graph_.make_block();
    Graph::append(from, graph_.make(Op::branch, Type::None, std::array{is_long}));
    Graph::connect(from, block_);
    Graph::connect(from, others);
  }
  Type type = type_of_descriptor(return_descriptor_of(callee->descriptor->text())[0]);
  in.erase(in.begin(), in.end() - kernel->parameter_count);
  Node* product = nullptr;
  if (type == Type::Reference) {
    Node*& array = intrinsic == Intrinsic::square_to_len ? in[2] : in.back();
    // BigInteger.implMultiplyToLen allocates the result array if its caller passes null. The graph does the same.
    if (intrinsic == Intrinsic::multiply_to_len && array->is_constant(0))
      array = new_ints(add(Op::iadd, Type::Int, {in[1], in[3]}));
    product = array;
    type = Type::None;
  }
  Node* node = graph_.make(kernel->writes ? Op::library_call : Op::library_query, type, in);
  node->state = state();
  node->kernel = kernel;
  Graph::append(block_, node);
  inliner_.note({activation_.depth, instructions_.bci(instruction_), callee, false, "(library kernel)"});
  ends.push_back({block_, type == Type::None ? product : node});
  if (others == nullptr) return true;
  block_ = others;
  if (!try_inline(target, count, ends))
    add_call({CallKind::Direct, callee->argument_slots, target.method, 0, nullptr}, ends);
  return true;
}

// Builds Object.clone. An array of primitives is copied inline, because its class is known exactly. A leaf function
// copies other objects. If the leaf function fails, the code calls the method.
bool Builder::try_clone(const Target& target, Ends& ends) {
  if (!inliner_.is_enabled() || intrinsic_of(target.method) != Intrinsic::clone) return false;
  Node* object = peek(0);
  inliner_.note({activation_.depth, instructions_.bci(instruction_), target.method, false, "(intrinsic)"});
  const Klass* klass = target.klass != nullptr ? target.klass : array_named_by_call();
  if (klass != nullptr && klass->kind == KlassKind::PrimitiveArray) {
    Node* length = add(Op::array_length, Type::Int, {object});
    Node* copy = add_deoptimizing(Op::new_array, Type::Reference, {length});
    copy->allocation = {klass->id, klass->element_shift};
    copy->is_never_null = true;
    constexpr char types[] = {'B', 'S', 'I', 'J'};
    add(Op::copy_elements, Type::None, {object, copy, length})->access = {types[klass->element_shift], false, 0,
                                                                          nullptr};
    ends.push_back({block_, copy});
    return true;
  }
  Node* copy = add(Op::clone_if_room, Type::Reference, {object});
  Node* is_made = compare(Condition::NotEqual, copy, constant(Type::Reference, 0));
  Block* made = graph_.make_block();
  Block* others = graph_.make_block();
  add(Op::branch, Type::None, {is_made});
  Graph::connect(block_, made);
  Graph::connect(block_, others);
  ends.push_back({made, copy});
  block_ = others;
  add_call({CallKind::Direct, target.method->argument_slots, target.method, 0, nullptr}, ends);
  return true;
}

// Returns false, without a change to the graph, if the call is not built as an intrinsic.
bool Builder::build_intrinsic(Intrinsic intrinsic, const Target& target, const Arguments& in, Node*& value) {
  if (Op op = node_of(intrinsic); op != Op::constant) {
    value = add_with(op, type_of_letter(row(op).type), in);
    value->is_never_null = op == Op::current_thread || op == Op::current_carrier;
    return true;
  }
  switch (intrinsic) {
    case Intrinsic::abs_int: value = add(Op::imax, Type::Int, {in[0], add(Op::ineg, Type::Int, {in[0]})}); return true;
    case Intrinsic::abs_long:
      value = add(Op::lmax, Type::Long, {in[0], add(Op::lneg, Type::Long, {in[0]})});
      return true;
    case Intrinsic::get_class:
      if (target.klass != nullptr) return value = mirror_of(target.klass), true;
      value = add(Op::mirror_of, Type::Reference, {in[0]});
      value->is_never_null = true;
      return true;
    case Intrinsic::box: return build_box(in[0], value);
    case Intrinsic::hash_code:
      guard_for_intrinsic(compare(Condition::NotEqual, in[0], constant(Type::Reference, 0)));
      value = add(Op::identity_hash, Type::Int, {in[0]});
      guard_for_intrinsic(compare(Condition::NotEqual, value, int_constant(0)));
      return true;
    case Intrinsic::is_instance:
      if (in[0]->op == Op::mirror) {
        value = add(Op::is_instance, Type::Int, {in[1]});
        value->klass = in[0]->klass;
      } else {
        value = add(Op::is_instance_of, Type::Int, {in[0], in[1]});
      }
      return true;
    case Intrinsic::array_copy:
      if (is_byte_array(in[0]) && is_byte_array(in[2])) return copy_bytes(in), true;
      add_deoptimizing(Op::copy_array, Type::None, {in[0], in[1], in[2], in[3], in[4]})->reason =
          DeoptReason::Intrinsic;
      return true;
    case Intrinsic::refers_to:
      value = field_of(in[0], well_known::Reference_class, reference_referent_offset, 'A');
      return value = compare(Condition::Equal, value, in[1]), true;
    case Intrinsic::class_modifiers:
    case Intrinsic::class_is_array:
    case Intrinsic::class_is_interface:
    case Intrinsic::class_is_primitive:
      return target.method->is_native() && (value = class_fact(intrinsic, in[0]), true);
    case Intrinsic::caller_class: return (value = caller_class()) != nullptr;
    case Intrinsic::full_fence: add(Op::fence, Type::None); return true;
    case Intrinsic::load_store_fence: add(Op::load_store_fence, Type::None); return true;
    case Intrinsic::ignore_receiver:
    case Intrinsic::ignore_receiver_and_int:
    case Intrinsic::ignore_int: return true;
    case Intrinsic::set_current_thread: add(Op::set_current_thread, Type::None, {in[1]}); return true;
    case Intrinsic::pin:
    case Intrinsic::unpin:
      add(Op::change_pins, Type::None)->bits = static_cast<u32>(intrinsic == Intrinsic::pin ? 1 : -1);
      return true;
    case Intrinsic::spin_wait: add(Op::spin_wait, Type::None); return true;
    case Intrinsic::set_scoped_value_cache: add(Op::set_scoped_value_cache, Type::None, {in[0]}); return true;
    default: return build_string_intrinsic(intrinsic, in, value);
  }
}

bool Builder::build_box(Node* number, Node*& value) {
  if (!well_known::IntegerCache_class->is_initialized()) return false;
  value = add_deoptimizing(Op::box, Type::Reference, {number});
  value->is_never_null = true;
  value->cache = {boxes::first_cached, boxes::cached_count()};
  return true;
}

Node* Builder::class_fact(Intrinsic intrinsic, Node* mirror) {
  ClassFact fact = intrinsic == Intrinsic::class_modifiers      ? ClassFact::Modifiers
                   : intrinsic == Intrinsic::class_is_array     ? ClassFact::IsArray
                   : intrinsic == Intrinsic::class_is_interface ? ClassFact::IsInterface
                                                                : ClassFact::IsPrimitive;
  if (mirror->op == Op::mirror) return int_constant(fact_of(mirror->klass, fact));
  Node* node = add(Op::class_fact, Type::Int, {mirror});
  node->bits = static_cast<u64>(fact);
  return node;
}

// Returns the value of Reflection.getCallerClass for a call in this method, if this method is inlined into its caller:
// the value is then a constant. If this method is not inlined, only a stack walk can find its caller, so the function
// returns null and the call is not replaced.
Node* Builder::caller_class() {
  const FrameState* caller = outer_;
  while (caller != nullptr && is_reflection_frame(caller->method)) caller = caller->outer;
  return caller == nullptr ? nullptr : mirror_of(reinterpret_cast<const Klass*>(caller->method->holder));
}

void Builder::copy_bytes(const Arguments& in) {
  Node *from_index = in[1], *to_index = in[3], *count = in[4];
  Node* null = constant(Type::Reference, 0);
  guard_for_intrinsic(compare(Condition::NotEqual, in[0], null));
  guard_for_intrinsic(compare(Condition::NotEqual, in[2], null));
  Node* signs = add(Op::ior, Type::Int, {add(Op::ior, Type::Int, {from_index, to_index}), count});
  guard_for_intrinsic(compare(Condition::GreaterOrEqual, signs, int_constant(0)));
  auto room = [&](Node* array, Node* index) {
    return add(Op::isub, Type::Int, {add(Op::array_length, Type::Int, {array}), index});
  };
  guard_for_intrinsic(compare(Condition::LessOrEqual, count, room(in[0], from_index)));
  guard_for_intrinsic(compare(Condition::LessOrEqual, count, room(in[2], to_index)));
  add(Op::copy_bytes, Type::None, {in[0], from_index, in[2], to_index, count});
}

void Builder::guard_for_intrinsic(Node* condition) { guard(condition, DeoptReason::Intrinsic); }

// --- java.lang.String ------------------------------------------------------------------------------------------------

bool Builder::build_string_intrinsic(Intrinsic intrinsic, const Arguments& in, Node*& value) {
  switch (intrinsic) {
    case Intrinsic::string_length: return value = string_length(in[0], string_value(in[0])), true;
    case Intrinsic::string_is_empty:
      value = compare(Condition::Equal, add(Op::array_length, Type::Int, {string_value(in[0])}), int_constant(0));
      return true;
    case Intrinsic::string_coder: return value = string_coder(in[0]), true;
    case Intrinsic::string_is_latin1:
      return value = compare(Condition::Equal, string_coder(in[0]), int_constant(0)), true;
    case Intrinsic::string_char_at: return value = string_char_at(in[0], in[1]), true;
    case Intrinsic::string_equals:
      value = add_deoptimizing(Op::string_equals, Type::Int, {in[0], in[1]});
      value->reason = DeoptReason::Intrinsic;
      return true;
    case Intrinsic::latin1_char_at:
      guard_for_intrinsic(compare(Condition::NotEqual, in[0], constant(Type::Reference, 0)));
      guard_for_intrinsic(compare(Condition::Below, in[1], add(Op::array_length, Type::Int, {in[0]})));
      return value = latin1_char(in[0], in[1]), true;
    case Intrinsic::latin1_hash_code:
      guard_for_intrinsic(compare(Condition::NotEqual, in[0], constant(Type::Reference, 0)));
      return value = add(Op::latin1_hash, Type::Int, {in[0]}), true;
    default: return false;
  }
}

Node* Builder::field_of(Node* object, const InstanceKlass* klass, u32 offset, char type) {
  Node* load = add(Op::load_field, type == 'A' ? Type::Reference : Type::Int, {object});
  load->access = {type, false, offset, name_of_field(klass, offset)};
  return load;
}

Node* Builder::string_value(Node* string) {
  Node* value = field_of(string, well_known::String_class, well_known::String_value, 'A');
  guard_for_intrinsic(compare(Condition::NotEqual, value, constant(Type::Reference, 0)));
  return value;
}

Node* Builder::string_coder(Node* string) {
  return field_of(string, well_known::String_class, well_known::String_coder, 'B');
}

Node* Builder::string_length(Node* string, Node* value) {
  return add(Op::iushr, Type::Int, {add(Op::array_length, Type::Int, {value}), string_coder(string)});
}

Node* Builder::latin1_char(Node* bytes, Node* index) {
  Node* byte = add(Op::load_element, Type::Int, {bytes, index});
  byte->access = {'B', false, 0, nullptr};
  return add(Op::iand, Type::Int, {byte, int_constant(0xFF)});
}

// Loads one char, which takes two elements of the byte array.
Node* Builder::utf16_char(Node* bytes, Node* index) {
  Node* offset = add(Op::lshl, Type::Long, {add(Op::i2l, Type::Long, {index}), int_constant(1)});
  Node* base = constant(Type::Long, layout::array_base_offset(0));
  Node* load = add(Op::load_raw, Type::Int, {bytes, add(Op::ladd, Type::Long, {offset, base})});
  load->access = {'C', false, 0, nullptr};
  return load;
}

Node* Builder::string_char_at(Node* string, Node* index) {
  Node* value = string_value(string);
  guard_for_intrinsic(compare(Condition::Below, index, string_length(string, value)));
  Block* latin1 = graph_.make_block();
  Block* utf16 = graph_.make_block();
  add(Op::branch, Type::None, {compare(Condition::Equal, string_coder(string), int_constant(0))});
  graph_.connect(block_, latin1);
  graph_.connect(block_, utf16);
  Block* joined = graph_.make_block();
  Node* values[2];
  for (Block* way : {latin1, utf16}) {
    block_ = way;
    values[way == utf16 ? 1 : 0] = way == latin1 ? latin1_char(value, index) : utf16_char(value, index);
    add(Op::jump, Type::None);
    graph_.connect(way, joined);
  }
  block_ = joined;
  return add(Op::phi, Type::Int, {values[0], values[1]});
}

// --- jdk.internal.misc.Unsafe: arguments are the Unsafe, the object or null, the offset, values ----------------------

Node* Builder::build_unsafe_access(const UnsafeAccess& what, const Arguments& arguments) {
  using enum UnsafeAccess::Kind;
  Type type = what.type == 'A' ? Type::Reference : type_of_descriptor(what.type);
  Access access{what.type, what.is_ordered, 0, nullptr};
  if (what.type == 'Z') access.type = 'B';
  else if (what.type == 'F') access.type = 'I';
  else if (what.type == 'D') access.type = 'J';
  Arguments inputs(arguments.begin() + 1, arguments.end());
  auto made = [&](Op op, Type of) {
    Node* node = add_with(op, of, inputs);
    node->access = access;
    return node;
  };
  switch (what.kind) {
    case Get: {
      Node* value = made(Op::load_raw, type);
      return what.type == 'Z' ? compare(Condition::NotEqual, value, int_constant(0)) : value;
    }
    case Put:
      if (what.type == 'Z') inputs[2] = add(Op::iand, Type::Int, {inputs[2], int_constant(1)});
      if (what.is_released) add(Op::load_store_fence, Type::None);
      made(Op::store_raw, Type::None);
      return nullptr;
    case CompareAndSet: return made(Op::compare_and_set, Type::Int);
    case CompareAndExchange: return made(Op::compare_and_exchange, type);
    case GetAndAdd: return made(Op::fetch_and_add, type);
    default: return made(Op::exchange, type);
  }
}

}  // namespace keyhole::graph
