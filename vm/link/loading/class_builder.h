// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// From a parsed class and its loaded supertypes to an InstanceKlass with id, tables and field offsets, but no mirror
// yet.
#pragma once

#include <span>
#include <string>

#include "vm/classfile/class_file_parser.h"
#include "vm/link/loading/loader_data.h"

namespace keyhole {

struct BuildResult {
  InstanceKlass* klass = nullptr;
  std::string incompatible;  // text of the IncompatibleClassChangeError when klass is null
};

// Builds the class in the memory of `unit`. The caller holds the loader's mutex.
BuildResult build_class(ParsedClass& parsed, ClassUnit& unit, InstanceKlass* super,
                        std::span<InstanceKlass* const> interfaces, bool hidden);

}  // namespace keyhole
