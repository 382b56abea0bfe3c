// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Subroutine contexts: jsr and ret (class files before 51) by cloning.
//
// A context is the chain of jsr instructions whose return addresses still exist; context 0 is the empty chain. The
// dataflow keeps one state per (block, context), so a subroutine is analysed once per calling context and locals that
// it does not touch keep their exact types: no "modified by the subroutine" masks (JVMS 4.10.2.5) are needed.
//
//      jsr at 3:  context 0 ----> c1 = (parent 0, jsr 3)        a return address has the type ReturnAddress(c1)
//      jsr at 9 inside it:  c1 -> c2 = (parent c1, jsr 9)       ret of ReturnAddress(c) continues after c's jsr, in
//                                                               c's parent
//
// R1: no jsr occurs twice in a chain: a jsr that is already in the chain returns to that context, and its older return
//     addresses die (they could only serve recursion, which JVMS 4.9.2 forbids). So contexts are finite.
// R2: a context whose return address is in no slot is replaced by its parent: nothing can return from it.
#pragma once

#include <vector>

#include "runtime/base/types.h"

namespace keyhole {

class Subroutines {
 public:
  static constexpr u32 limit = 2048;
  struct Context {
    u32 parent, jsr_bci, return_bci;
  };

  u32 count() const { return static_cast<u32>(contexts_.size()); }
  const Context& operator[](u32 id) const { return contexts_[id]; }

  // Is `inner` the context `outer`, or was it entered from `outer`?
  bool is_within(u32 inner, u32 outer) const {
    while (inner != outer && inner != 0) inner = contexts_[inner].parent;
    return inner == outer;
  }
  // The context of this jsr in the chain of `context`; 0 if it is not in the chain.
  u32 find_in_chain(u32 context, u32 jsr_bci) const {
    while (context != 0 && contexts_[context].jsr_bci != jsr_bci) context = contexts_[context].parent;
    return context;
  }
  // The context that the jsr enters from `context`; 0 when there are too many.
  u32 enter(u32 context, u32 jsr_bci, u32 return_bci) {
    for (u32 id = 1; id < contexts_.size(); ++id)
      if (contexts_[id].parent == context && contexts_[id].jsr_bci == jsr_bci) return id;
    if (contexts_.size() >= limit) return 0;
    contexts_.push_back({context, jsr_bci, return_bci});
    return static_cast<u32>(contexts_.size() - 1);
  }

 private:
  std::vector<Context> contexts_{Context{0, 0, 0}};
};

}  // namespace keyhole
