// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Mutants of a lock: copies of its file, each with one edit that makes the lock weaker. The model checker should find a
// failure in each mutant. A mutant without a failure is no mistake in the lock. It means that no scenario needs the
// edited code, for example because the checker's memory model is that of x86.
//
//   order      acq_rel, acquire, release, seq_cst      -> relaxed
//   fence      fence();                                -> nothing
//   CAS        cell.cas(old, new, order), cell->cas     -> a load, then a store
//   wake-up    gate.open(...), crowd.changed(...), lab::wake<W>(...)   -> nothing
//
// M1: an edit changes a single line, so the line numbers in the checker's scripts are those of the author's file.
// M2: comments are not edited.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/types.h"

namespace keyhole::lab {

struct Mutant {
  u32 line;
  std::string edit;  // what the edit did: "the CAS is a load and a store"
  std::string text;  // the whole file
};
std::vector<Mutant> mutants_of(std::string_view text);

}  // namespace keyhole::lab
