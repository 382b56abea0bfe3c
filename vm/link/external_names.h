// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Classes, methods and loaders as HotSpot's messages name them.
#pragma once

#include <string>

#include "vm/link/loader_data.h"

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

// "'bootstrap'", "'app'", "Loader @1b2c3d".
std::string loader_name_and_id(const LoaderData* loader) TOUCHES_OBJECTS;
std::string module_name(const Klass* klass) TOUCHES_OBJECTS;   // empty: the unnamed module
bool same_module(const Klass* a, const Klass* b) TOUCHES_OBJECTS;
// "A is in unnamed module of loader 'app'", "java.lang.String is in module java.base of loader 'bootstrap'".
std::string class_in_module_of_loader(const Klass* klass, bool with_verb = true, bool with_parent_loader = false)
    TOUCHES_OBJECTS;
// The end of an access error for two classes: "A and B are in unnamed module of loader 'app'" or both apart, joined by
// "; ".
std::string both_in_module_of_loader(const Klass* from, const Klass* target) TOUCHES_OBJECTS;

}  // namespace keyhole
