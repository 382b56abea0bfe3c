// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Stacks in a recording: a stack is its innermost site and the stack of its caller.
//
//   stack 31   "27 30"   Bank.pay(Bank.java:12) bci 4
//   stack 27   "9 26"      Bank.run(Bank.java:30) bci 9
//   stack 9    "0 8"         Main.main(Main.java:3) bci 2
//
// A stack is a text, so that equal stacks have one number, and stacks with the same callers share these callers. The
// text has two numbers: the stack of the caller, 0 if there is none, and the text of the site.
//
// T1: the number of a stack is greater than the number of its caller's stack, because the caller's stack gets its
//     number first. So a reader that refuses other stacks ends, whatever the file contains.
#pragma once

#include <span>
#include <vector>

#include "runtime/recorder/recording.h"

namespace keyhole::recorder {

// A stack has at most this number of sites. If the thread has more frames, only the innermost ones are recorded, and
// the outermost site is `truncated_site`.
inline constexpr usize most_sites = 1024;
inline constexpr std::string_view truncated_site = "[truncated]";

// Returns the number of the stack with these sites, innermost first.
u32 stack(std::span<const u32> sites);

// Returns the sites of a stack, outermost first. If the file is damaged, sites may be missing.
std::vector<u32> sites_of_stack(const Recording& recording, u32 stack);
// Returns the name of a site's method: "Bank.pay(Bank.java:12) bci 4" -> "Bank.pay".
std::string_view method_of_site(std::string_view site);

}  // namespace keyhole::recorder
