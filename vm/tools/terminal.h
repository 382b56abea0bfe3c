// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Output for a terminal: texts of at most 80 columns, so that they are readable over ssh, and colours if they are
// wanted.
#pragma once

#include <string>
#include <string_view>

#include "runtime/base/types.h"

namespace keyhole {

constexpr usize terminal_columns = 80;

// Lines that are short enough, unless a word is too long; those after the first begin with `indentation`.
std::string wrapped(std::string_view text, std::string_view indentation);

// A terminal, unless the user wants none (NO_COLOR) or it has none (TERM=dumb).
bool has_colours(int file_descriptor);

}  // namespace keyhole
