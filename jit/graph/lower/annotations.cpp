// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Writes the comments of a listing (-XX:+PrintAssembly): the bytecode that the next instructions come from, the fast
// path of a lock, a deopt exit. A graph whose nodes have no origins gets no comments.
//
//   bci 3 line 5  monitorenter, in Counter.next from bci 21 line 14; fast path of lightweight
//   deoptimizes: class, at bci 21 line 14  invokevirtual; 1 lock held
#include <fmt/format.h>

#include "jit/graph/lower/lowering.h"
#include "jit/graph/lower/stack_slots.h"
#include "vm/bytecodes.h"
#include "vm/metadata/instance_klass.h"

namespace keyhole::graph {

namespace {

std::string name_of(const Method* method) {
  return fmt::format("{}.{}", method->holder->name->dotted(), method->name->text());
}

// Returns text that says where an Origin or a FrameState is in the bytecode.
std::string place(const auto* inner) {
  std::string text = fmt::format("bci {} line {}  {}", inner->bci, inner->method->line_of(inner->bci),
                                 bytecode::row(inner->method->code[inner->bci]).mnemonic);
  for (; inner->outer != nullptr; inner = inner->outer) {
    text += fmt::format(", in {} from bci {} line {}", name_of(inner->method), inner->outer->bci,
                        inner->outer->method->line_of(inner->outer->bci));
  }
  return text;
}

}  // namespace

void Lowering::annotate(std::string_view text) {
  if (!graph_.has_origins) return;
  auto found = annotations_.find(text);
  if (found == annotations_.end()) found = annotations_.emplace(text, b_.add_mark(std::string(text))).first;
  b_.set_mark(found->second);
}

// Sets the listing's comment for the instructions of the node. A phi, or a node without an origin, sets no comment, so
// its instructions keep the comment of the previous node.
void Lowering::annotate(const Node* node) {
  if (node->origin != nullptr && node->op != Op::phi) annotate(place(node->origin));
}

void Lowering::annotate_fast_path(const Node* node, std::string_view algorithm) {
  if (!graph_.has_origins) return;
  std::string where = node->origin == nullptr ? "entry of a synchronized method" : place(node->origin);
  annotate(where + "; fast path of " + std::string(algorithm));
}

void Lowering::annotate_deopt_exit(const FrameState* state, std::optional<DeoptReason> reason) {
  if (!graph_.has_origins) return;
  std::string text = reason ? fmt::format("deoptimizes: {}, at ", name(*reason)) : "deoptimizes at ";
  text += place(state);
  if (u32 locks = all_locks(state)) text += fmt::format("; {} lock{} held", locks, locks == 1 ? "" : "s");
  if (u32 eliminated = eliminated_locks(state)) text += fmt::format(", {} eliminated", eliminated);
  if (state->coarsened_lock != nullptr) text += "; releases the monitor";
  annotate(text);
}

}  // namespace keyhole::graph
