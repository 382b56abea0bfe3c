// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds the line of the program that a thread executes: the line of its innermost frame outside the boot loader's
// classes.
#pragma once

#include <string>

#include "runtime/threads/java_thread.h"

namespace keyhole {

class Method;

// Returns "Overdraw.java:4", or "Overdraw.java" if the line is unknown. Empty if the thread runs no code of the
// program.
std::string application_place(const JavaThread* thread);
std::string place_text(const Method* method, i32 bci);
// Returns "Bank.pay(Bank.java:12) bci 4", as in recordings.
std::string site_text(const Method* method, i32 bci);

}  // namespace keyhole
