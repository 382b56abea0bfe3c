// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Oracle: chooses the strand that goes on, by the policy of an execution's request.
//
// O1: the choice depends only on the request and on what happened since the root, so a request stands for one
//     execution.
// O2: a step of the script applies at the event that it names. If the step's strand cannot go on at this event, the
//     script does not fit the program.
// O3: PCT (Burckhardt, Kothari, Musuvathi, Nagarakatte, ASPLOS 2010): the strand with the highest priority goes on.
//     New strands get random priorities above all that were lowered. At each of depth - 1 random choices the strand
//     that would go on gets a priority below all others.
// O4: POS (Yuan, Yang, Gu, CAV 2018): each next operation has a random priority, and the operation with the highest
//     priority takes place. It gets a new priority for the next choice, and so do the operations that conflict with it.
// O5: SURW (Zhao, Chen, Liu, Wang, ASPLOS 2025) draws a strand, weighted by its remaining operations in focus. The
//     drawn strand will execute the next operation in focus. Until it does, each choice is uniform among the drawn
//     strand and the strands whose next operation is out of focus. With exact weights all orders of the operations in
//     focus are equally likely. The weight of a strand includes the weights of the strands that it has yet to start.
// O6: all policies treat a store buffer as a strand. The default policy takes the buffer of the running strand if it is
//     fresh, or if the strand yields or cannot go on. Among the other strands and buffers it takes strands first.
#pragma once

#include "runtime/base/controlled/execution.h"

namespace keyhole::controlled {

// A situation in which strands can go on.
struct Choice {
  u32 event;                      // the number of the event that comes next
  u32 running;                    // the strand that ran last
  StrandSet enabled;              // never empty
  const Sleeper* next = nullptr;  // by strand: its next operation
  u32 strand_count = 0;           // strands so far
  bool is_fair =
      false;  // the running strand has used up its share (strands.h S6) or yields, so another strand runs if one can
  StrandSet buffers = 0;  // the store buffers among the enabled strands
  bool is_fresh = false;  // the running strand has just stored into its empty buffer (store_buffers.h B4)
};

class Oracle {
 public:
  explicit Oracle(const Execution& execution) : execution_(execution) { begin(); }
  // Resets the oracle to the beginning of an execution, and reads the request again.
  void begin();

  u32 choose(const Choice& choice, u32 number);  // `number` of the choice
  // Which of the `visible` writes the read of this event sees; 0 is the last one (write_histories.h). The default
  // policy takes the last one, and samplers draw one.
  u32 choose_write(u32 event, u32 visible);
  static u32 by_default(const Choice& choice);
  // Whether the script chooses a strand at the event.
  bool has_step_at(u32 event) const {
    return step_ < execution_.step_count && execution_.steps[step_].event == event &&
           execution_.steps[step_].older == 0;
  }
  // Whether steps of the script are left. At the end of an execution this means that the script does not fit the
  // program.
  bool has_steps_left() const { return execution_.policy == Policy::script && step_ < execution_.step_count; }
  u32 step() const { return step_; }
  // The strands that sleep at this event (dpor.h of vm/tools/explore).
  StrandSet asleep_at(u32 event) const { return event > sleep_from_ ? asleep_ : 0; }
  // Wakes the sleeping strands whose operation conflicts with the event.
  void wake_by(u32 event, u32 strand, Kind kind, u64 location);
  bool fits() const { return fits_; }

 private:
  u64 random();
  u32 uniform(StrandSet set);
  u32 by_script(const Choice& choice);
  u32 by_priority(const Choice& choice, u32 number);
  u32 by_partial_order(const Choice& choice);
  u32 by_weights(const Choice& choice);
  u32 draw_by_weights(const Choice& choice);

  const Execution& execution_;
  u32 step_ = 0;
  u64 random_state_ = 0;
  u64 priorities_[max_strands] = {};  // 0: none yet
  u64 lowest_ = 0;
  static constexpr u32 max_depth = 16;
  u32 sinking_points_[max_depth] = {};  // numbers of choices (O3)
  u32 remaining_[max_strands] = {};     // O5: operations in focus
  u32 drawn_ = max_strands;             // O5: the drawn strand, which executes the next operation in focus
  bool fits_ = true;
  StrandSet asleep_ = 0;
  u32 sleep_from_ = UINT32_MAX;  // the event of the last step: the strands sleep after it
};

}  // namespace keyhole::controlled
