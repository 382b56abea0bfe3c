// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Classes, types and methods as HotSpot's messages name them. vm/link/loading/loader_names.h has loaders and modules.
#pragma once

#include <string>
#include <string_view>

#include "vm/metadata/instance_klass.h"

namespace keyhole {

// The name that Class.getName() returns: "java.lang.String", "[I", "Main$$Lambda$1/0x00007f..." for a hidden class.
std::string external_name(const Klass* klass);
// The kind of a class: "class", "abstract class" or "interface".
const char* external_kind(const Klass* klass);
// The visibility of a member in messages: "private ", "protected " or an empty text.
const char* visibility_in_words(u32 flags);
// A field descriptor as Java source writes the type: "int[]", "java.lang.String", "void".
std::string external_type(std::string_view descriptor);
// A method, which need not exist, in messages: "void A.foo(int, java.lang.String)"; "void foo(...)" without a holder.
std::string external_method_name(const Klass* holder, const Symbol* name, const Symbol* descriptor);

}  // namespace keyhole
