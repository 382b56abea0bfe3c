// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Why a class cannot be run: the words of java's launcher, and those of the one that runs source files.
#pragma once

#include <string>

namespace keyhole {

// `class_name` with dots. Of the kinds below `Abstract` only libraries have whose main method may be an instance's
// (from 25 on).
enum class MainProblem { Missing, NotStatic, NotVoid, Abstract, Inner, NoConstructor };

std::string text_of(MainProblem problem, const std::string& class_name, bool from_source_file);

}  // namespace keyhole
