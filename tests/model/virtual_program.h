// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// VirtualProgram: a scenario whose threads are virtual. They unmount when they block or wait, and two carriers mount
// them again (toy_virtual.h).
#pragma once

#include "tests/model/scenario.h"
#include "tests/model/toy_virtual.h"

namespace keyhole::model {

template <typename Machine> class VirtualProgram : public ScenarioProgram {
 public:
  VirtualProgram(const Scenario& scenario, LockUnderTest& lock)
      : ScenarioProgram(scenario, lock), threads_(scenario.threads) {}
  u32 thread_count() const override { return carriers + 1; }
  void set_up() override {
    ScenarioProgram::set_up();
    auto body = [](void* self, u32 thread) { static_cast<VirtualProgram*>(self)->ScenarioProgram::run(thread); };
    Machine::begin(threads_, carriers, body, this);
  }
  void run(u32 thread) override { Machine::run_thread(thread); }

 private:
  static constexpr u32 carriers = 2;
  u32 threads_;
};

template <typename Machine>
std::unique_ptr<checked::Program> make_virtual_program(const Scenario& scenario, LockUnderTest& lock) {
  return std::make_unique<VirtualProgram<Machine>>(scenario, lock);
}

}  // namespace keyhole::model
