// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Lowers blocks, phis, the entry and returns.
#include <algorithm>

#include <fmt/format.h>

#include "jit/graph/lower/lowering.h"
#include "runtime/threads/frame.h"
#include "runtime/threads/java_thread.h"
#include "vm/link/redefinition.h"
#include "vm/metadata/instance_klass.h"

namespace keyhole::graph {

using low::Alias;
using low::no_node;
using low::Parameter;

Lowered lower(const Graph& graph, Snippets snippets, Samples samples) {
  return Lowering(graph, snippets, samples).run();
}

Lowering::Lowering(const Graph& graph, Snippets snippets, Samples samples)
    : graph_(graph), snippets_(snippets), samples_(samples), stack_slots_(graph), b_(lowered_.function),
      values_(graph.node_count(), no_node), bits_(graph.node_count(), no_node), ends_(graph.blocks.size()),
      variables_(graph.node_count(), no_node) {
  lowered_.function.name = graph.method()->external_name();
  lowered_.function.loops_over_arrays = graph.has_counted_loops;
  lowered_.assumptions = graph.assumptions;
  lowered_.looks_whether_obsolete = are_redefinitions_expected() || !graph.assumptions.empty();
}

Lowered Lowering::refused() {
  Lowered nothing;
  nothing.refusal = lowered_.refusal;
  return nothing;
}

Lowered Lowering::run() {
  if (stack_slots_.refused() != nullptr) {
    refuse(fmt::format("{} n{} lives across a call without a stack slot", row(stack_slots_.refused()->op).name,
                       stack_slots_.refused()->id));
    return refused();
  }
  make_variables();
  lower_entry();
  for (const Block* block : graph_.blocks) lower_block(block);
  if (!lowered_.refusal.empty()) return refused();
  fill_phis();
  // Puts deopt exits last, so that frequent code is contiguous.
  std::vector<std::pair<DeoptKey, DeoptExit>> exits(deopt_exits_.begin(), deopt_exits_.end());
  std::ranges::sort(exits, {}, [](const auto& exit) { return exit.second.block; });
  for (auto& [key, exit] : exits) {
    b_.go_to(exit.block);
    annotate_deopt_exit(key.first, key.second);
    if (key.second && is_counted(key.first, *key.second)) count_deopt(key.first, *key.second);
    settle_locks(key.first);
    write_deopt_exit(key, *exit.contents);
  }
  write_tails();
  if (abnormal_return_) write_abnormal_return();
  lowered_.pruned_handlers = graph_.pruned_handlers;
  return std::move(lowered_);
}

void Lowering::refuse(std::string why) {
  if (lowered_.refusal.empty()) lowered_.refusal = std::move(why);
}

void Lowering::make_variables() {
  if (!stack_slots_.has_calls()) return;
  locals_variable_ = b_.variable(low::Type::Ptr);
  for (const Block* block : graph_.blocks) {
    for (const Node* node : block->nodes) {
      if (stack_slots_.is_reloaded(node)) variables_[node->id] = b_.variable(type_of(node->type));
    }
  }
}

Lowering::NodeId Lowering::symbol(const std::string& name, const void* address) {
  lowered_.symbols[name] = reinterpret_cast<uptr>(address);
  return b_.symbol(name);
}

Lowering::NodeId Lowering::numbered_symbol(std::string_view kind, const void* address) {
  auto [known, is_new] = numbered_.try_emplace({kind, address}, static_cast<u32>(numbered_.size()));
  return symbol(fmt::format("{} {}", kind, known->second), address);
}

low::Type Lowering::type_of(Type type) {
  switch (type) {
    case Type::Int: return low::Type::I32;
    case Type::Long: return low::Type::I64;
    case Type::Float: return low::Type::F32;
    case Type::Double: return low::Type::F64;
    case Type::Reference: return low::Type::Ptr;
    default: return low::Type::None;
  }
}

Lowering::NodeId Lowering::thread_field(usize offset, low::Type type, low::Order order) {
  return b_.load(type, b_.address(thread_, no_node, 1, static_cast<i64>(offset)), Alias::Thread,
                 static_cast<u32>(offset) + 1, order);
}

// Lowers the entry. The check of the stack limit is a poll, too (docs/safepoints.md).
void Lowering::lower_entry() {
  if (graph_.loop_instruction) return lower_entry_in_loop();
  const Method* method = graph_.method();
  annotate("entry");
  b_.go_to(b_.new_block());
  slot_ = b_.parameter(Parameter::Slot);
  frame_ = b_.parameter(Parameter::Frame);
  method_ = b_.parameter(Parameter::Method);
  thread_ = b_.parameter(Parameter::Thread);
  for (usize i = 0; i < graph_.blocks.size(); ++i) blocks_.push_back(b_.new_block());
  locals_ = b_.address(slot_, no_node, 1, 8 * (1 - i64{method->argument_slots}));
  if (stack_slots_.has_calls()) b_.set(locals_variable_, locals_);
  BlockId slow = b_.new_block();
  NodeId end = at(static_cast<i64>(stack_slots_.slot_count()) * 8);
  NodeId limit = thread_field(offsetof(JavaThread, entry_limit), low::Type::Ptr);
  NodeId has_room = b_.value(low::Op::BelowEqual, low::Type::I1, {end, limit});
  if (stack_slots_.has_calls()) {
    BlockId on_java_stack = b_.new_block();
    b_.branch(has_room, on_java_stack, slow, /*likely=*/true);
    b_.go_to(on_java_stack);
    has_room = has_native_room();
  }
  contents_ = std::make_shared<FrameContents>(stack_slots_.at_begin(graph_.blocks[0]));
  if (stack_slots_.writes_header_at_entry()) {
    BlockId with_room = b_.new_block();
    b_.branch(has_room, with_room, slow, /*likely=*/true);
    b_.go_to(with_room);
    write_header(0, FrameContents::Kind::Interpreted);
    b_.jump(blocks_[0]);
  } else {
    b_.branch(has_room, blocks_[0], slow, /*likely=*/true);
  }
  b_.go_to(slow);
  b_.exit(b_.symbol(enter_slowly_symbol), {no_node, slot_, no_node, thread_, frame_, no_node, method_, no_node});
}

// Lowers an OSR entry. The interpreter's frame exists already, and has a header. If the Java stack has no room for the
// inlined frames, the code gives the frame back to the interpreter.
void Lowering::lower_entry_in_loop() {
  annotate("entry at the loop");
  b_.go_to(b_.new_block());
  thread_ = b_.parameter(Parameter::Thread);
  locals_ = b_.parameter(Parameter::Locals);
  for (usize i = 0; i < graph_.blocks.size(); ++i) blocks_.push_back(b_.new_block());
  if (stack_slots_.has_calls()) b_.set(locals_variable_, locals_);
  contents_ = std::make_shared<FrameContents>(stack_slots_.at_begin(graph_.blocks[0]));
  BlockId slow = b_.new_block(), on_java_stack = b_.new_block();
  NodeId end = at(static_cast<i64>(stack_slots_.slot_count()) * 8);
  NodeId limit = thread_field(offsetof(JavaThread, stack.java_limit), low::Type::Ptr);
  b_.branch(b_.value(low::Op::BelowEqual, low::Type::I1, {end, limit}), on_java_stack, slow, /*likely=*/true);
  b_.go_to(on_java_stack);
  b_.branch(has_native_room(), blocks_[0], slow, /*likely=*/true);
  b_.go_to(slow);
  NodeId frame = at(frame_distance());
  NodeId below_stack = b_.address(frame, no_node, 1, offsetof(Frame, below_stack));
  b_.exit(b_.symbol(deoptimize_symbol),
          {instruction_address(*graph_.loop_instruction), below_stack, locals(), thread_, frame});
}

// Whether the native stack has room. Compiled frames need the native stack and the Java stack. Without room, the
// interpreter continues, because its frames need only the Java stack.
Lowering::NodeId Lowering::has_native_room() {
  NodeId limit = thread_field(offsetof(JavaThread, stack.native_entry_limit), low::Type::I64);
  return b_.value(low::Op::Below, low::Type::I1, {limit, b_.value(low::Op::StackPointer, low::Type::I64, {})});
}

void Lowering::lower_block(const Block* block) {
  b_.go_to(blocks_[block->id]);
  contents_ = std::make_shared<FrameContents>(stack_slots_.at_begin(block));
  records_ = no_node;
  allocated_here_.clear();
  bool are_phis_set = false;
  for (const Node* node : block->nodes) {
    annotate(node);
    if (node->op != Op::phi && !are_phis_set) {
      are_phis_set = true;
      for (const Node* phi : block->nodes) {
        if (phi->op != Op::phi) break;
        if (variables_[phi->id] != no_node) b_.set(variables_[phi->id], values_[phi->id]);
      }
    }
    if (node->has(effect::ends)) {
      lower_end(node);
    } else {
      lower(node);
      if (!lowered_.refusal.empty()) return;
      if (node->op != Op::phi && variables_[node->id] != no_node) {
        NodeId value = values_[node->id];
        if (value == no_node) value = b_.value(low::Op::ZeroExtend, low::Type::I32, {bits_[node->id]});
        b_.set(variables_[node->id], value);
      }
      if (node->has(effect::calls)) allocated_here_.clear();
    }
  }
}

void Lowering::lower(const Node* node) {
  if (node->has(effect::deoptimizes)) deoptimize_under_stress(node->state);
  NodeId& value = values_[node->id];
  switch (node->op) {
    case Op::constant: value = constant(node); return;
    case Op::parameter: value = b_.load(type_of(node->type), at(8 * i64{node->local}), Alias::JavaFrame); return;
    case Op::phi: value = b_.phi(type_of(node->type), static_cast<u32>(node->inputs.size())); return;
    case Op::mirror: value = mirror_of(node->klass); return;
    case Op::resolved_object: value = resolved_object(node); return;
    case Op::root_object: value = root_object(node); return;
    case Op::is_instance:
    case Op::is_castable: return lower_type_test(node);
    case Op::can_store: return lower_can_store(node);
    case Op::has_class: bits_[node->id] = has_class(node); return;
    case Op::selects: bits_[node->id] = selects(node); return;
    case Op::has_no_finalizer: bits_[node->id] = has_no_finalizer(node); return;
    case Op::byte_for_array: value = byte_for_array(node); return;
    case Op::new_instance:
    case Op::new_array: return lower_allocation(node);
    case Op::compare_int: bits_[node->id] = compare_int(node); return;
    case Op::box: return lower_box(node);
    case Op::virtual_box:
      value = value_of(node->inputs[0]);
      return;  // the stack slot of a virtual box holds the boxed int
    // The stack slots of a virtual object are null until deoptimization materializes the object.
    case Op::virtual_object: value = b_.constant(low::Type::Ptr, 0); return;
    case Op::compare_reference:
      if (node->inputs[0]->op == Op::virtual_box || node->inputs[1]->op == Op::virtual_box)
        return lower_comparison_with_box(node);
      bits_[node->id] = b_.value(node->condition == Condition::Equal ? low::Op::Equal : low::Op::NotEqual,
                                 low::Type::I1, {value_of(node->inputs[0]), value_of(node->inputs[1])});
      return;
    case Op::array_length: value = array_length(node); return;
    case Op::load_field: value = load(node->access, node->type, field(node)); return;
    case Op::load_element: value = load(node->access, node->type, element(node)); return;
    case Op::store_field:
    case Op::store_element:
      if (node->access.type == 'A') return store_reference(node);
      return store(node->access, node->op == Op::store_field ? field(node) : element(node), node->inputs.back());
    case Op::mark_elements:
      snippet("mark_elements", low::Type::None,
              {value_of(node->inputs[0]), value_of(node->inputs[1]), value_of(node->inputs[2])});
      return;
    case Op::lock_method: return lower_lock_method(node);
    case Op::held_monitor: return;  // only LockRegions reads it
    case Op::check_monitors: return lower_check_monitors(node);
    case Op::monitor_enter:
    case Op::monitor_exit: return lower_monitor(node);
    case Op::guard: return lower_guard(node);
    case Op::poll: return lower_poll(node);
    case Op::loop_entry: return;
    case Op::call: return lower_call(node);
    case Op::try_enter: return lower_try_enter(node);
    case Op::release: return lower_release(node);
    case Op::drop_record: return lower_drop_record();
    case Op::exception: value = thread_field(offsetof(JavaThread, pending_exception), low::Type::Ptr); return;
    case Op::take_exception: {
      NodeId place = b_.address(thread_, no_node, 1, offsetof(JavaThread, pending_exception));
      b_.store(place, b_.constant(low::Type::Ptr, 0), Alias::Thread, offsetof(JavaThread, pending_exception) + 1);
      return;
    }
    case Op::current_carrier:
    case Op::scoped_value_cache:
    case Op::set_scoped_value_cache:
    case Op::load_store_fence:
    case Op::mirror_of:
    case Op::current_thread:
    case Op::identity_hash:
    case Op::is_instance_of:
    case Op::class_fact:
    case Op::latin1_hash:
    case Op::load_raw:
    case Op::store_raw:
    case Op::compare_and_set:
    case Op::compare_and_exchange:
    case Op::exchange:
    case Op::fetch_and_add:
    case Op::fence:
    case Op::spin_wait:
    case Op::set_current_thread:
    case Op::change_pins:
    case Op::copy_array:
    case Op::copy_bytes:
    case Op::copy_elements:
    case Op::clone_if_room:
    case Op::string_equals:
    case Op::library_query:
    case Op::library_call: return lower_intrinsic(node);
    default:
      value = arithmetic(node);
      if (value == no_node) value = computed(node);
      if (value == no_node) refuse(fmt::format("{} is not lowered", row(node->op).name));
  }
}

void Lowering::lower_end(const Node* node) {
  const Block* block = node->block;
  ends_[block->id] = b_.block();
  auto target = [&](usize successor) { return blocks_[block->successors[successor]->id]; };
  switch (node->op) {
    case Op::jump: return b_.jump(target(0));
    case Op::branch: return b_.branch(bit_of(node->inputs[0]), target(0), target(1));
    case Op::switch_: {
      std::vector<low::Case> cases;
      for (usize i = 0; i < node->switch_keys->keys.size(); ++i)
        cases.push_back({node->switch_keys->keys[i], target(i + 1)});
      return b_.switch_on(value_of(node->inputs[0]), target(0), cases);
    }
    case Op::return_: return lower_return(node);
    case Op::catch_: return b_.jump(target(0));  // lower_call has checked the status
    case Op::unwind: return lower_unwind();
    default: return b_.jump(deopt_exit(node->state, node->reason));
  }
}

void Lowering::lower_return(const Node* node) {
  NodeId status = int_constant(0);
  if (node->inputs.empty()) {
    NodeId slot = at(-8);
    return b_.ret(status, b_.load(low::Type::I64, slot, Alias::JavaFrame), slot);
  }
  const Node* result = node->inputs[0];
  b_.ret(status, as_word(result), at(is_wide(result->type) ? 8 : 0));
}

// Sets the inputs of phis. If both edges of a branch lead to the same block, a phi has the same input for both edges.
void Lowering::fill_phis() {
  for (const Block* block : graph_.blocks) {
    const std::vector<BlockId>& edges = lowered_.function.blocks[blocks_[block->id]].predecessors;
    for (const Node* node : block->nodes) {
      if (node->op != Op::phi) break;
      std::vector<NodeId> values;
      for (u32 edge = 0; edge < edges.size(); ++edge) {
        auto from = std::ranges::find_if(block->predecessors,
                                         [&](const Block* other) { return ends_[other->id] == edges[edge]; });
        const Node* input = node->inputs[static_cast<usize>(from - block->predecessors.begin())];
        auto same = static_cast<usize>(std::ranges::find(edges, edges[edge]) - edges.begin());
        values.push_back(same < edge ? values[same] : value_at_end_of(edges[edge], input));
        b_.set_operand(values_[node->id], edge, values.back());
      }
    }
  }
}

// Builds the value that the edge gives to the phi, before the jump that ends the edge's source block. Converts the I1
// of a comparison to an int, and reads a variable.
Lowering::NodeId Lowering::value_at_end_of(BlockId edge, const Node* node) {
  std::vector<NodeId>& nodes = lowered_.function.blocks[edge].nodes;
  NodeId end = nodes.back();
  nodes.pop_back();
  b_.go_to(edge);
  NodeId value = value_of(node);
  nodes.push_back(end);
  return value;
}

}  // namespace keyhole::graph
