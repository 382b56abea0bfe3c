// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A method's profile (vm/interpreter/method_data.h) as bytes that the next run reads.
//
// Counts are hints (P1 there), so a profile needs no trust: it must only fit the method's bytecodes, whose hash is in
// the method's name. Classes are kept by their names. One that is not loaded when the profile is read, or is hidden,
// counts among the others.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "vm/metadata/method.h"

namespace keyhole::image {

// "java/lang/String.length ()I 1f0e3dad99908345": the same in each run, but for hidden classes. The number is a hash of
// the bytecodes and the exception table, so a bci that is kept under the name is one of these bytecodes.
std::string name_of(const Method* method);
// The parts of such a name; they point into it. None: it is not such a name.
struct NameParts {
  std::string_view holder, name, descriptor;
};
std::optional<NameParts> parts_of_name(std::string_view name);

// It has MethodData. Managed thread; reaches no safepoint, as all below.
std::string profile_to_bytes(const Method* method);
// Makes the method's MethodData, unless there is one: false, or when the profile does not fit. It must have its cells.
bool make_profile(Method* method, std::string_view bytes);

}  // namespace keyhole::image
