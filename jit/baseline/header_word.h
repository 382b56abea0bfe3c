// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Header word: an object's header word as an operand of machine code, with the width that it has in this VM's layout
// (runtime/object/layout.h).
//
// On x86-64 an instruction on the lower half of a register clears the upper half. So a word that is loaded through
// header_part can be compared and shifted as a 64-bit word. A shift by klass_shift leaves the klass id, in every layout
// that has the klass id in the header word.
#pragma once

#include "jit/baseline/registers.h"
#include "runtime/object/layout.h"

namespace keyhole::baseline {

inline Mem header_of(Gp object) { return x86::ptr(object, 0, sizeof(layout::Word)); }
// Returns the part of a register that holds a header word.
inline Gp header_part(Gp word) { return sized(word, sizeof(layout::Word) == 8); }
// Returns the operand for the 64-bit header word that displacing algorithms read and write. Their snippets exist only
// in layouts whose header word has 64 bits (locks/lock_snippets.cpp).
inline Mem wide_header_of(Gp object) { return x86::qword_ptr(object); }

}  // namespace keyhole::baseline
