// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Calls. The arguments are still among the operands of the call's state: they are the callee's locals.
#include <algorithm>

#include "jit/graph/builder.h"
#include "vm/classfile/descriptor.h"
#include "vm/link/instance_klass.h"

namespace keyhole::graph {

using namespace interpreter;

void Builder::call(const CallTarget& target, Node* appendix, bool has_receiver) {
  std::vector<Node*>& operands = frame_.operands;
  auto first = operands.end() - static_cast<i64>(target.argument_slots);
  if (has_receiver) guard_not_null(*first);
  std::vector<Node*> arguments;
  std::copy_if(first, operands.end(), std::back_inserter(arguments), [](const Node* slot) { return slot != nullptr; });
  if (appendix != nullptr) arguments.push_back(appendix);
  State* before = state();
  Type result = type_of_descriptor(return_descriptor_of(cells_.descriptor(cell_))[0]);
  Node* node = graph_.make(Op::call, result, arguments);
  Graph::append(block_, node);
  node->state = before;
  node->call = graph_.make_data(target);
  operands.erase(first, operands.end());
  if (result != Type::None) push(node);
}

void Builder::build_invoke(Operation operation, u64 word) {
  u32 slots = operand_a(word);
  i32 b = operand_b(word);
  auto direct = [&](Method* method) { return CallTarget{CallKind::Direct, slots, method, 0, nullptr}; };
  auto by_table = [&](u32 index) { return call({CallKind::Virtual, slots, nullptr, index, nullptr}, nullptr, true); };
  switch (operation) {
    case Operation::invokestatic: return call(direct(metadata_at<Method>(b)), nullptr, false);
    case Operation::invokespecial: return call(direct(metadata_at<Method>(b)), nullptr, true);
    case Operation::invokevirtual: return by_table(static_cast<u32>(-(b / 8) - 1));
    case Operation::invokevirtual_same_class: return by_table(metadata_at<VirtualCallSite>(b)->vtable_index);
    case Operation::invokevirtual_same_method: return by_table(static_cast<u32>(metadata_at<Method>(b)->vtable_index));
    case Operation::invokeinterface:
      return call({CallKind::Interface, slots, nullptr, 0, metadata_at<const InterfaceCallSite>(b)}, nullptr, true);
    case Operation::invokedynamic: case Operation::invokehandle: {
      const auto* site = metadata_at<const LinkedCallSite>(b);
      bool has_receiver = operation == Operation::invokehandle;
      if (has_receiver) guard_not_null(peek(slots - 1));
      Node* appendix = nullptr;
      if (site->appendix != nullptr) {
        appendix = add(Op::root_object, Type::Reference);
        appendix->root = site->appendix;
      }
      return call(direct(site->target), appendix, false);
    }
    default: return leave(Reason::Interpreted);   // a private method of an interface: the class is checked
  }
}

}  // namespace keyhole::graph
