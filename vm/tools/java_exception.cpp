// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Calls the class library's Java code for uncaught exceptions, which prints to System.err.
#include "vm/tools/java_exception.h"

#include "runtime/base/print.h"
#include "vm/link/exceptions.h"
#include "vm/link/java_call.h"
#include "vm/link/linker.h"

namespace keyhole {

void print_stack_trace(JavaThread* thread, Handle exception) {
  Slot arguments[] = {slot_of(exception)};
  call_java_virtual(thread, find_method(exception->klass(), Symbol::intern("printStackTrace"), Symbol::intern("()V")),
                    arguments);
  if (has_exception(thread)) take_exception(thread);
}

void print_exception_of(JavaThread* thread, std::string_view thread_name) {
  HandleScope scope(thread);
  Handle exception = scope.make(take_exception(thread));
  fflush(stdout);
  print_text(stderr, "Exception in thread \"{}\" ", thread_name);
  fflush(stderr);
  print_stack_trace(thread, exception);
}

}  // namespace keyhole
