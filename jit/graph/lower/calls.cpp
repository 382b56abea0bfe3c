// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Lowers calls.
//
//   slots written ──> pc = site ──> call ──returned──> live values are reloaded
//                                     ├──exception pending, and catch_ follows──> live values are reloaded
//                                     └──otherwise──> abnormal_return, which all calls share
#include <algorithm>

#include <fmt/format.h>

#include "jit/code/instructions.h"
#include "jit/graph/lower/lowering.h"
#include "runtime/base/flags.h"
#include "runtime/threads/frame.h"
#include "runtime/threads/java_thread.h"
#include "vm/code/call_sites.h"
#include "vm/metadata/instance_klass.h"

namespace keyhole::graph {

using low::Alias;
using low::no_node;

namespace {

u32 slots_of_result(const Node* call) { return call->type == Type::None ? 0 : is_wide(call->type) ? 2 : 1; }

// Whether the call has an appendix, which only calls of linked call sites may have. The appendix is an argument of the
// call, but no operand of the call's frame state.
bool has_appendix(const Node* call) {
  auto arguments = call->state->operands.last(call->call->argument_slots);
  return call->inputs.size() > static_cast<usize>(std::ranges::count_if(arguments, [](auto* slot) { return slot; }));
}

}  // namespace

void Lowering::write_slots(const FrameState* state, usize operands, const FrameContents& contents, u32 shift) {
  for_each_slot(*state, operands, [&](u32 slot, const Node* value) { write_slot(slot, value, contents); }, shift);
}

void Lowering::write_own_slots(const FrameState* state, const FrameContents& contents) {
  for_each_own_slot(*state, state->operands.size(),
                    [&](u32 slot, const Node* value) { write_slot(slot, value, contents); });
}

// Writes the value to the stack slot, unless the slot already holds the value (lower.h M2).
void Lowering::write_slot(u32 slot, const Node* value, const FrameContents& contents) {
  if (contents.slots[slot] != value) store_slot(i64{slot} * 8, value);
}

// Writes the parts of the header that baseline code writes at its entry: the caller, the method, the kind, and the
// number of the thread's lock records that belong to outer frames. The frame itself has pushed `locks` records so far.
void Lowering::write_header(u32 locks, FrameContents::Kind kind) {
  i64 frame = frame_distance();
  b_.store(at(frame + static_cast<i64>(offsetof(Frame, caller))), frame_, Alias::JavaFrame);
  b_.store(at(frame + static_cast<i64>(offsetof(Frame, method))), method_, Alias::JavaFrame);
  static_assert(offsetof(Frame, lock_record_base) == offsetof(Frame, kind) + 4);
  NodeId records = thread_field(offsetof(JavaThread, lock_record_top), low::Type::I32);
  NodeId base = locks == 0 ? records : b_.value(low::Op::Sub, low::Type::I32, {records, int_constant(locks)});
  NodeId word = b_.value(low::Op::Shl, low::Type::I64,
                         {b_.value(low::Op::ZeroExtend, low::Type::I64, {base}), b_.constant(low::Type::I64, 32)});
  static_assert(static_cast<u32>(FrameKind::Interpreted) == 0);
  if (kind == FrameContents::Kind::Inlining) {
    NodeId bits = b_.constant(low::Type::I64, static_cast<u32>(FrameKind::Inlining));
    word = b_.value(low::Op::Or, low::Type::I64, {word, bits});
  }
  b_.store(at(frame + static_cast<i64>(offsetof(Frame, kind))), word, Alias::JavaFrame);
}

// Sets the frame's kind in the frame's header. If the code has not written the header yet, writes the whole header. If
// the header has this kind already, writes nothing.
void Lowering::write_kind(const FrameContents& contents, u32 locks, FrameContents::Kind kind) {
  if (!contents.has_header) return write_header(locks, kind);
  if (contents.kind == kind) return;
  FrameKind written = kind == FrameContents::Kind::Inlining ? FrameKind::Inlining : FrameKind::Interpreted;
  b_.store(at(frame_distance() + static_cast<i64>(offsetof(Frame, kind))), int_constant(static_cast<u32>(written)),
           Alias::JavaFrame);
}

// Stores the frame's pc, which is the address of the call site's words.
void Lowering::write_site(const FrameState* state, const Node* call) {
  DebugInfo info;
  const FrameState* root = state;
  while (root->outer != nullptr) root = root->outer;
  u32 shift = call != nullptr ? shift_in_call(*state) : 0;
  describe_scalar_replaced(state, shift, info);
  if (call != nullptr) describe_call(call, info);
  bool has_debug_info = root != state || !info.scalar_replaced.empty() || !info.eliminated_locks.empty();
  for (const FrameState* each = has_debug_info ? state : nullptr; each != nullptr; each = each->outer) {
    u32 eliminated = call != nullptr ? eliminated_locks(each->outer) : 0;
    u32 scalar_replaced = scalar_replaced_locks(each->outer);
    u32 locals = static_cast<u32>(locals_distance(each)) + (each == root ? 0 : shift);
    info.activations.push_back({each->method, each->bci, locals, all_locks(each->outer) - eliminated - scalar_replaced,
                                eliminated, scalar_replaced});
  }
  NodeId site = make_site(state, std::move(info));
  b_.store(at(frame_distance() + static_cast<i64>(offsetof(Frame, pc))), site, Alias::JavaFrame);
}

// Makes the words of a call site, and returns their address. The words are two pre-decoded instructions that stand for
// the compiled method's invoke (compiled_code.h).
Lowering::NodeId Lowering::make_site(const FrameState* state, DebugInfo info) {
  const FrameState* root = state;
  while (root->outer != nullptr) root = root->outer;
  using interpreter::Operation;
  // The first word of the call site is the innermost frame's instruction. The interpreter executes this instruction in
  // two cases: to find the target of an interface call, and for an instruction that compiled code leaves to the
  // interpreter.
  const MethodCode* body = state->method->body.load(std::memory_order_relaxed);
  u64 word = interpreter::load_instruction(body->instructions() + state->instruction);
  bool is_fused = interpreter::row(interpreter::operation_of(word)).category == interpreter::Category::superinstruction;
  // A superinstruction stands for a pair of instructions, and the call is the second one. If the interpreter executes
  // the call, it has to execute only the second instruction.
  if (is_fused) word = Instructions(state->method, body).word(state->instruction);
  u64 resume =
      interpreter::make_instruction(Operation::resume_compiled, root->instruction, interpreter::optimised_site);
  NodeId site = b_.site_address({word, resume});
  lowered_.call_instructions.push_back(root->instruction);
  lowered_.debug_info.push_back(std::move(info));
  return site;
}

void Lowering::describe_call(const Node* call, DebugInfo& site) {
  describe_eliminated_locks(call->state, site);
  site.further_slots = shift_in_call(*call->state);
  auto note = [&](u32 slot, const Node* value) {
    if (value->type == Type::Reference) site.further_roots.push_back(slot);
  };
  for_each_field_slot(*call->state, note, site.further_slots);
  site.result_slots = slots_of_result(call);
  site.result_is_reference = call->type == Type::Reference;
}

void Lowering::lower_call(const Node* node) {
  const FrameState* state = node->state;
  const CallTarget& target = *node->call;
  u32 shift = shift_in_call(*state);
  write_slots(state, state->operands.size(), *contents_, shift);
  i64 operands = static_cast<i64>(state->operands.size()) + shift;
  i64 last_argument = operand_distance(state, operands - 1);
  if (has_appendix(node)) {
    last_argument = operand_distance(state, operands);
    store_slot(last_argument, node->inputs.back());
  }
  write_kind(*contents_, held_locks(state), FrameContents::kind_at(state));
  write_site(state, node);
  NodeId method = no_node;
  NodeId address = target_of(node, &method);
  NodeId call = b_.call_java(address, at(frame_distance()), at(last_argument), method, thread_);
  i64 top_of_result = operand_distance(state, operands - i64{target.argument_slots} + slots_of_result(node) - 1);
  check_status(node, call, top_of_result);
  if (node->type != Type::None) {
    values_[node->id] = result_of(node, b_.value(low::Op::CallResult, low::Type::I64, {call}));
  }
  records_ = no_node;
  reload(node);
  auto after = std::make_shared<FrameContents>(*contents_);
  StackSlots::pass(*after, node);
  contents_ = std::move(after);
}

// Returns the address that the code calls, and sets `method` to the called Method.
Lowering::NodeId Lowering::target_of(const Node* node, NodeId* method) {
  const CallTarget& target = *node->call;
  switch (target.kind) {
    case CallKind::Direct: {
      // A recursive call jumps to the entry of the code that is being compiled. OSR code has no entry for calls, so its
      // recursive calls use the method's entry stub.
      if (target.method == graph_.method() && !graph_.loop_instruction) {
        *method = symbol("own method", target.method);
        return b_.symbol(low::own_entry_symbol);
      }
      auto found = std::ranges::find(lowered_.callees, target.method);
      auto number = found - lowered_.callees.begin();
      if (found == lowered_.callees.end()) lowered_.callees.push_back(target.method);
      *method = symbol(fmt::format("method {}", number), target.method);
      return b_.symbol(fmt::format("entry {}", number));
    }
    case CallKind::Virtual: {
      *method = selected_method(value_of(node->inputs[0]), target.vtable_index);
      return entry_from_code(*method);
    }
    case CallKind::Fallback: *method = b_.constant(low::Type::Ptr, 0); return b_.symbol(search_symbol);
    default: return interface_target(node, method);
  }
}

Lowering::NodeId Lowering::selected_method(NodeId object, u32 vtable_index) {
  NodeId entry = b_.address(klass_of(object), no_node, 1, Klass::vtable_entry_offset(vtable_index));
  return b_.load(low::Type::Ptr, entry, Alias::Metadata);
}

Lowering::NodeId Lowering::entry_from_code(NodeId method) {
  return b_.load(low::Type::Ptr, b_.address(method, no_node, 1, offsetof(Method, entry_from_code)), Alias::Metadata);
}

// Computes the target of an interface call. If the receiver's class is in the call site's cache, the target is the
// cached method. Otherwise the code reads the target from the tables of the receiver's class, or lets the interpreter's
// handler search for it. Compiled code does not update the cache: if receivers of many classes come to the call site,
// all threads would write to the cache all the time.
Lowering::NodeId Lowering::interface_target(const Node* node, NodeId* method) {
  const interpreter::InterfaceCallSite* site = node->call->interface;
  NodeId cache = numbered_symbol("cache", &site->cache);
  NodeId cached = b_.load(low::Type::I64, cache, Alias::Metadata, 0, low::Order::Acquire);
  NodeId id = klass_id_of(value_of(node->inputs[0]));
  NodeId shift = b_.constant(low::Type::I64, layout::klass_key_shift);
  NodeId cached_key = b_.value(low::Op::UShr, low::Type::I64, {cached, shift});
  NodeId cached_id = b_.value(low::Op::Truncate, low::Type::I32, {cached_key});
  BlockId hit = b_.new_block(), miss = b_.new_block(), merged = b_.new_block();
  b_.branch(b_.value(low::Op::Equal, low::Type::I1, {id, cached_id}), hit, miss, /*likely=*/true);
  b_.go_to(hit);
  NodeId mask = b_.constant(low::Type::I64, interpreter::receiver_cache_pointer);
  NodeId found = b_.value(low::Op::Bits, low::Type::Ptr, {b_.value(low::Op::And, low::Type::I64, {cached, mask})});
  NodeId entry = entry_from_code(found);
  b_.jump(merged);
  b_.go_to(miss);
  NodeId in_table = snippet("interface_method", low::Type::Ptr,
                            {klass_of(value_of(node->inputs[0])), numbered_symbol("interface", site->interface),
                             int_constant(site->itable_index)});
  BlockId is_there = b_.new_block(), searches = b_.new_block();
  NodeId is_found = b_.value(low::Op::NotEqual, low::Type::I1, {in_table, b_.constant(low::Type::Ptr, 0)});
  b_.branch(is_found, is_there, searches, /*likely=*/true);
  b_.go_to(is_there);
  NodeId entry_in_table = entry_from_code(in_table);
  b_.jump(merged);
  b_.go_to(searches);
  NodeId search = b_.symbol(search_symbol);
  b_.jump(merged);
  b_.go_to(merged);
  NodeId methods[] = {found, in_table, b_.constant(low::Type::Ptr, 0)}, entries[] = {entry, entry_in_table, search};
  *method = b_.phi(low::Type::Ptr, 3);
  NodeId address = b_.phi(low::Type::Ptr, 3);
  for (u32 i = 0; i < 3; ++i) {
    b_.set_operand(*method, i, methods[i]);
    b_.set_operand(address, i, entries[i]);
  }
  return address;
}

// Whether a handler of any activation covers the frame state, whatever type it catches.
bool Lowering::is_covered(const FrameState* state) {
  for (; state != nullptr; state = state->outer) {
    const Method* method = state->method;
    for (u32 i = 0; i < method->handler_count; ++i) {
      if (method->handlers[i].covers(state->bci)) return true;
    }
  }
  return false;
}

// Whether an exception may leave the activations of the frame state without the unwinder. It may if they have neither
// handlers nor locks.
bool Lowering::passes(const FrameState* state) {
  if (is_covered(state)) return false;
  for (; state != nullptr; state = state->outer) {
    if (state->locks != nullptr) return false;
  }
  return true;
}

Lowering::BlockId Lowering::abnormal_return(bool passes) {
  if (!abnormal_return_) {
    abnormal_return_ = AbnormalReturn{std::nullopt, std::nullopt, b_.variable(low::Type::I32),
                                      b_.variable(low::Type::I64), b_.variable(low::Type::Ptr)};
  }
  std::optional<BlockId>& block = passes ? abnormal_return_->passing : abnormal_return_->block;
  if (!block) block = b_.new_block();
  return *block;
}

void Lowering::check_status(const Node* node, NodeId call, i64 top_of_result) {
  bool is_caught = node->block->catches(node);
  BlockId abnormal = abnormal_return(!is_caught && passes(node->state));
  NodeId status = b_.value(low::Op::CallStatus, low::Type::I32, {call});
  // Under -XX:ReturnStressInterval=N every Nth call takes the path of abnormal returns.
  if (flags::ReturnStressInterval != 0) {
    NodeId stressed =
        b_.value(low::Op::Select, low::Type::I32,
                 {is_nth(&returns_passed_, "returns passed", flags::ReturnStressInterval), int_constant(2), status});
    NodeId returned = b_.value(low::Op::Equal, low::Type::I1, {status, int_constant(0)});
    status = b_.value(low::Op::Select, low::Type::I32, {returned, stressed, status});
  }
  // One comparison checks that the call has returned normally, and that this code is not obsolete. The status of a call
  // that has returned is status_returned, which is 0. The word that marks obsolete code is 0, too, while the code is
  // not obsolete.
  NodeId expected = lowered_.looks_whether_obsolete ? obsolete_word() : int_constant(interpreter::status_returned);
  NodeId slot = b_.value(low::Op::CallSlot, low::Type::Ptr, {call});
  b_.set(locals_variable_, b_.address(slot, no_node, 1, -top_of_result));
  b_.set(abnormal_return_->status, status);
  b_.set(abnormal_return_->result, b_.value(low::Op::CallResult, low::Type::I64, {call}));
  b_.set(abnormal_return_->slot, slot);
  BlockId next = b_.new_block(), other = is_caught ? b_.new_block() : abnormal;
  b_.branch(b_.value(low::Op::Equal, low::Type::I1, {status, expected}), next, other, /*likely=*/true);
  if (is_caught) {
    b_.go_to(other);
    BlockId thrown = b_.new_block();
    NodeId is_exception =
        b_.value(low::Op::Equal, low::Type::I1, {status, int_constant(interpreter::status_exception)});
    if (lowered_.looks_whether_obsolete) {
      NodeId is_current = b_.value(low::Op::Equal, low::Type::I1, {expected, int_constant(0)});
      is_exception = b_.value(low::Op::And, low::Type::I1, {is_exception, is_current});
    }
    b_.branch(is_exception, thrown, abnormal, /*likely=*/true);
    b_.go_to(thrown);
    catch_exception(node);
  }
  b_.go_to(next);
}

// Loads the word that says whether this code is obsolete. The word lies among the words of the call sites, near the
// code.
Lowering::NodeId Lowering::obsolete_word() {
  if (!lowered_.obsolete_site) {
    obsolete_site_ = b_.site_address({0, 0});
    lowered_.obsolete_site = static_cast<u32>(lowered_.function.sites.size() - 1);
    lowered_.call_instructions.push_back(0);
    lowered_.debug_info.emplace_back();
  }
  return b_.load(low::Type::I32, obsolete_site_, Alias::Any);
}

// After an exception the frame's address is in no register, so the code loads it from the thread.
void Lowering::catch_exception(const Node* call) {
  NodeId frame = thread_field(offsetof(JavaThread, top_frame), low::Type::Ptr);
  b_.set(locals_variable_, b_.address(frame, no_node, 1, -frame_distance()));
  reload(call);
  b_.jump(blocks_[call->block->successors[1]->id]);
}

// Passes the exception to the caller: jumps to abnormal_return, as after a call that has thrown an exception.
void Lowering::lower_unwind() {
  BlockId abnormal = abnormal_return(/*passes=*/false);
  b_.set(abnormal_return_->status, int_constant(interpreter::status_exception));
  b_.set(abnormal_return_->result, b_.constant(low::Type::I64, 0));
  b_.set(abnormal_return_->slot, b_.constant(low::Type::Ptr, 0));
  b_.jump(abnormal);
}

void Lowering::write_abnormal_return() {
  for (bool passes : {false, true}) {
    std::optional<BlockId> block = passes ? abnormal_return_->passing : abnormal_return_->block;
    if (!block) continue;
    b_.go_to(*block);
    annotate("after a call that has not returned a result");
    NodeId slot = b_.get(abnormal_return_->slot), result = b_.get(abnormal_return_->result);
    NodeId status = b_.get(abnormal_return_->status);
    if (lowered_.looks_whether_obsolete) {  // a call may have returned to code that has become obsolete
      NodeId returned = b_.value(low::Op::Equal, low::Type::I1, {status, int_constant(interpreter::status_returned)});
      status =
          b_.value(low::Op::Select, low::Type::I32, {returned, int_constant(interpreter::status_deoptimize), status});
    }
    status = b_.value(low::Op::ZeroExtend, low::Type::I64, {status});
    b_.exit(b_.symbol(passes ? deoptimize_or_unwind_symbol : deoptimize_call_symbol),
            {no_node, slot, locals(), thread_, at(frame_distance()), status, result, slot});
  }
}

Lowering::NodeId Lowering::result_of(const Node* node, NodeId word) {
  low::Type type = type_of(node->type);
  switch (node->type) {
    case Type::Int: return b_.value(low::Op::Truncate, type, {word});
    case Type::Float: return b_.value(low::Op::Bits, type, {b_.value(low::Op::Truncate, low::Type::I32, {word})});
    case Type::Long: return word;
    default: return b_.value(low::Op::Bits, type, {word});
  }
}

void Lowering::reload(const Node* call) {
  for (const Node* value : stack_slots_.survivors(call)) {
    NodeId reloaded;
    if (value->op == Op::mirror) reloaded = mirror_of(value->klass);
    else if (value->op == Op::resolved_object) reloaded = resolved_object(value);
    else if (value->op == Op::root_object) reloaded = root_object(value);
    else reloaded = b_.load(type_of(value->type), at(StackSlots::slot_after(call, value) * 8), Alias::JavaFrame);
    b_.set(variables_[value->id], reloaded);
  }
}

}  // namespace keyhole::graph
