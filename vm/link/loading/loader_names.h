// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Loaders and modules as HotSpot's messages name them.
#pragma once

#include <string>

#include "vm/link/loading/loader_data.h"
#include "vm/metadata/external_names.h"

namespace keyhole {

// "'bootstrap'", "'app'", "Loader @1b2c3d".
std::string loader_name_and_id(const LoaderData* loader) TOUCHES_OBJECTS;
std::string module_name(const Klass* klass) TOUCHES_OBJECTS;  // empty if it is the unnamed module
bool same_module(const Klass* a, const Klass* b) TOUCHES_OBJECTS;
// "A is in unnamed module of loader 'app'", "java.lang.String is in module java.base of loader 'bootstrap'".
std::string class_in_module_of_loader(const Klass* klass, bool with_verb = true, bool with_parent_loader = false)
    TOUCHES_OBJECTS;
// The end of an access error for two classes: "A and B are in unnamed module of loader 'app'" or both apart, joined by
// "; ".
std::string both_in_module_of_loader(const Klass* from, const Klass* target) TOUCHES_OBJECTS;

}  // namespace keyhole
