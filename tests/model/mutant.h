// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Selects the part of a subject's or protocol's file that a mutant's object contains. The other parts are not compiled,
// which saves most of the compile time of a mutant.
//
// A mutant's file is compiled with the mutant's name in KEYHOLE_MODEL_MUTANT, and the subject's name in
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
