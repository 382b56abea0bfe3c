// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Bytecode as text, for diagnostics: the form of `javap -c`, with the constants spelled out.
//
//   4: invokevirtual #12 java/lang/String.length()I
//   7: if_icmplt 23
#pragma once

#include <string>

#include "vm/metadata/method.h"

namespace keyhole {

// The instruction at bci, without the bci. Malformed code is shown as far as it goes.
std::string disassemble(const Method* method, u32 bci);
// The whole method: one line per instruction, then the exception table.
std::string disassemble(const Method* method);

}  // namespace keyhole
