// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Classes, types and methods as HotSpot's messages name them. vm/link/loading/loader_names.h has loaders and modules.
#pragma once

#include <string>
#include <string_view>

#include "vm/metadata/instance_klass.h"

namespace keyhole {

// Class.getName(): "java.lang.String", "[I", "Main$$Lambda$1/0x00007f..." for a hidden class.
std::string external_name(const Klass* klass);
// "class", "abstract class" or "interface".
const char* external_kind(const Klass* klass);
// "private ", "protected " or nothing: how a message names what may not be seen.
const char* visibility_in_words(u32 flags);
// "int[]", "java.lang.String", "void": a field descriptor as source has it.
std::string external_type(std::string_view descriptor);
// "void A.foo(int, java.lang.String)", for a method that need not exist; without a holder "void foo(...)".
std::string external_method_name(const Klass* holder, const Symbol* name, const Symbol* descriptor);

}  // namespace keyhole
