// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The entries of a method's LocalVariableTable and LocalVariableTypeTable attributes (JVMS 4.7.13, 4.7.14). They are
// collected while its Code is parsed, and compared when all of them have been read.
#pragma once

#include <vector>

#include "vm/classfile/parser.h"

namespace keyhole::classfile {

struct Parser::LocalVariableTables {
  std::vector<const u8*> plain, generic;  // entries of ten bytes
};

}  // namespace keyhole::classfile
