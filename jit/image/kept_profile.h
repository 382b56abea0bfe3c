// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Kept profile: a method's profile (vm/interpreter/method_data.h) as bytes that the next run reads.
//
// Counts are hints (method_data.h P1), so wrong counts do no harm. A profile must fit the method's bytecodes; therefore
// the method's name in the image contains a hash of the bytecodes. Receiver classes are kept by name. If a class is
// hidden, or not loaded when the profile is read, its count is added to the count of unknown classes.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "vm/metadata/method.h"

namespace keyhole::image {

// Returns the method's name in the image, for example "java/lang/String.length ()I 1f0e3dad99908345". The name is the
// same in each run, except for methods of hidden classes. Its last word is a hash of the bytecodes and the exception
// table. So if the image has bcis under this name, they are valid for the method.
std::string name_of(const Method* method);
// The parts of a method's name in the image, as views into the name.
struct NameParts {
  std::string_view holder, name, descriptor;
};
std::optional<NameParts> parts_of_name(std::string_view name);

// Returns the method's profile as bytes. The method must have MethodData. profile_to_bytes and make_profile are called
// on a managed thread and reach no safepoint.
std::string profile_to_bytes(const Method* method);
// Makes the method's MethodData from the bytes of a profile. Returns false if the method has MethodData already, or if
// the profile does not fit the method. The method must have its pre-decoded instructions.
bool make_profile(Method* method, std::string_view bytes);

}  // namespace keyhole::image
