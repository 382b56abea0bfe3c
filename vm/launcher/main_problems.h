// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Messages for a class that cannot be run, as java's launcher and its source launcher word them.
#pragma once

#include <string>

namespace keyhole {

// `class_name` with dots. Of the kinds below `Abstract` only libraries have whose main method may be an instance's
// (from 25 on).
enum class MainProblem { Missing, NotStatic, NotVoid, Abstract, Inner, NoConstructor };

std::string text_of(MainProblem problem, const std::string& class_name, bool from_source_file);

}  // namespace keyhole
