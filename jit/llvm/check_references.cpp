// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Checks LLVM's IR after the passes: no reference that was loaded before a call of Java is used after the call
// (low_graph.h G4).
//
//     r = load of a stack slot, a decoded field, a new object ...
//     call of Java ──────────── objects move
//     ... = load r              wrong; storing r or passing it on is wrong, too; comparing it is harmless
//
// LLVM's types do not distinguish references from other addresses. But only a few kinds of addresses may be used after
// a call: parameters, the stack slots that calls return, and constants. The check treats every other address as a
// reference, and also every number that is converted to an address.
//
// A use is wrong only if a feasible path leads from the call to the use. Some paths are not feasible: if the condition
// of a loop's exit is loop-invariant, the loop takes this exit in its first iteration or never. LLVM knows that, so
// after such an exit it uses the initial value of a phi of the loop.
#include <functional>
#include <optional>
#include <set>
#include <vector>

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/raw_ostream.h>

#include "jit/llvm/machine.h"

namespace keyhole::llvm_plugin {
namespace {

using Values = llvm::DenseSet<const llvm::Value*>;

bool is_call_of_java(const llvm::Instruction& instruction) {
  const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  return call != nullptr && call->getCallingConv() == llvm::CallingConv::PreserveNone && !call->isMustTailCall();
}

// Whether the value is a `musttail` call, that is, a deopt point. Deopt points pass numbers in registers whose LLVM
// type is ptr.
bool is_exit(const llvm::Value* value) {
  const auto* call = llvm::dyn_cast<llvm::CallInst>(value);
  return call != nullptr && call->isMustTailCall();
}

bool is_number_for_exits(const llvm::Value* value) {
  return llvm::isa<llvm::IntToPtrInst>(value) && llvm::all_of(value->users(), is_exit);
}

bool is_word(const llvm::Value* value) { return value->getType()->isPointerTy() || value->getType()->isIntegerTy(); }

// Whether the instruction computes its value only from its operands, and does not access memory.
bool is_derived(const llvm::Instruction* instruction) {
  return llvm::isa<llvm::GetElementPtrInst, llvm::CastInst, llvm::PHINode, llvm::SelectInst, llvm::BinaryOperator,
                   llvm::FreezeInst>(instruction);
}

// The loops in which a path of the control flow graph has completed an iteration: the path has taken the loop's back
// edge, and has not left the loop since.
using Repeated = std::set<const llvm::Loop*>;

class Paths {
 public:
  // The const_cast is safe, because the dominator tree does not change the function.
  explicit Paths(const llvm::Function& function) : tree_(const_cast<llvm::Function&>(function)), loops_(tree_) {}

  bool can_go(const llvm::BasicBlock* from, const llvm::BasicBlock* to, const Repeated& repeated) const {
    return llvm::none_of(repeated, [&](const llvm::Loop* loop) {
      return loop->contains(from) && !loop->contains(to) && is_decided_at_first(from, *loop);
    });
  }
  Repeated repeated_after(const llvm::BasicBlock* from, const llvm::BasicBlock* to, Repeated repeated) const {
    std::erase_if(repeated, [to](const llvm::Loop* loop) { return !loop->contains(to); });
    const llvm::Loop* loop = loops_.getLoopFor(to);
    if (loop != nullptr && loop->getHeader() == to && loop->contains(from)) repeated.insert(loop);
    return repeated;
  }

 private:
  // Whether the branch at the block's end has the same outcome in all iterations of the loop. It does if every
  // iteration executes the branch, and the branch's condition is loop-invariant.
  bool is_decided_at_first(const llvm::BasicBlock* block, const llvm::Loop& loop) const {
    const llvm::Value* condition = nullptr;
    if (const auto* branch = llvm::dyn_cast<llvm::BranchInst>(block->getTerminator())) {
      if (branch->isConditional()) condition = branch->getCondition();
    } else if (const auto* choice = llvm::dyn_cast<llvm::SwitchInst>(block->getTerminator())) {
      condition = choice->getCondition();
    }
    const llvm::BasicBlock* latch = loop.getLoopLatch();
    return condition != nullptr && latch != nullptr && loop.isLoopInvariant(condition) && tree_.dominates(block, latch);
  }

  llvm::DominatorTree tree_;
  llvm::LoopInfo loops_;
};

class Checker {
 public:
  explicit Checker(const llvm::Function& function) : function_(function) {}

  std::string run() {
    find_addresses();
    find_live();
    for (const llvm::BasicBlock& block : function_) check(block);
    return wrong_;
  }

 private:
  // Finds all values that are used as addresses. Starts at values that are dereferenced, stored or passed to calls, and
  // continues with the operands from which these values are computed.
  void find_addresses() {
    std::vector<const llvm::Value*> work;
    const auto note = [&](const llvm::Value* value) {
      if (llvm::isa<llvm::Instruction>(value) && is_word(value) && is_address_.insert(value).second) {
        work.push_back(value);
      }
    };
    const auto note_address = [&](const llvm::Value* value) {
      if (value->getType()->isPointerTy() && !is_number_for_exits(value)) note(value);
    };
    for (const llvm::BasicBlock& block : function_) {
      for (const llvm::Instruction& instruction : block) {
        if (llvm::isa<llvm::LoadInst, llvm::StoreInst, llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst, llvm::CallInst,
                      llvm::IntToPtrInst>(instruction)) {
          for (const llvm::Value* operand : instruction.operands()) note_address(operand);
        }
        const bool is_decoded = llvm::isa<llvm::IntToPtrInst>(instruction) && !is_number_for_exits(&instruction);
        if (is_decoded) note(instruction.getOperand(0));
      }
    }
    while (!work.empty()) {
      const auto* instruction = llvm::cast<llvm::Instruction>(work.back());
      work.pop_back();
      if (!is_derived(instruction)) continue;
      const auto* select = llvm::dyn_cast<llvm::SelectInst>(instruction);
      for (const llvm::Value* operand : instruction->operands()) {
        const bool is_index = llvm::isa<llvm::GetElementPtrInst>(instruction) && !operand->getType()->isPointerTy();
        if (!is_index && !(select != nullptr && operand == select->getCondition())) note(operand);
      }
    }
  }

  // Whether the value cannot be a reference. Code may use such a value after any call.
  bool is_of_the_machine(const llvm::Value* value) {
    Values seen;
    const std::function<bool(const llvm::Value*)> is_no_reference = [&](const llvm::Value* from) {
      if (llvm::isa<llvm::Constant>(from) || llvm::isa<llvm::Argument>(from)) return true;
      if (!seen.insert(from).second) return true;
      if (const auto* part = llvm::dyn_cast<llvm::ExtractValueInst>(from)) return part->getIndices()[0] != 1;
      const auto* instruction = llvm::cast<llvm::Instruction>(from);
      if (const auto* gep = llvm::dyn_cast<llvm::GetElementPtrInst>(instruction))
        return is_no_reference(gep->getPointerOperand());
      if (!is_derived(instruction)) return false;
      for (const llvm::Value* operand : instruction->operands()) {
        if (is_word(operand) && !is_no_reference(operand)) return false;
      }
      return true;
    };
    return is_no_reference(value);
  }

  void live_at_end(const llvm::BasicBlock& block, Values& live) {
    for (const llvm::BasicBlock* next : llvm::successors(&block)) {
      for (const llvm::Value* value : live_at_begin_[next]) live.insert(value);
      for (const llvm::PHINode& phi : next->phis()) {
        if (is_address_.contains(&phi)) use(phi.getIncomingValueForBlock(&block), live);  // dead phis are not used
      }
    }
  }
  void use(const llvm::Value* value, Values& live) {
    if (is_address_.contains(value)) live.insert(value);
  }
  // Computes the live values before an instruction from the live values after the instruction. Operands of comparisons
  // do not count as uses.
  void step_back(const llvm::Instruction& instruction, Values& live) {
    live.erase(&instruction);
    if (!uses_addresses(instruction)) return;
    for (const llvm::Value* operand : instruction.operands()) use(operand, live);
  }
  bool uses_addresses(const llvm::Instruction& instruction) const {
    if (llvm::isa<llvm::PHINode, llvm::CmpInst>(instruction)) return false;
    return !is_derived(&instruction) || is_address_.contains(&instruction);
  }

  void find_live() {
    for (bool changed = true; changed;) {
      changed = false;
      for (const llvm::BasicBlock& block : llvm::reverse(function_)) {
        Values live;
        live_at_end(block, live);
        for (const llvm::Instruction& instruction : llvm::reverse(block)) step_back(instruction, live);
        Values& known = live_at_begin_[&block];
        // the sets of live values only grow, so sets of equal size are equal
        if (live.size() == known.size()) continue;
        known = std::move(live);
        changed = true;
      }
    }
  }

  void check(const llvm::BasicBlock& block) {
    Values live;
    live_at_end(block, live);
    for (const llvm::Instruction& instruction : llvm::reverse(block)) {
      if (is_call_of_java(instruction)) {
        for (const llvm::Value* value : live) {
          if (value != &instruction && wrong_.empty() && !is_of_the_machine(value) && reaches_use(value, instruction))
            refuse(value, instruction);
        }
      }
      step_back(instruction, live);
    }
  }

  // Whether a feasible path leads from the call to a use of the value. Liveness analysis has found that the value is
  // live after the call, but liveness analysis counts infeasible paths, too.
  bool reaches_use(const llvm::Value* value, const llvm::Instruction& call) {
    if (!paths_) paths_.emplace(function_);
    // Place: the instruction that a path from the call has reached, and the loops in which the path has completed an
    // iteration.
    using Place = std::pair<const llvm::Instruction*, Repeated>;
    std::vector<Place> work{{call.getNextNode(), {}}};
    std::set<Place> seen;
    while (!work.empty()) {
      const auto [first, repeated] = std::move(work.back());
      work.pop_back();
      if (!seen.insert({first, repeated}).second) continue;
      const llvm::BasicBlock* block = first->getParent();
      const llvm::Instruction* at = first;
      for (; at != nullptr && at != value; at = at->getNextNode()) {
        if (uses_addresses(*at) && llvm::is_contained(at->operands(), value)) return true;
      }
      if (at != nullptr) continue;  // the path redefines the value
      for (const llvm::BasicBlock* next : llvm::successors(block)) {
        if (!paths_->can_go(block, next, repeated)) continue;
        for (const llvm::PHINode& phi : next->phis()) {
          if (is_address_.contains(&phi) && phi.getIncomingValueForBlock(block) == value) return true;
        }
        work.emplace_back(&next->front(), paths_->repeated_after(block, next, repeated));
      }
    }
    return false;
  }

  void refuse(const llvm::Value* value, const llvm::Instruction& call) {
    llvm::raw_string_ostream out(wrong_);
    out << "an address from before a call is used after it:" << *value << "; the call:" << call;
  }

  const llvm::Function& function_;
  std::string wrong_;
  Values is_address_;
  // the paths that reaches_use() examines; empty until its first call, because few functions need them
  std::optional<Paths> paths_;
  llvm::DenseMap<const llvm::BasicBlock*, Values> live_at_begin_;
};

}  // namespace

std::string check_references(const llvm::Module& module) {
  for (const llvm::Function& function : module) {
    if (function.isDeclaration()) continue;
    std::string wrong = Checker(function).run();
    if (!wrong.empty()) return wrong;
  }
  return {};
}

}  // namespace keyhole::llvm_plugin
