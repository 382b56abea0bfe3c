// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Builds calls. The arguments stay among the operands of the call's frame state, because they are the callee's locals.
//
// A virtual or interface call becomes the graph below if the profile has seen its targets, the receiver's class is
// unknown, and there is no unique concrete method (hierarchy.cpp):
//
//     has_class A? ──yes──> A's method: inlined, or a direct call ──┐
//          no                                                       ├──> join: phi of the results
//     has_class B? ──yes──> B's method ─────────────────────────────┤
//          no: an uncommon trap if the profile has seen no other class, else the call
#include <algorithm>

#include "jit/graph/build/builder.h"
#include "vm/metadata/descriptor.h"
#include "vm/metadata/instance_klass.h"

namespace keyhole::graph {

using namespace interpreter;

void Builder::build_invoke(Operation operation, u64 word) {
  u32 slots = operand_a(word);
  i32 b = operand_b(word);
  auto direct = [&](Method* method) {
    Ends ends;
    add_direct_call({method}, 0, ends);
    finish_call(method->argument_slots, ends);
  };
  auto checked = [&](Method* method, const Klass* receiver) {
    Node* test = add(Op::is_instance, Type::Int, {peek(slots - 1)});
    test->klass = receiver;
    guard(test, DeoptReason::Interpreted);
    direct(method);
  };
  auto by_table = [&](u32 index) { build_selected({CallKind::Virtual, slots, nullptr, index, nullptr}); };
  switch (operation) {
    case Operation::invokestatic: return direct(metadata_at<Method>(b));
    case Operation::invokespecial: guard_not_null(peek(slots - 1)); return direct(metadata_at<Method>(b));
    case Operation::invokevirtual: return by_table(static_cast<u32>(-(b / 8) - 1));
    case Operation::invokevirtual_same_class: return by_table(metadata_at<VirtualCallSite>(b)->vtable_index);
    case Operation::invokevirtual_same_method: return by_table(static_cast<u32>(metadata_at<Method>(b)->vtable_index));
    case Operation::invokeinterface:
      return build_selected({CallKind::Interface, slots, nullptr, 0, metadata_at<const InterfaceCallSite>(b)});
    case Operation::invokedynamic:
    case Operation::invokehandle: {
      const auto* site = metadata_at<const LinkedCallSite>(b);
      if (operation == Operation::invokehandle) guard_not_null(peek(slots - 1));
      // Makes the frame state before the appendix is pushed: the interpreter pushes the appendix itself.
      state();
      if (site->appendix != nullptr) {
        Node* appendix = add(Op::root_object, Type::Reference);
        appendix->root = site->appendix;
        appendix->is_never_null = true;
        push(appendix);
      }
      return direct(site->target);
    }
    case Operation::invokeinterface_private: {
      auto* method = metadata_at<Method>(b);
      return checked(method, reinterpret_cast<const Klass*>(method->holder));
    }
    case Operation::invokespecial_checked: {
      const auto* site = metadata_at<const SpecialCallSite>(b);
      return checked(site->target, site->interface);
    }
    default: return deoptimize(DeoptReason::Interpreted);
  }
}

void Builder::add_call(const CallTarget& target, Ends& ends) {
  add_call(target, type_of_descriptor(return_descriptor_of(instructions_.descriptor(instruction_))[0]), ends);
}

void Builder::add_call(const CallTarget& target, Type type, Ends& ends) {
  std::vector<Node*> arguments;
  u32 slots = target.kind == CallKind::Direct ? target.method->argument_slots : target.argument_slots;
  std::copy_if(frame_.operands.end() - static_cast<i64>(slots), frame_.operands.end(), std::back_inserter(arguments),
               [](const Node* slot) { return slot != nullptr; });
  FrameState* before = state();
  Node* node = graph_.make(Op::call, type, arguments);
  Graph::append(block_, node);
  node->state = before;
  node->call = graph_.make_data(target);
  if (catches()) catch_after_call();
  ends.push_back({block_, node->type == Type::None ? nullptr : node});
}

void Builder::add_direct_call(const Target& target, u64 count, Ends& ends) {
  if (try_intrinsic(target, ends) || try_kernel(target, count, ends) || try_clone(target, ends) ||
      try_inline(target, count, ends))
    return;
  add_call({CallKind::Direct, operand_a(instructions_.word(instruction_)), target.method, 0, nullptr}, ends);
  if (const Node* value = ends.back().value)
    note_declared(value, return_descriptor_of(target.method->descriptor->text()));
}

// Replaces the call's arguments on the operand stack by its result.
void Builder::finish_call(u32 argument_slots, const Ends& ends) {
  frame_.operands.resize(frame_.operands.size() - argument_slots);
  block_ = nullptr;
  if (ends.empty()) return;
  Node* value = ends[0].value;
  block_ = ends[0].block;
  if (ends.size() > 1) {
    block_ = graph_.make_block();
    std::vector<Node*> values;
    for (const Return& end : ends) {
      Graph::append(end.block, graph_.make(Op::jump, Type::None));
      Graph::connect(end.block, block_);
      values.push_back(end.value);
    }
    if (value != nullptr) {
      bool is_never_null = std::all_of(values.begin(), values.end(), [](Node* each) { return each->is_never_null; });
      value = graph_.make(Op::phi, value->type, values);
      value->is_never_null = is_never_null;
      Graph::append(block_, value);
    }
  }
  if (value != nullptr) push(value);
}

// --- calls selected by the receiver ----------------------------------------------------------------------------------

namespace {

Method* selected_by(const Klass* klass, const CallTarget& call) {
  if (call.kind == CallKind::Virtual) return selected_method(klass, nullptr, call.vtable_index);
  return selected_method(klass, call.interface->interface, call.interface->itable_index);
}

}  // namespace

void Builder::build_selected(const CallTarget& call) {
  Node* receiver = peek(call.argument_slots - 1);
  guard_not_null(receiver);
  const Klass* klass = class_unless_null(receiver);
  Target target{klass == nullptr ? unique_concrete_method_of(call) : selected_by(klass, call), klass};
  target.is_only = klass == nullptr;
  bool is_usable = inliner_.is_enabled() && target.method != nullptr && !target.method->is_abstract() &&
                   inliner_.may_name(target.method->holder);
  if (!is_usable) {
    Targets targets = targets_of(call);
    bool is_speculative = targets.are_all && targets.list.size() == 1;
    Method* only = is_speculative ? nullptr : guard_only_implementation(call);
    if (only == nullptr) return build_by_profile(call, targets);
    target = {.method = only, .is_only = true};
  }
  Ends ends;
  add_direct_call(target, 0, ends);
  finish_call(call.argument_slots, ends);
}

void Builder::build_by_profile(const CallTarget& call, const Targets& targets) {
  Ends ends;
  // If all receivers select one target, the class check saves time even if the target is not inlined.
  bool pays = targets.are_all && targets.list.size() == 1;
  for (const Target& target : targets.list) {
    pays = pays || intrinsic_of(target.method) != Intrinsic::none ||
           inliner_.judge(activation_, instructions_.bci(instruction_), target.method, share_of(target, targets.count))
               .inlines;
  }
  if (!pays) {
    note_virtual_call(call, targets);
    add_call(call, ends);
    return finish_call(call.argument_slots, ends);
  }
  Node* receiver = peek(call.argument_slots - 1);
  for (const Target& target : targets.list) {
    Node* test = test_of(call, target, receiver);
    bool is_last = targets.are_all && &target == &targets.list.back();
    if (is_last) {
      guard(test, DeoptReason::Class);
      add_direct_call(target, targets.count, ends);
      return finish_call(call.argument_slots, ends);
    }
    Block* from = block_;
    Block* hit = graph_.make_block();
    Block* miss = graph_.make_block();
    add(Op::branch, Type::None, {test});
    Graph::connect(from, hit);
    Graph::connect(from, miss);
    block_ = hit;
    add_direct_call(target, targets.count, ends);
    block_ = miss;
  }
  add_call(call, ends);
  finish_call(call.argument_slots, ends);
}

Node* Builder::test_of(const CallTarget& call, const Target& target, Node* receiver) {
  Node* test = add(target.klass != nullptr ? Op::has_class : Op::selects, Type::Int, {receiver});
  if (target.klass != nullptr) test->klass = target.klass;
  else test->selected = graph_.make_data(SelectedMethod{call.vtable_index, target.method});
  return test;
}

// Returns the targets for which the code tests. If the profile knows the class of every receiver, the targets are the
// methods that these classes select, unless there are more than two. If the profile is incomplete, the target is the
// method that nine in ten receivers have selected, if there is one. Without a profile, the target is the method for
// which the instruction was quickened, or the method that the last receiver at the call site selected. Other receivers
// get an uncommon trap if the profile is complete and this speculation has not failed before; otherwise they get the
// call.
Builder::Targets Builder::targets_of(const CallTarget& call) const {
  if (!inliner_.is_enabled()) return {};
  Receivers seen = shape_.profile.receivers_of(instruction_);
  if (seen.total == 0) return cached_targets(call);
  Targets found;
  found.count = seen.total;
  bool were_all = seen.are_all;
  for (const Receivers::Row& row : seen.rows) {
    Method* selected = selected_by(row.klass, call);
    bool is_usable = selected != nullptr && !selected->is_abstract() && inliner_.may_name(row.klass) &&
                     inliner_.may_name(selected->holder);
    if (!is_usable) {
      were_all = false;
      continue;
    }
    auto same = std::find_if(found.list.begin(), found.list.end(),
                             [&](const Target& target) { return target.method == selected; });
    if (same == found.list.end() || call.kind != CallKind::Virtual) {
      found.list.push_back({selected, row.klass, row.count});
    } else {
      same->klass = nullptr;
      same->count += row.count;
    }
  }
  if (!were_all) {
    std::erase_if(found.list, [&](const Target& target) { return target.count < seen.total / 10 * 9; });
  } else if (found.list.size() > most_speculations) {
    found.list.clear();
  }
  found.are_all = were_all && inliner_.may_speculate(method(), instructions_.bci(instruction_), DeoptReason::Class);
  return found;
}

Builder::Targets Builder::cached_targets(const CallTarget& call) const {
  Targets found;
  Operation operation = instructions_.operation(instruction_);
  i32 b = operand_b(instructions_.word(instruction_));
  auto add_cached = [&](u64 word) {
    if (word == 0) return;
    found.list.push_back({reinterpret_cast<Method*>(word & receiver_cache_pointer),
                          klass_of_id(static_cast<u32>(word >> layout::klass_key_shift))});
  };
  if (operation == Operation::invokevirtual_same_method) {
    found.list.push_back({metadata_at<Method>(b)});
  } else if (operation == Operation::invokevirtual_same_class) {
    add_cached(metadata_at<VirtualCallSite>(b)->expected);
  } else if (call.kind == CallKind::Interface) {
    add_cached(call.interface->cache.load(std::memory_order_acquire));
  }
  std::erase_if(found.list, [&](const Target& target) {
    return target.method->is_abstract() || !inliner_.may_name(target.method->holder) ||
           (target.klass != nullptr && !inliner_.may_name(target.klass));
  });
  return found;
}

}  // namespace keyhole::graph
