// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// ProtocolCheck: a program of the model checker over a protocol of the VM other than locks: parking, safepoints,
// allocation, gangs, compiling.
//
// The checks of one protocol are a Protocol, in a file protocol_*.cpp that ends with MODEL_PROTOCOL. As with subjects
// (subject.h) a mutant is the same file compiled with an edited header, and one of the file's checks must find the
// fault. A file that has mutants keeps its types in its unnamed namespace, so that both versions can be linked
// together.
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "tests/model/checked_machine.h"
#include "tests/model/mutant.h"

namespace keyhole::model {

struct ProtocolCheck {
  std::string_view name;
  std::string_view what;
  std::unique_ptr<checked::Program> (*make)();
};
struct Protocol {
  std::string_view name;
  std::string_view what;  // a description of the protocol, or of a mutant's fault
  std::span<const ProtocolCheck> checks;
  u64 states;  // limit of states for each bound of preemptions, if --states gives none; 0: the same limit as for locks
  bool is_mutant;
};
// The protocols, in the order of linking.
std::vector<Protocol>& protocols();

#ifdef KEYHOLE_MODEL_MUTANT
inline bool register_protocol(std::string_view, std::string_view, std::span<const ProtocolCheck> checks,
                              u64 states = 0) {
  protocols().push_back({KEYHOLE_MODEL_MUTANT, KEYHOLE_MODEL_MUTANT_WHAT, checks, states, true});
  return true;
}
#else
inline bool register_protocol(std::string_view name, std::string_view what, std::span<const ProtocolCheck> checks,
                              u64 states = 0) {
  protocols().push_back({name, what, checks, states, false});
  return true;
}
#endif
#define MODEL_PROTOCOL(name, what, checks, ...)                                                               \
  [[maybe_unused]] static const bool registered_##checks = [] {                                               \
    if constexpr (is_compiled(name)) return register_protocol(name, what, checks __VA_OPT__(, ) __VA_ARGS__); \
    return false;                                                                                             \
  }()

// A program over a State that is created for each execution and has the functions `run` and `finish`. If the State has
// a member stops_the_world, one of its threads stops the world.
template <typename State, u32 threads, u32 spurious = 0> class ProgramOver : public checked::Program {
 public:
  u32 thread_count() const override { return threads; }
  u32 spurious_wakeups() const override { return spurious; }
  bool stops_the_world() const override {
    return requires { State::stops_the_world; };
  }
  void set_up() override {
    {
      ArenaScope scope;  // the arena gives each execution the same addresses
      state_ = std::make_unique<State>();
    }
    // The state's name is not in the arena, because the engine's list of names outlives the execution.
    checked::Engine::instance().name(state_.get(), sizeof(State), "state");
  }
  void run(u32 thread) override { state_->run(thread); }
  void finish() override { state_->finish(); }
  void tear_down() override { state_.reset(); }

 private:
  std::unique_ptr<State> state_;
};

template <typename State, u32 threads, u32 spurious = 0> std::unique_ptr<checked::Program> program() {
  return std::make_unique<ProgramOver<State, threads, spurious>>();
}
inline void expect(bool holds, const char* what) {
  if (!holds) checked::engine().fail(what);
}

}  // namespace keyhole::model
