// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Messages for a class that cannot be run, as java's launcher and its source launcher word them.
#pragma once

#include <string>

namespace keyhole {

// Reasons why a class cannot be run. Those after `Abstract` occur only with libraries whose main method need not be
// static (from 25 on). `class_name` has dots.
enum class MainProblem { Missing, NotStatic, NotVoid, Abstract, Inner, NoConstructor };

std::string text_of(MainProblem problem, const std::string& class_name, bool from_source_file);

}  // namespace keyhole
