// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Names of signals, their handlers, and the pending counts between handler and dispatcher.
#include "classlib/natives/java.base/misc/signal.h"

#include <semaphore.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <string_view>

#include "vm/link/linker.h"
#include "vm/link/strings.h"

namespace keyhole::natives {

namespace {

struct NamedSignal {
  std::string_view name;
  i32 number;
};
constexpr NamedSignal named_signals[] = {
    {"HUP", SIGHUP},   {"INT", SIGINT},       {"QUIT", SIGQUIT},     {"ILL", SIGILL},   {"TRAP", SIGTRAP},
    {"ABRT", SIGABRT}, {"IOT", SIGABRT},      {"BUS", SIGBUS},       {"FPE", SIGFPE},   {"KILL", SIGKILL},
    {"USR1", SIGUSR1}, {"SEGV", SIGSEGV},     {"USR2", SIGUSR2},     {"PIPE", SIGPIPE}, {"ALRM", SIGALRM},
    {"TERM", SIGTERM}, {"STKFLT", SIGSTKFLT}, {"CHLD", SIGCHLD},     {"CLD", SIGCHLD},  {"CONT", SIGCONT},
    {"STOP", SIGSTOP}, {"TSTP", SIGTSTP},     {"TTIN", SIGTTIN},     {"TTOU", SIGTTOU}, {"URG", SIGURG},
    {"XCPU", SIGXCPU}, {"XFSZ", SIGXFSZ},     {"VTALRM", SIGVTALRM}, {"PROF", SIGPROF}, {"WINCH", SIGWINCH},
    {"POLL", SIGPOLL}, {"IO", SIGIO},         {"PWR", SIGPWR},       {"SYS", SIGSYS},
};
constexpr i32 signal_count = 65;

// Java's numbers for handlers, which Signal.handle0 takes and returns.
constexpr i64 handler_default = 0, handler_ignore = 1, handler_java = 2, handler_refused = -1;

std::atomic<u32> pending[signal_count];
sem_t arrived;
const bool arrived_initialized = sem_init(&arrived, 0, 0) == 0;

void on_signal(int number) {
  int saved = errno;
  pending[number].fetch_add(1, std::memory_order_relaxed);
  sem_post(&arrived);
  errno = saved;
}

void set_action(i32 number, void (*handler)(int)) {
  struct sigaction action = {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  sigfillset(&action.sa_mask);
  sigaction(number, &action, nullptr);
}

}  // namespace

bool reduces_signal_usage = false;

void catch_signal(i32 number) { set_action(number, on_signal); }

i32 wait_for_signal() {
  for (;;) {
    while (sem_wait(&arrived) != 0) {
    }
    for (i32 number = 1; number < signal_count; ++number) {
      u32 count = pending[number].load(std::memory_order_relaxed);
      while (count != 0) {
        if (pending[number].compare_exchange_weak(count, count - 1, std::memory_order_relaxed)) return number;
      }
    }
  }
}

i32 Signal_findSignal0(JavaThread*, Handle name) {
  if (name.is_null()) return -1;
  std::string text = string_to_utf8(name.get());
  for (const NamedSignal& signal : named_signals) {
    if (signal.name == text) return signal.number;
  }
  return -1;
}

i64 Signal_handle0(JavaThread*, i32 number, i64 handler) {
  if (number <= 0 || number >= signal_count) return handler_refused;
  switch (number) {
    case SIGILL:
    case SIGFPE:
    case SIGSEGV:  // the VM's own
      return handler_refused;
    case SIGQUIT:
      if (!reduces_signal_usage) return handler_refused;
      break;
    case SIGHUP:
    case SIGINT:
    case SIGTERM:
      if (reduces_signal_usage) return handler_refused;
      break;
    default: break;
  }
  struct sigaction old = {};
  if (sigaction(number, nullptr, &old) != 0) return handler_refused;
  bool ignored = old.sa_handler == SIG_IGN;
  // If the process was started with these signals ignored (nohup), they stay ignored.
  if (ignored && handler == handler_java && (number == SIGHUP || number == SIGINT || number == SIGTERM))
    return handler_ignore;
  switch (handler) {
    case handler_default: set_action(number, SIG_DFL); break;
    case handler_ignore: set_action(number, SIG_IGN); break;
    case handler_java: catch_signal(number); break;
    default: set_action(number, reinterpret_cast<void (*)(int)>(handler)); break;
  }
  if (old.sa_handler == on_signal) return handler_java;
  if (old.sa_handler == SIG_DFL) return handler_default;
  if (ignored) return handler_ignore;
  return reinterpret_cast<i64>(old.sa_handler);
}

void Signal_raise0(JavaThread*, i32 number) { raise(number); }

}  // namespace keyhole::natives
