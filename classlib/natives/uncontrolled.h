// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The end of a controlled VM whose program does what no schedule can repeat: it starts a process, opens a socket, or
// changes a file. In any other VM these checks are one comparison.
#pragma once

#include "vm/metadata/instance_klass.h"

namespace keyhole::natives::uncontrolled {

// Called when a native method is linked, which is at its first call: ends the exploration if it is in uncontrolled.def.
void check_link(const JavaThread* thread, const Method* method);
// Called before a file is opened: ends the exploration if it may be written, or has random bytes.
void check_open(const JavaThread* thread, const std::string& path, int flags);

}  // namespace keyhole::natives::uncontrolled
