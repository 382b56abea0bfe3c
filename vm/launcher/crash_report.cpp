// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The crash report, section by section.
//
// A fault inside a section enters the handler again on the same thread: the handler then continues with the next
// section and never returns. Other threads that crash meanwhile wait for the end of the process.
#include "vm/launcher/crash_report.h"

#include <cxxabi.h>
#include <execinfo.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <typeinfo>

#include "gc/heap/heap.h"
#include "jit/baseline/baseline.h"
#include "runtime/base/check.h"
#include "runtime/base/flags.h"
#include "runtime/base/held_locks.h"
#include "runtime/base/platform/event_ring.h"
#include "runtime/base/process/executable_symbols.h"
#include "runtime/base/process/perf_data.h"
#include "runtime/base/safe_state.h"
#include "runtime/object/klass.h"
#include "runtime/recorder/recorder.h"
#include "runtime/threads/mapped_files.h"
#include "runtime/threads/threads.h"
#include "runtime/threads/threads_internal.h"
#include "vm/frames/layout/virtual_frame.h"
#include "vm/launcher/error_commands.h"
#include "vm/metadata/instance_klass.h"
#include "vm/metadata/method.h"

namespace keyhole {

namespace {

struct Crash {
  const char* message = nullptr;  // the message of fatal(); null: a signal
  int signal = 0;
  const void* pc = nullptr;
  const void* address = nullptr;
};

Crash crash;
std::atomic<i32> reporting_thread{0};  // 0, or the OS id of the thread that writes the report
volatile int next_section = 0;
int log_file = -1;
char log_name[PATH_MAX];  // ErrorFile or the default; chosen at start
bool to_stderr = true;    // the current section goes to stderr and the file; false: to the file only
alignas(16) char signal_stack[64_KiB];

void emit(const char* text, usize length) {
  if (to_stderr && write(STDERR_FILENO, text, length) < 0) {
  }
  if (log_file >= 0 && write(log_file, text, length) < 0) {
  }
}

[[gnu::format(printf, 1, 2)]] void line(const char* format, ...) {
  char text[512];
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  if (length <= 0) return;
  emit(text, std::min(static_cast<usize>(length), sizeof text - 1));
}

const char* signal_name(int number) {
  switch (number) {
    case SIGSEGV: return "SIGSEGV";
    case SIGBUS: return "SIGBUS";
    case SIGILL: return "SIGILL";
    case SIGFPE: return "SIGFPE";
    case SIGABRT: return "SIGABRT";
    default: return "signal";
  }
}

const char* state_name(ThreadState state) {
  switch (state) {
    case ThreadState::New: return "new";
    case ThreadState::InJava: return "in_java";
    case ThreadState::InVM: return "in_vm";
    case ThreadState::InNative: return "in_native";
    case ThreadState::Blocked: return "blocked";
    case ThreadState::Terminated: return "terminated";
  }
  return "?";
}

void print_symbol(const Symbol* symbol, char* out, usize size) {
  usize length = std::min<usize>(symbol->length(), size - 1);
  for (usize i = 0; i < length; ++i)
    out[i] = (*symbol)[static_cast<u32>(i)] == '/' ? '.' : (*symbol)[static_cast<u32>(i)];
  out[length] = '\0';
}

// --- sections --------------------------------------------------------------------------------------------------------

void section_header() {
  line("#\n# A fatal error has been detected by Keyhole:\n#\n");
  if (crash.message != nullptr) line("#  %s\n#\n", crash.message);
  else {
    line("#  %s (%d) at pc=%p, pid=%d, tid=%d, address=%p\n#\n", signal_name(crash.signal), crash.signal, crash.pc,
         getpid(), gettid(), crash.address);
  }
}

void section_native_frames() {
  line("\nNative frames:\n");
  void* frames[64];
  int count = backtrace(frames, 64);
  const ExecutableSymbols symbols;
  if (to_stderr) symbols.write_frames(frames, count, STDERR_FILENO);
  if (log_file >= 0) symbols.write_frames(frames, count, log_file);
}

void print_java_frames(JavaThread* thread, u32 limit) {
  u32 count = 0;
  for (const VirtualFrame& activation : virtual_frames(thread)) {
    if (count++ == limit) break;
    const Method* method = activation.method();
    i32 bci = activation.bci();
    char holder[192], name[128];
    print_symbol(method->holder->name, holder, sizeof holder);
    print_symbol(method->name, name, sizeof name);
    line("  %s.%s, bci %d, line %d\n", holder, name, bci, method->line_of(static_cast<u32>(bci)));
  }
}

void section_current_thread() {
  JavaThread* thread = threads::current_or_null();
  if (thread == nullptr) {
    line("\nCurrent thread: not a Java thread, nid %d\n", gettid());
    return;
  }
  line("\nCurrent thread: %p id %llu nid %d %s\n", static_cast<void*>(thread),
       static_cast<unsigned long long>(thread->id), thread->carrier->os_id,
       state_name(thread->state.load(std::memory_order_relaxed)));
  line("Java stack: [%p, %p), limit %p\n", static_cast<void*>(thread->stack.java_base),
       static_cast<void*>(thread->stack.java_end), static_cast<void*>(thread->stack.java_limit));
  line("Java frames:\n");
  print_java_frames(thread, 48);
}

void print_held(const char* what, Object* object) TOUCHES_OBJECTS {
  if (object == nullptr) return;
  char name[160] = "?";
  if (heap::contains(object)) print_symbol(object->klass()->name, name, sizeof name);
  line("    %s %p (a %s)\n", what, static_cast<void*>(object), name);
}

// These two are exempt from the thread safety analysis: the crashed thread may hold the list's lock, so they read
// without it.
void section_threads() NO_THREAD_SAFETY_ANALYSIS {
  line("\nThreads (a safepoint is %sin progress):\n", threads::internal::protocol.in_progress() ? "" : "not ");
  u32 count = 0;
  for (JavaThread* thread = threads::internal::first_thread; thread != nullptr && count < 1000;
       thread = thread->next, ++count) {
    line("  %p id %llu nid %d %s status 0x%x poll %u%s%s\n", static_cast<void*>(thread),
         static_cast<unsigned long long>(thread->id), thread->carrier->os_id,
         state_name(thread->state.load(std::memory_order_relaxed)),
         static_cast<u32>(thread->status.load(std::memory_order_relaxed)), thread->poll.load(std::memory_order_relaxed),
         thread->vm_name != nullptr ? " " : "", thread->vm_name != nullptr ? thread->vm_name : "");
    for (u32 i = 0; i < thread->lock_stack_top && i < JavaThread::lock_stack_capacity; ++i)
      print_held("lock stack:", thread->lock_stack[i]);
    for (u32 i = 0; i < thread->lock_record_top && i < 64; ++i)
      print_held("lock record:", thread->lock_records[i].object);
    if (thread->blocked_on.load(std::memory_order_relaxed) != nullptr)
      line("    blocked on monitor %p\n", static_cast<void*>(thread->blocked_on.load(std::memory_order_relaxed)));
    if (thread->waiting_on.load(std::memory_order_relaxed) != nullptr)
      line("    waiting on monitor %p\n", static_cast<void*>(thread->waiting_on.load(std::memory_order_relaxed)));
  }
}

void section_other_java_frames() NO_THREAD_SAFETY_ANALYSIS {
  to_stderr = false;  // long: file only
  line("\nJava frames of the other threads:\n");
  u32 count = 0;
  for (JavaThread* thread = threads::internal::first_thread; thread != nullptr && count < 100;
       thread = thread->next, ++count) {
    if (thread == threads::current_or_null()) continue;
    line("  thread %p id %llu:\n", static_cast<void*>(thread), static_cast<unsigned long long>(thread->id));
    print_java_frames(thread, 24);
  }
}

void section_heap() {
  line("\nHeap: %llu of %llu bytes used, %llu collections\n", static_cast<unsigned long long>(heap::used_bytes()),
       static_cast<unsigned long long>(heap::capacity_bytes()),
       static_cast<unsigned long long>(heap::collection_count()));
  if (log_file < 0) return;
  FILE* out = fdopen(dup(log_file), "w");
  if (out == nullptr) return;
  heap::print_region_table(out);
  fclose(out);
}

void section_events() {
  line("\nLast events:\n");
  if (log_file >= 0) events::print_to(log_file);
}

void section_maps() {
  line("\nMemory map:\n");
  int maps = open("/proc/self/maps", O_RDONLY);
  if (maps < 0) return;
  char buffer[4096];
  for (ssize_t length; (length = read(maps, buffer, sizeof buffer)) > 0;) emit(buffer, static_cast<usize>(length));
  close(maps);
}

void section_footer() {
  to_stderr = true;
  if (log_file >= 0) line("\n# This report is in %s, with more of it.\n#\n", log_name);
}

void (*const sections[])() = {
    section_header,
    section_current_thread,
    section_native_frames,
    section_threads,
    section_other_java_frames,
    section_heap,
    section_events,
    section_maps,
    recorder::save_at_crash,
    section_footer,
    run_error_commands,
};

void write_report() {
  held_locks::ignore_from_now_on();
  safe_state::left();
  if (next_section == 0) {
    log_file = open(log_name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    for (const char* folder = ""; log_file < 0 && folder != nullptr; folder = *folder == '\0' ? "/tmp/" : nullptr) {
      snprintf(log_name, sizeof log_name, "%skeyhole_err_pid%d.log", folder, getpid());
      log_file = open(log_name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    }
    if (crash.message != nullptr) to_stderr = false;  // fatal() has already printed the header on stderr
  } else {
    line("\n(this section faulted and was cut off)\n");
  }
  while (next_section < static_cast<int>(std::size(sections))) {
    int section = next_section;
    next_section = section + 1;  // before it runs: if it faults, the nested handler continues after it
    sections[section]();
    if (section == 0) to_stderr = true;
  }
}

// True for the thread that writes the report, also when a fault makes it enter the handler again.
bool take_report() {
  i32 none = 0, self = gettid();
  return reporting_thread.compare_exchange_strong(none, self) || none == self;
}

[[noreturn]] void die() {
  signal(SIGABRT, SIG_DFL);
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGABRT);
  pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
  abort();
}

void on_fatal_signal(int number, siginfo_t* information, void* context) {
  greg_t& pc = static_cast<ucontext_t*>(context)->uc_mcontext.gregs[REG_RIP];
  if (uptr next = static_cast<uptr>(pc);
      number == SIGSEGV && baseline::resume_after_fault(reinterpret_cast<uptr>(information->si_addr), &next)) {
    pc = static_cast<greg_t>(next);
    return;
  }
  if (number == SIGBUS && information->si_code == BUS_ADRERR) {
    uptr accessed = reinterpret_cast<uptr>(information->si_addr);
    JavaThread* thread = threads::current_or_null();
    if (thread != nullptr && mapped_files::hide_page(thread, accessed)) return;
    if (perf_data::goes_on_without_file(accessed)) return;
  }
  if (!take_report()) {
    for (;;) pause();
  }
  if (next_section == 0) {
    crash.signal = number;
    crash.address = information->si_addr;
    crash.pc = reinterpret_cast<const void*>(pc);
  }
  write_report();
  die();
}

void on_fatal_error(const char* message) {
  if (!take_report()) {
    for (;;) pause();
  }
  if (next_section != 0) return;  // a check failed inside the report
  crash.message = message;
  write_report();
  die();
}

// The C++ library throws when memory is exhausted, and no code here catches the exception. java prints this text and
// exits with the same code.
[[noreturn]] void on_uncaught_exception() {
  const std::type_info* type = abi::__cxa_current_exception_type();
  if (type == nullptr || strcmp(type->name(), "St9bad_alloc") != 0) abort();
  constexpr char text[] =
      "#\n# There is insufficient memory for the Java Runtime Environment to continue.\n# Native memory allocation "
      "(malloc) failed.\n#\n";
  [[maybe_unused]] ssize_t written = write(STDERR_FILENO, text, sizeof text - 1);
  _exit(1);
}

}  // namespace

void report_exhausted_memory() { std::set_terminate(on_uncaught_exception); }

void install_crash_report(const std::string& commands_on_error) {
  prepare_error_commands(commands_on_error);
  std::string name = flags::ErrorFile.empty() ? "keyhole_err_pid%p.log" : flags::ErrorFile;
  for (usize at = 0; (at = name.find("%p", at)) != std::string::npos;) name.replace(at, 2, std::to_string(getpid()));
  name.copy(log_name, sizeof log_name - 1);
  crash_report_hook = on_fatal_error;
  // backtrace() loads libgcc at its first call. That allocates, which is unsafe when the C heap may be corrupt, and
  // takes a millisecond. So it is called only in the crash, when the sections before have been written.
  stack_t stack = {};
  stack.ss_sp = signal_stack;
  stack.ss_size = sizeof signal_stack;
  sigaltstack(&stack, nullptr);
  struct sigaction action = {};
  action.sa_sigaction = on_fatal_signal;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  sigemptyset(&action.sa_mask);
  for (int number : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT}) sigaction(number, &action, nullptr);
}

}  // namespace keyhole
