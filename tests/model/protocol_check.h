// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// ProtocolCheck: a program of the model checker over something of the VM that is no lock: parking, safepoints, allocation.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "tests/model/checked_machine.h"

namespace keyhole::model {

struct ProtocolCheck {
  std::string_view name;
  std::string_view what;
  std::unique_ptr<checked::Program> (*make)();
};
std::span<const ProtocolCheck> all_protocol_checks();

// A program over a State that is made anew for each execution; `run` and `finish` are its members.
template <typename State, u32 threads, u32 spurious = 0> class ProgramOver : public checked::Program {
 public:
  u32 thread_count() const override { return threads; }
  u32 spurious_wakeups() const override { return spurious; }
  void set_up() override {
    ArenaScope scope;   // the same addresses in each execution
    state_ = std::make_unique<State>();
    checked::Engine::instance().name(state_.get(), sizeof(State), "state");
  }
  void run(u32 thread) override { state_->run(thread); }
  void finish() override { state_->finish(); }
  void tear_down() override { state_.reset(); }

 private:
  std::unique_ptr<State> state_;
};

}  // namespace keyhole::model
