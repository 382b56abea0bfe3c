// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Mutants of a lock: its file with one edit each, by rule. The model checker should find something in each. A
// mutant that survives is no mistake in the lock: no scenario needs the edited place, because the checker's memory is
// that of x86.
//
//   order      acq_rel, acquire, release, seq_cst      -> relaxed
//   fence      fence();                                -> nothing
//   CAS        cell.cas(old, new, order), cell->cas     -> a load, then a store
//   wake-up    gate.open(...), crowd.changed(...), lab::wake<W>(...)   -> nothing
//
// M1: an edit stays within its line, so lines of scripts are those of the author's file.
// M2: the text of comments is not edited.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/types.h"

namespace keyhole::lab {

struct Mutant {
  u32 line;
  std::string edit;  // "the CAS is a load and a store"
  std::string text;  // the whole file
};
std::vector<Mutant> mutants_of(std::string_view text);

}  // namespace keyhole::lab
