// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The signals of threads that belong to the VM alone.
#pragma once

#include <signal.h>

namespace keyhole {

// A scope in which the calling thread blocks all signals except those of faults; threads that it creates inherit that.
// All other signals are for Java threads and the signal dispatcher. A fault whose signal is blocked ends the process
// without a crash report.
class ServiceSignals {
 public:
  ServiceSignals() {
    sigset_t blocked;
    sigfillset(&blocked);
    for (int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT}) sigdelset(&blocked, fault);
    pthread_sigmask(SIG_BLOCK, &blocked, &before_);
  }
  ~ServiceSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  ServiceSignals(const ServiceSignals&) = delete;
  ServiceSignals& operator=(const ServiceSignals&) = delete;

 private:
  sigset_t before_;
};

}  // namespace keyhole
