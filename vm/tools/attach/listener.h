// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The attach listener: the socket /tmp/.java_pidN to which tools connect, and the thread "Attach Listener" that serves
// it.
//
//   tool                                         VM
//   makes .attach_pidN in the VM's working
//   folder or in /tmp, sends SIGQUIT             Signal Dispatcher: start_if_asked() binds the socket, starts the
//                                                thread
//   sees /tmp/.java_pidN, removes its file
//   connects, writes a request                   Attach Listener: checks the user, reads, performs, answers, closes
//
// Without the file .attach_pidN, SIGQUIT requests a thread dump. The socket exists until the process ends. If somebody
// removes it, the SIGQUIT of the next tool creates a new one.
#pragma once

#include "runtime/threads/java_thread.h"

namespace keyhole::attach {

// Called while the VM boots, as soon as threads can start. Removes the socket of a dead process that had the same
// process id. With -XX:+StartAttachListener, starts the listener. Returns false if an exception is pending.
[[nodiscard]] bool initialize_listener(JavaThread* thread) MAY_SAFEPOINT;
// Called after SIGQUIT. Returns true if a tool sent the signal, so that no thread dump is printed.
bool start_if_asked(JavaThread* thread) MAY_SAFEPOINT;
// Called when the process ends.
void remove_socket();

}  // namespace keyhole::attach
