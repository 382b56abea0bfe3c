// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The manifest as java's launcher reads it. For java -jar the launcher reads it before there is a library, and calls
// the jar corrupt when it cannot. Its reader differs from java.util.zip's and java.util.jar's in both directions:
//
//                             the launcher                           the library
//   end record                a comment of any length if the file    a longer comment than the file has: not a zip file
//                             ends with the record's 22 bytes
//   directory                 read only up to the manifest, whose    checked whole
//                             entry must end before the file does
//   name of the manifest      in this case only                      in any case
//   several manifests         the first one                          the last one
//   a stored manifest         all of its stored bytes                as many bytes as its size says
//   a manifest's sections     the first one                          all
#pragma once

#include <string>

namespace keyhole {

// Returns whether the launcher finds a manifest in the jar, and attributes in the manifest's first section.
bool launcher_accepts(const std::string& jar);

}  // namespace keyhole
