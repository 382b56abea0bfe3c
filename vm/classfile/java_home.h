// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Two folders: the library, which is the JDK whose lib/modules is read, and the home, which is Java's java.home.
//
//   home/bin/java      Keyhole; also jshell, because it runs the user's code
//   home/bin/*         the library's tools
//   home/lib, conf ... symbolic links to the library's
//
// Programs start further VMs as <java.home>/bin/java: with the library's own folder as java.home, these would be
// another VM. A home belongs to one library and one executable; VMs started from it (JAVA_HOME=.../home) use that
// library.
#pragma once

#include <string>
#include <vector>

#include "runtime/base/types.h"

namespace keyhole {

// Returns whether the folder is the home of a JDK, that is, has lib/modules.
bool has_image(const std::string& home);

// A JDK on whose class library Keyhole runs, because there is an overlay for its release.
struct Library {
  u32 release;
  std::string home;
};
// Lists the libraries in the usual places and those that ./keyhole --fetch-library has downloaded, the newest first.
std::vector<Library> installed_libraries();

// The folder of downloaded libraries. It also has the compiler that they lack: javac/javac.jar and api.jar.
std::string fetched_libraries();

// The release of the JDK in `home`: 17 for 17.0.15; 0 if its file `release` does not say.
u32 release_of(const std::string& home);

// Finds the JDK to use, in this order: `wanted` (-Djava.home); the library of the home that the executable was started
// from; $KEYHOLE_JAVA_HOME; that of `java` on PATH, if its release is supported; the newest installed library. A home
// of Keyhole stands for its library. Empty: no library was found. An explicitly named one need not exist.
std::string find_library(const std::string& wanted);

// Returns the home for a library, and makes it at its first use: `home` beside the executable for the default library;
// for another library home-<hash> there or, if that cannot be written, in the user's cache. If no home can be made,
// returns the library itself.
std::string home_over(const std::string& library);

// The user's cache, for files that can be made again: homes, compiled source files. Empty: there is no place for it.
std::string cache_folder();

// Finds the overlay, Keyhole's part of the class library of a release: $KEYHOLE_OVERLAY, or
// keyhole-overlay-<release>.jar in the executable's folder or the one above. It need not exist: a build makes overlays
// for the libraries that it finds.
std::string find_overlay(u32 release);

// The name of the tool, if the process was started from a home's bin folder: "java", "jshell" ...; otherwise empty.
std::string invoked_tool();

// The path by which this process was started. The first call is made before there are other threads, because it may
// read the path from the environment and remove it there.
const std::string& path_of_invocation();
// Passes that path to the executable that is about to replace this process.
void hand_on_invocation();

}  // namespace keyhole
