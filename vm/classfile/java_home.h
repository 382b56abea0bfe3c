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

// Whether a folder is the home of a JDK: has lib/modules.
bool has_image(const std::string& home);

// A JDK whose class library Keyhole runs on: there is an overlay for its release.
struct Library {
  u32 release;
  std::string home;
};
// The libraries in the usual places and those that ./keyhole --fetch-library has downloaded, the newest first.
std::vector<Library> installed_libraries();

// The folder of downloaded libraries. It also has the compiler that they lack: javac/javac.jar and api.jar.
std::string fetched_libraries();

// The release of the JDK in `home`, 17 of 17.0.15; 0 if its file `release` does not say.
u32 release_of(const std::string& home);

// The JDK to use: `wanted` (-Djava.home), the library of the home that the executable was started from,
// $KEYHOLE_JAVA_HOME, that of `java` on PATH if it is one of ours, else the newest of the installed libraries. A home
// of Keyhole stands for its library. Empty: no library was found. An explicitly named one need not exist.
std::string find_library(const std::string& wanted);

// The home for a library, made at its first use: `home` beside the executable for the default library; for another
// one home-<hash> there or, if that cannot be written, in the user's cache. If it cannot be made anywhere: the library
// itself.
std::string home_over(const std::string& library);

// The user's cache, for things that can be made again: homes, compiled source files. Empty: no place for one.
std::string cache_folder();

// Keyhole's part of the class library of a release: $KEYHOLE_OVERLAY, or keyhole-overlay-<release>.jar beside (or one
// above) the executable. It need not exist: a build makes those of the libraries that it finds.
std::string find_overlay(u32 release);

// The name of the tool that was started out of a home's bin folder: "java", "jshell" ...; empty when it was none.
std::string invoked_tool();

// The path by which this process was started. First called before there are threads: it may be in the environment, and
// is removed from there.
const std::string& path_of_invocation();
// Passes it to the executable that is about to replace this process.
void hand_on_invocation();

}  // namespace keyhole
