// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The dispatcher thread: waits for a caught signal, then prints a thread dump or calls Java.
#include "vm/launcher/signals.h"

#include <csignal>
#include <cstdio>

#include "classlib/natives/java.base/lang/thread_lifecycle.h"
#include "classlib/natives/java.base/misc/signal.h"
#include "runtime/base/controlled/system_calls.h"
#include "runtime/base/flags.h"
#include "runtime/threads/thread_state.h"
#include "vm/link/exceptions.h"
#include "vm/link/java_call.h"
#include "vm/link/linker.h"
#include "vm/tools/attach/listener.h"
#include "vm/tools/inspect/heap_inspection.h"
#include "vm/tools/inspect/thread_dump.h"

namespace keyhole {

namespace {

void dispatch_to_java(JavaThread* thread, i32 number) MAY_SAFEPOINT {
  Klass* signal = find_loaded_class(Symbol::intern("jdk/internal/misc/Signal"), boot_loader());
  if (signal == nullptr) return;
  Method* dispatch = find_method(signal, Symbol::intern("dispatch"), Symbol::intern("(I)V"));
  if (dispatch == nullptr) return;
  Slot arguments[] = {slot_of(number)};
  call_java(thread, dispatch, arguments);
}

void report_and_forget_exception(JavaThread* thread) MAY_SAFEPOINT {
  if (!has_exception(thread)) return;
  HandleScope scope(thread);
  print_throwable(thread, scope.make(take_exception(thread)));
}

void dispatch_signals(JavaThread* thread) MAY_SAFEPOINT {
  for (;;) {
    i32 number;
    {
      BlockedScope blocked(thread);
      number = natives::wait_for_signal();
    }
    bool print_histogram = false;
    if (number == SIGQUIT && attach::start_if_asked(thread)) continue;
    if (number == SIGQUIT) {
      std::string text = thread_dump(thread);
      NativeScope native(thread);  // stdout may be a full pipe
      fwrite(text.data(), 1, text.size(), stdout);
      fflush(stdout);
      print_histogram = flags::PrintClassHistogram;
    } else {
      dispatch_to_java(thread, number);
    }
    if (print_histogram) print_class_histogram(thread);
    report_and_forget_exception(thread);
  }
}

}  // namespace

bool start_signal_dispatcher(JavaThread* thread) {
  if (controlled::is_on()) return true;  // signals are the explorer's
  if (!natives::start_vm_thread(thread, "Signal Dispatcher", dispatch_signals)) return false;
  // SIGQUIT is caught only if there is a dispatcher.
  if (!natives::reduces_signal_usage) natives::catch_signal(SIGQUIT);
  return true;
}

}  // namespace keyhole
