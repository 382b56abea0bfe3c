// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// An operation that requires a stopped world is called while the world runs.
#include "runtime/threads/asynchronous.h"

namespace keyhole {

void stop_thread(JavaThread* target, Object* exception) {
  asynchronous::request_exception(target, exception);  // error: requires holding the right 'MUTATOR' exclusively
}

}  // namespace keyhole
