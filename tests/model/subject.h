// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Subject: a named target of scenarios, that is, an algorithm or a mutant of an algorithm. Subjects are defined in
// files subject_*.cpp by MODEL_SUBJECT; a mutant is the same file compiled with an edited copy of a header
// (mutants.def).
//
// All of a subject's types lie in its file's unnamed namespace, or are templates over such types: so several versions
// of one protocol can be linked together.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "tests/model/checked_machine.h"
#include "tests/model/lock_under_test.h"
#include "tests/model/mutant.h"
#include "tests/model/scenario.h"

namespace keyhole::model {

using ProgramMaker = std::unique_ptr<checked::Program> (*)(const Scenario& scenario, LockUnderTest& lock);
inline std::unique_ptr<checked::Program> make_program(const Scenario& scenario, LockUnderTest& lock) {
  return std::make_unique<ScenarioProgram>(scenario, lock);
}

struct Subject {
  std::string_view name;
  std::string_view what;
  std::unique_ptr<LockUnderTest> (*make)();
  bool is_mutant;
  // Whether this is a variant of the monitors' successor hint, and whether it is expected to strand threads. Such
  // variants run only three scenarios.
  bool is_successor_variant = false, strands = false;
  // Makes the programs of scenarios. A subject with virtual threads has a function of its own here, and also runs the
  // scenarios for virtual threads.
  ProgramMaker make_program = model::make_program;
  // For a mutant: the name of the subject that it breaks, and whether the fault is in the pictures.
  std::string_view of = name;
  bool compares_pictures = false;
  bool has_virtual_threads() const { return make_program != model::make_program; }
};

// Subjects in the order of linking. modelcheck sorts them by name.
std::vector<Subject>& subjects();

// Settings that most algorithms share.
struct DefaultSettings {
  static constexpr u32 lock_stack_capacity = 2;  // a small lock stack, which scenarios can overflow
  // The deflater polls after each monitor, and makes a handshake after each deflation, so that the world can stop at
  // any place of a pass.
  static constexpr u32 monitors_between_polls = 1, deflations_between_handshakes = 1;
  static constexpr u32 most_adopted_elements = 1;  // each adoption moves a free element to the global list
  // A thread probes the lock once before it parks, because more probes would only repeat the same steps.
  using MonitorPolicy = sync::FixedPolicy<sync::MonitorSettings{.spin_pauses = 1, .successor = {}}>;
};
struct NoMonitors {
  static constexpr bool has_monitors = false;
};

template <typename Parts> std::unique_ptr<LockUnderTest> make_lock() {
  return std::unique_ptr<LockUnderTest>(new LockOver<CheckedMachine, Parts>);
}

#ifdef KEYHOLE_MODEL_MUTANT
#ifdef KEYHOLE_MODEL_MUTANT_OF_PICTURES
static constexpr bool finds_by_pictures = true;
#else
static constexpr bool finds_by_pictures = false;
#endif
template <typename Parts, bool compiled>
bool register_subject(std::string_view, std::string_view, ProgramMaker maker = make_program) {
  if constexpr (compiled)
    subjects().push_back({.name = KEYHOLE_MODEL_MUTANT,
                          .what = KEYHOLE_MODEL_MUTANT_WHAT,
                          .make = make_lock<Parts>,
                          .is_mutant = true,
                          .make_program = maker,
                          .of = KEYHOLE_MODEL_MUTANT_OF,
                          .compares_pictures = finds_by_pictures});
  return true;
}
#else
template <typename Parts, bool>
bool register_subject(std::string_view name, std::string_view what, ProgramMaker maker = make_program) {
  subjects().push_back({name, what, make_lock<Parts>, false, false, false, maker});
  return true;
}
#endif
#define MODEL_SUBJECT(name, what, Parts, ...)                                              \
  [[maybe_unused]] static const bool registered_##Parts =                                  \
      ::keyhole::model::register_subject<Parts, ::keyhole::model::is_compiled(name)>(name, \
                                                                                     what __VA_OPT__(, ) __VA_ARGS__)

}  // namespace keyhole::model
