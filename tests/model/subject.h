// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Subject: something that scenarios are run over, by name: an algorithm as it is, or a mutant of it. Each is a file subject_*.cpp that ends with
// MODEL_SUBJECT; a mutant is the same file compiled against an edited copy of a header (mutants.def).
//
// All of a subject's types lie in its file's unnamed namespace, or are templates over such types: so several versions of one protocol can be linked
// together.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "tests/model/checked_machine.h"
#include "tests/model/lock_under_test.h"

namespace keyhole::model {

struct Subject {
  std::string_view name;
  std::string_view what;
  std::unique_ptr<LockUnderTest> (*make)();
  bool is_mutant;
};

// In the order of linking; modelcheck sorts by name.
std::vector<Subject>& subjects();

struct RegisterSubject {
  explicit RegisterSubject(const Subject& subject) { subjects().push_back(subject); }
};

// What most algorithms need beyond themselves.
struct DefaultSettings {
  static constexpr u32 lock_stack_capacity = 2;   // so that overflowing is within reach
  // One look before parking: more looks are the same steps again.
  using MonitorPolicy = sync::FixedPolicy<sync::MonitorSettings{.spin_pauses = 1, .successor = {}}>;
};
struct NoMonitors {
  static constexpr bool has_monitors = false;
};

#ifdef KEYHOLE_MODEL_MUTANT
inline constexpr bool is_mutant_file = true;
#define MODEL_SUBJECT(name, what, Parts) \
  static const ::keyhole::model::RegisterSubject registered_##Parts( \
      {KEYHOLE_MODEL_MUTANT, name, [] { return std::unique_ptr<::keyhole::model::LockUnderTest>(new ::keyhole::model::LockOver<::keyhole::model::CheckedMachine, Parts>); }, true})
#else
#define MODEL_SUBJECT(name, what, Parts) \
  static const ::keyhole::model::RegisterSubject registered_##Parts( \
      {name, what, [] { return std::unique_ptr<::keyhole::model::LockUnderTest>(new ::keyhole::model::LockOver<::keyhole::model::CheckedMachine, Parts>); }, false})
#endif

}  // namespace keyhole::model
