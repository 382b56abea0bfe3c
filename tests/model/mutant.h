// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The part of its file that a mutant's object contains: the subject or protocol that it is a mutant of. The others are
// not compiled, which is most of the time that a mutant takes.
//
// A mutant's file is compiled with its name in KEYHOLE_MODEL_MUTANT, and that of its subject in
// KEYHOLE_MODEL_MUTANT_OF.
#pragma once

#include <string_view>

namespace keyhole::model {

#ifdef KEYHOLE_MODEL_MUTANT
constexpr bool is_compiled(std::string_view name) { return name == KEYHOLE_MODEL_MUTANT_OF; }
#else
constexpr bool is_compiled(std::string_view) { return true; }
#endif

}  // namespace keyhole::model
