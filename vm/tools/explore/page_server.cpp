// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Implements the server's loop, its two signal handlers, and the futexes that connect it to the explorer. Rules:
// page_server.h.
#include "vm/tools/explore/page_server.h"

#include <errno.h>
#include <fmt/format.h>
#include <linux/futex.h>
#include <linux/rseq.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/rseq.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include <boost/context/detail/fcontext.hpp>
#include <cstdio>
#include <new>

#include "runtime/base/sanitizers.h"
#include "vm/tools/explore/raw_calls.h"

namespace keyhole::explore {

namespace context = boost::context::detail;

namespace {

constexpr char lets_pass = SYSCALL_DISPATCH_FILTER_ALLOW, traps = SYSCALL_DISPATCH_FILTER_BLOCK;
constexpr u32 spins = 400;  // spins for some ten microseconds, which is about the time that a futex wake-up takes

PageServer* server_here = nullptr;  // set before the image is taken, so that restore() keeps it

// The kernel's own struct sigaction, as the system call rt_sigaction expects it.
struct KernelAction {
  void (*handler)(int, siginfo_t*, void*);
  u64 flags;
  void (*restorer)();
  u64 mask;
};
constexpr u64 has_restorer = 0x04000000;
KernelAction former_fault_action;

i64 set_action(int signal, void (*handler)(int, siginfo_t*, void*), KernelAction* former) {
  KernelAction action{handler, SA_SIGINFO | SA_ONSTACK | SA_NODEFER | has_restorer, keyhole_raw_return_from_signal, 0};
  return raw_call(SYS_rt_sigaction, signal, &action, former, sizeof action.mask);
}

void wait_at(const std::atomic<u32>& cell, u32 value, u32 nanoseconds) {
  timespec limit{0, static_cast<long>(nanoseconds)};
  raw_call(SYS_futex, &cell, FUTEX_WAIT, value, &limit);
}
void wake_at(const void* cell) { raw_call(SYS_futex, cell, FUTEX_WAKE, 1); }

bool has_one_thread() {
  i64 tasks = raw_call(SYS_open, "/proc/self/status", 0);
  char text[4096];
  i64 bytes = raw_call(SYS_read, tasks, text, sizeof text - 1);
  raw_call(SYS_close, tasks);
  if (bytes <= 0) return false;
  text[bytes] = '\0';
  const char* at = strstr(text, "\nThreads:\t");
  return at != nullptr && strncmp(at, "\nThreads:\t1\n", 12) == 0;
}

// P4
bool end_rseq() {
  if (__rseq_size == 0) return true;
  char* area = static_cast<char*>(__builtin_thread_pointer()) + __rseq_offset;
  return raw_call(SYS_rseq, area, 32, RSEQ_FLAG_UNREGISTER, RSEQ_SIG) == 0;
}

}  // namespace

struct PageServerSignals {
  static void on_fault(int signal, siginfo_t* info, void* machine) {
    u64 address = reinterpret_cast<u64>(info->si_addr);
    MemoryImage& image = *server_here->image_;
    if (info->si_code == SEGV_ACCERR && (server_here->calls_.reopen(image, address) || image.handle_write(address)))
      return;
    server_here->check_limit();
    if ((former_fault_action.flags & SA_SIGINFO) != 0) return former_fault_action.handler(signal, info, machine);
    KernelAction none{};
    raw_call(SYS_rt_sigaction, signal, &none, nullptr, sizeof none.mask);
  }

  static void on_call(int, siginfo_t*, void* machine) {
    greg_t* registers = static_cast<ucontext_t*>(machine)->uc_mcontext.gregs;
    auto word = [&](int number) { return static_cast<u64>(registers[number]); };
    KernelCalls::Call call{registers[REG_RAX],
                           {word(REG_RDI), word(REG_RSI), word(REG_RDX), word(REG_R10), word(REG_R8), word(REG_R9)}};
    i64 result = 0;
    switch (server_here->calls_.perform(*server_here->image_, call, result)) {
      case KernelCalls::Effect::done:
        server_here->check_limit();
        registers[REG_RAX] = result;
        return;
      case KernelCalls::Effect::ends:
        if (server_here->at_end_ != nullptr) server_here->at_end_();
        server_here->end_execution(PageServer::Answer::ended, result);
      case KernelCalls::Effect::refused: server_here->end_execution(PageServer::Answer::refused, call.number);
    }
  }
};

bool PageServer::is_possible() {
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
  return false;
#else
  return true;
#endif
}

PageServer* PageServer::make() {
  MemoryImage* image = MemoryImage::make();
  void* memory =
      mmap(nullptr, sizeof(PageServer), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (image == nullptr || memory == MAP_FAILED) return nullptr;
  PageServer* server = new (memory) PageServer;
  server->image_ = image;
  return server;
}

void PageServer::destroy(PageServer* server) {
  MemoryImage::destroy(server->image_);
  munmap(server, sizeof(PageServer));
}

// Installs the signal handlers. Returns false if the machine lacks a needed feature.
bool PageServer::prepare() {
  if (!has_one_thread() || !end_rseq()) return false;
  calls_.begin();
  server_here = this;
  stack_t stack{.ss_sp = signal_stack_, .ss_flags = 0, .ss_size = stack_bytes};
  return raw_call(SYS_sigaltstack, &stack, nullptr) == 0 &&
         set_action(SIGSEGV, PageServerSignals::on_fault, &former_fault_action) == 0 &&
         set_action(SIGSYS, PageServerSignals::on_call, nullptr) == 0;
}

void PageServer::serve() {
  fflush(nullptr);
  output_bytes_ = raw_call(SYS_lseek, STDOUT_FILENO, 0, SEEK_END);
  errors_bytes_ = raw_call(SYS_lseek, STDERR_FILENO, 0, SEEK_END);
  image_->reset();
  calls_ = {};
  seen_ = command_.load();
  if (!prepare()) end_execution(Answer::refused, -1);
  context::fcontext_t own = context::make_fcontext(stack_ + stack_bytes, stack_bytes, [](context::transfer_t arrival) {
    server_here->root_ = arrival.fctx;
    server_here->is_trapping_ = server_here->image_->take() &&
                                raw_call(SYS_prctl, PR_SET_SYSCALL_USER_DISPATCH, PR_SYS_DISPATCH_ON, keyhole_raw_begin,
                                         keyhole_raw_end - keyhole_raw_begin, &server_here->selector_) == 0;
    server_here->selector_ = server_here->is_trapping_ ? traps : lets_pass;
    context::jump_fcontext(server_here->root_, nullptr);
  });
  context::jump_fcontext(own, nullptr);
  if (!is_trapping_) end_execution(Answer::refused, -1);
}

// P5
void PageServer::check_limit() {
  if (image_->limit() != MemoryImage::Limit::none) end_execution(Answer::exhausted, 0);
}

std::string PageServer::limit_text() const {
  std::string problem = image_->limit() == MemoryImage::Limit::pages
                            ? fmt::format("out of memory: a schedule changes more than {} pages", MemoryImage::max_hot)
                            : "out of memory or mappings (vm.max_map_count)";
  return problem + "; --rollback=fork has no such limit";
}

void PageServer::end_execution(Answer answer, i64 status) {
  status_ = status;
  answer_.store(answer);
  wake_at(&answer_);
  if (answer != Answer::ended) raw_call(SYS_exit_group, 0);
  context::fcontext_t own =
      context::make_fcontext(stack_ + stack_bytes, stack_bytes, [](context::transfer_t) { server_here->run(); });
  context::jump_fcontext(own, nullptr);
  __builtin_unreachable();
}

// Runs after an execution, on the server's own stack.
void PageServer::run() {
  calls_.roll_back();
  image_->restore();
  u64 wrong = verifies_ ? image_->verify() : 0;
  for (u32 i = 0; command_.load() == seen_;) {
    if (++i < spins) __builtin_ia32_pause();
    else wait_at(command_, seen_, 100'000'000);
  }
  seen_ = command_.load();
  calls_.cut_output(output_bytes_, errors_bytes_);
  if (wrong != 0) {
    status_ = static_cast<i64>(wrong);
    answer_.store(Answer::differs);
    wake_at(&answer_);
    raw_call(SYS_exit_group, 0);
  }
  context::jump_fcontext(root_, nullptr);
  __builtin_unreachable();
}

void PageServer::command() {
  answer_.store(Answer::none);
  command_.fetch_add(1);
  wake_at(&command_);
}

PageServer::Answer PageServer::wait(u32 nanoseconds) {
  for (u32 i = 0; i < spins && answer_.load() == Answer::none; ++i) __builtin_ia32_pause();
  if (answer_.load() == Answer::none) {
    wait_at(reinterpret_cast<const std::atomic<u32>&>(answer_), static_cast<u32>(Answer::none), nanoseconds);
  }
  return answer_.load();
}

}  // namespace keyhole::explore
