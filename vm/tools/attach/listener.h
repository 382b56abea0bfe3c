// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The entry for tools: the socket /tmp/.java_pidN, and the thread "Attach Listener" that serves it.
//
//   tool                                         VM
//   makes .attach_pidN in the VM's working
//   folder or in /tmp, sends SIGQUIT             Signal Dispatcher: start_if_asked() binds the socket, starts the
//                                                thread
//   sees /tmp/.java_pidN, removes its file
//   connects, writes a request                   Attach Listener: checks the user, reads, performs, answers, closes
//
// Without the file SIGQUIT has its usual meaning. The socket stays until the process ends; if it was removed, the next
// tool's SIGQUIT makes a new one.
#pragma once

#include "runtime/threads/java_thread.h"

namespace keyhole::attach {

// Called while the VM boots, when threads can start. Removes the socket of a dead process with the same number. With
// -XX:+StartAttachListener starts the listener. False: an exception is pending.
[[nodiscard]] bool initialize_listener(JavaThread* thread) MAY_SAFEPOINT;
// Called after SIGQUIT. True: a tool sent it, so no thread dump is wanted.
bool start_if_asked(JavaThread* thread) MAY_SAFEPOINT;
// Called when the process ends.
void remove_socket();

}  // namespace keyhole::attach
