// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Header word: an object's header as an operand of machine code, as wide as in this VM's layout
// (runtime/object/layout.h).
//
// On x86-64 an instruction on the lower half of a register clears the upper half: a word loaded through header_part can
// be compared and shifted as a whole, and klass_shift leaves the klass id in every layout that has it in the word.
#pragma once

#include "jit/baseline/registers.h"
#include "runtime/object/layout.h"

namespace keyhole::baseline {

inline Mem header_of(Gp object) { return x86::ptr(object, 0, sizeof(layout::Word)); }
// The part of a register that holds a header word.
inline Gp header_part(Gp word) { return sized(word, sizeof(layout::Word) == 8); }
// The 64 bits that displacing algorithms read and write. Their snippets exist only where the header word has 64 bits
// (locks/lock_snippets.cpp).
inline Mem wide_header_of(Gp object) { return x86::qword_ptr(object); }

}  // namespace keyhole::baseline
