// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The control flow of a method's bytecode, and the liveness of its locals. The flow has only the exception handlers
// that are compiled. Other handlers, and blocks that only they reach, are left to the interpreter.
#pragma once

#include <string>
#include <vector>

#include "jit/code/instructions.h"

namespace keyhole::graph {

struct FlowBlock {
  u32 first, last;  // the numbers of the first and the last instruction in the block
  std::vector<u32> predecessors, successors;
  std::vector<u32> handlers;  // blocks of the handlers that cover this block; their `predecessors` list this block
  bool is_handler = false;
  bool is_loop_header = false;
  u32 loop_depth = 0;          // the number of loops around the block
  std::vector<bool> assigned;  // if the block is a loop header: the locals that the loop writes
};

class Flow {
 public:
  // Finds the blocks that can be reached from the instruction `first`. handlers[i] is true if handler i is compiled.
  explicit Flow(const Instructions& instructions, u32 first = 0, const std::vector<bool>& handlers = {});

  // The reason why the method gets no graph; empty if it gets one.
  const std::string& refusal() const { return refusal_; }
  // All blocks, in reverse postorder. The first block starts at the instruction `first`.
  const std::vector<FlowBlock>& blocks() const { return blocks_; }
  u32 block_at(u32 instruction) const { return block_at_[instruction]; }
  bool starts(u32 instruction) const { return block_at_[instruction] != none; }

 private:
  static constexpr u32 none = ~u32{0};
  void find_blocks(u32 first, const std::vector<bool>& handlers);
  std::vector<std::vector<u32>> handlers_of(const std::vector<FlowBlock>& found, const std::vector<u32>& number,
                                            const std::vector<bool>& handlers) const;
  void find_loops();
  void note_loop(u32 header, const std::vector<u32>& ends);
  void take_depths_of(const Flow& method);

  const Instructions& instructions_;
  std::vector<FlowBlock> blocks_;
  std::vector<u32> block_at_;  // by instruction: the number of the block that begins at the instruction
  std::string refusal_;
};

// The instructions that may be executed after this one if it does not throw.
std::vector<u32> successors_of(const Instructions& instructions, u32 instruction);

// Whether a backward branch of the method leads to this bci. False if no instruction starts at the bci. The method must
// have been pre-decoded.
bool begins_loop(Method* method, i32 bci);

// Which locals are live before each instruction. As in the frame maps (vm/verify/frame_map.h), a local that a handler
// reads is live in the handler's whole range, and the receiver of a synchronized method is live everywhere.
class LocalLiveness {
 public:
  explicit LocalLiveness(const Instructions& instructions);
  // Whether the local is live before the instruction.
  bool is_live(u32 instruction, u32 local) const { return live_[u64{instruction} * locals_ + local]; }

 private:
  u32 locals_;
  std::vector<bool> live_;
};

}  // namespace keyhole::graph
