// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Kept profile: a method's profile (vm/interpreter/method_data.h) as bytes that the next run reads.
//
// Counts are hints (method_data.h P1), so a wrong profile does no harm as long as it fits the method's bytecodes, whose
// hash is in the method's name. Classes are kept by their names. The counts of a class that is hidden, or not loaded
// when the profile is read, are added to those of unknown classes.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "vm/metadata/method.h"

namespace keyhole::image {

// The method's name in the image, for example "java/lang/String.length ()I 1f0e3dad99908345". It is the same in each
// run, except for hidden classes. The number is a hash of the bytecodes and the exception table, so every bci that is
// kept under the name is one of these bytecodes.
std::string name_of(const Method* method);
// The parts of a method's name in the image, as pointers into it. None if the text is not such a name.
struct NameParts {
  std::string_view holder, name, descriptor;
};
std::optional<NameParts> parts_of_name(std::string_view name);

// The profile as bytes. The method must have MethodData. Called on a managed thread; this function and the next one
// reach no safepoint.
std::string profile_to_bytes(const Method* method);
// Makes the method's MethodData from the profile. Returns false if the method has MethodData already, or if the profile
// does not fit. The method must have its pre-decoded instructions.
bool make_profile(Method* method, std::string_view bytes);

}  // namespace keyhole::image
