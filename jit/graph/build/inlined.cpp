// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Inlined calls. A builder for the callee continues in the caller's block, with the arguments as its first locals. In
// the blocks in which the callee returns, the caller's builder continues. The caller's frame state is the outer one of
// the callee's frame states.
#include <algorithm>

#include "jit/graph/build/builder.h"
#include "jit/graph/ir/class_tests.h"
#include "vm/link/well_known.h"
#include "vm/metadata/constant_pool.h"
#include "vm/metadata/descriptor.h"
#include "vm/metadata/instance_klass.h"

namespace keyhole::graph {

using namespace interpreter;

f64 Builder::share_of(const Target& target, u64 count) const {
  return count == 0 ? frequency() : frequency() * target.count / static_cast<f64>(count);
}

bool Builder::try_inline(const Target& target, u64 count, Ends& ends) {
  if (!inliner_.is_enabled()) return false;
  Method* callee = target.method;
  auto first = frame_.operands.end() - callee->argument_slots;
  // Object.<init> does nothing, except that it registers an object whose class has a finalizer.
  if (is_object_initializer(callee)) {
    const Klass* klass = known_class(*first);
    if (klass == nullptr) guard(add(Op::has_no_finalizer, Type::Int, {*first}), DeoptReason::Interpreted);
    else if (!klass->is_instance() || klass->as_instance()->has_finalizer) return false;
    ends.push_back({block_, nullptr});
    return true;
  }
  Inliner::Verdict verdict =
      inliner_.judge(activation_, instructions_.bci(instruction_), callee, share_of(target, count));
  usize number = inliner_.note({activation_.depth, instructions_.bci(instruction_), callee, verdict.inlines,
                                std::string(verdict.reason) + (target.is_only ? " (unique implementation)" : ""),
                                count == 0 ? nullptr : target.klass, target.count, count});
  if (!verdict.inlines) return false;
  const MethodShape& shape = inliner_.shape_of(callee);
  std::string fault = Inliner::fault_of(shape);
  if (fault.empty()) {
    std::vector<Node*> operands(frame_.operands.begin(), first);
    FrameState* outer = graph_.make_frame_state(
        {outer_, state()->method, instruction_, state()->bci, state()->locals, operands, frame_.locks, {}});
    Builder inner(graph_, inliner_, shape,
                  {&activation_, callee, activation_.depth + 1, share_of(target, count), catches()}, outer);
    fault = run_inlined(inner, target);
    if (fault.empty()) {
      ends.insert(ends.end(), inner.returns_.begin(), inner.returns_.end());
      for (const Thrown& thrown : inner.thrown_) dispatch(thrown);
      return true;
    }
  }
  inliner_.take_back(number, std::move(fault));
  return false;
}

// Builds the callee. If that fails, undoes all changes and returns the reason; otherwise returns an empty text.
std::string Builder::run_inlined(Builder& inner, const Target& target) {
  usize blocks = graph_.blocks.size(), nodes = block_->nodes.size();
  Block* from = block_;
  Method* callee = target.method;
  std::span<Node* const> arguments(frame_.operands.end() - callee->argument_slots, frame_.operands.end());
  inner.facts_ = facts_;
  inner.declared_ = declared_;
  inner.note_declared_parameters(arguments);
  if (!callee->is_static()) inner.facts_.push_back({arguments[0], target.klass});
  if (callee->is_synchronized()) {
    Node* object = callee->is_static() ? mirror_of(reinterpret_cast<const Klass*>(callee->holder)) : arguments[0];
    // The frame state is the one before the call: if the fast path of this monitor_enter fails, the interpreter makes
    // the call.
    add_deoptimizing(Op::monitor_enter, Type::None, {object});
    inner.own_lock_ = graph_.make_lock(object, nullptr);
  }
  inner.run_in(block_, arguments);
  graph_.origin = inner.outer_origin_;
  if (inner.refusal_.empty()) return {};
  graph_.blocks.resize(blocks);
  from->nodes.resize(nodes);
  from->successors.clear();
  return inner.refusal_;
}

// Builds the blocks of the callee. The callee's first block continues `block`, unless the first block begins a loop.
void Builder::run_in(Block* block, std::span<Node* const> arguments) {
  frame_.locals.assign(arguments.begin(), arguments.end());
  frame_.locals.resize(method()->max_locals);
  frame_.locks = own_lock_;
  incoming_.resize(flow_.blocks().size());
  entries_.resize(flow_.blocks().size());
  block_ = block;
  for (const FlowBlock& flow : flow_.blocks()) {
    bool continues = blocks_.empty() && !flow.is_loop_header;
    blocks_.push_back(continues ? block : graph_.make_block());
  }
  if (blocks_[0] == block) {
    incoming_[0].push_back(frame_);
  } else {
    go_to(0);
    add(Op::jump, Type::None);
  }
  build_blocks();
}

// --- facts about values ----------------------------------------------------------------------------------------------

bool Builder::is_object_initializer(const Method* method) {
  return method->is_initializer() && method->holder->name == names::java_lang_Object;
}

const Klass* Builder::known_class(const Node* value) const {
  if (value->op == Op::new_instance || value->op == Op::new_array || value->is_box()) return class_of(value);
  auto found = std::find_if(facts_.rbegin(), facts_.rend(),
                            [value](const Fact& fact) { return fact.value == value && fact.klass != nullptr; });
  return found == facts_.rend() ? nullptr : found->klass;
}

// Whether the value is known to be a byte[] or null, by its class or by its declared type.
bool Builder::is_byte_array(const Node* value) const {
  const Klass* klass = known_class(value);
  if (klass != nullptr) return klass->is_array() && klass->element_type == BasicType::Byte;
  return declared(value) == "[B";
}

namespace {

// The class that the descriptor names, if it is String or Integer; otherwise null. These two classes are final, and the
// same in all loaders.
const Klass* final_class(std::string_view descriptor) {
  for (const InstanceKlass* klass : {well_known::String_class, well_known::Integer_class}) {
    std::string_view name = klass == nullptr ? std::string_view() : klass->name->text();
    if (!name.empty() && descriptor.size() == name.size() + 2 && descriptor.substr(1, name.size()) == name)
      return reinterpret_cast<const Klass*>(klass);
  }
  return nullptr;
}

}  // namespace

// Notes the declared type of the value, if the type is useful: byte[], String, Integer, String[] or Integer[]. Other
// types are not noted, because a note hides earlier notes for the value. A note about a load or a call's result holds
// everywhere. A note about a parameter holds only in this method, because the caller may have cast the argument.
void Builder::note_declared(const Node* value, std::string_view descriptor) {
  std::string_view element = descriptor.substr(descriptor.find_first_not_of('['));
  if (descriptor == "[B" || final_class(element) != nullptr) declared_.push_back({value, descriptor});
}

void Builder::note_declared_parameters(std::span<Node* const> locals) {
  u32 local = method()->is_static() ? 0 : 1;
  for (DescriptorIterator it(method()->descriptor); !it.at_end(); it.next()) {
    note_declared(locals[local], it.text());
    local += slot_count(it.type());
  }
}

std::string_view Builder::declared(const Node* value) const {
  auto found =
      std::find_if(declared_.rbegin(), declared_.rend(), [value](const Declared& each) { return each.value == value; });
  return found == declared_.rend() ? std::string_view() : found->descriptor;
}

// Returns the exact class that the value has unless the value is null. Returns null if the class is not known.
const Klass* Builder::class_unless_null(const Node* value) const {
  const Klass* known = known_class(value);
  return known != nullptr ? known : final_class(declared(value));
}

bool Builder::is_known_not_null(const Node* value) const {
  return std::any_of(facts_.begin(), facts_.end(), [value](const Fact& fact) { return fact.value == value; });
}

// Adds the decision that the call is not inlined, because it stays virtual. The decision names the method that the call
// would select in the class that its constant pool entry names, if that class is loaded.
void Builder::note_virtual_call(const CallTarget& call, const Targets& targets) {
  const Method* named = targets.list.empty() ? nullptr : targets.list[0].method;
  const ConstantPool* constants = method()->constants;
  u32 index = bytecode::constant_index(method()->code, instructions_.bci(instruction_));
  if (call.kind == CallKind::Interface) {
    named = call.interface->method;
  } else if (u64 resolved = constants->resolved[constants->first(index)].load(std::memory_order_acquire)) {
    const auto* klass = reinterpret_cast<const Klass*>(resolved);
    if (call.vtable_index < klass->vtable_length) named = klass->vtable_entry(call.vtable_index).load();
  }
  if (named == nullptr || !inliner_.is_enabled()) return;
  inliner_.note({activation_.depth, instructions_.bci(instruction_), named, false, "virtual call"});
  if (!shape_.profile.exists()) inliner_.note_unprofiled(method());  // P14 of policy_protocol.h
}

}  // namespace keyhole::graph
