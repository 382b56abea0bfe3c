// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// PageServer: executes schedules from the root, one after the other, in one process whose memory is rolled back.
//
//   explorer                    server, own stack                       server, stack of the program
//                                                                       at_root(): serve()
//                               takes the image, traps system calls  <--
//                                                                    --> runs from the root
//                               answers  <------------------------------ exit: trapped
//                               restores the image
//   command  ---------------->  resumes the root  ---------------------> runs from the root
//
// P1: the server's data lies in shared memory, which the image leaves out; its code uses no heap (memory_image.h M4).
// P2: an execution ends at its call of exit, which is trapped (kernel_calls.h). The process goes on.
// P3: a system call that is neither passed nor emulated ends the server with the answer `refused`: the explorer then
//     takes the engine `fork`. So nothing that the kernel keeps is carried from execution to execution.
// P4: the server has one OS thread, and the kernel writes into none of its pages: rseq is off.
#pragma once

#include <atomic>

#include "vm/tools/explore/kernel_calls.h"
#include "vm/tools/explore/memory_image.h"

namespace keyhole::explore {

class PageServer {
 public:
  enum class Answer : u32 { none, ended, refused, differs };

  // Whether this machine and this build can roll back pages.
  static bool is_possible();
  // A server in shared memory. Null: there is no memory.
  static PageServer* make();
  static void destroy(PageServer* server);

  // --- called by the VM's process ---
  // Returns once in each execution, at the root. If the process cannot be rolled back, it ends with the answer
  // `refused`.
  void serve();

  // --- called by the explorer ---
  void forget_answer() { answer_.store(Answer::none); }
  // The VM's process: calls at_end() when the execution is over.
  void call_at_end(void (*at_end)()) { at_end_ = at_end; }
  // Each rollback compares all pages with the image.
  void verify_rollbacks() { verifies_ = true; }
  void command();
  // Waits for an answer, at most so long. None: the time is over.
  Answer wait(u32 nanoseconds);
  i64 status() const { return status_; }  // ended: the exit code; refused: the system call; differs: the page
  u32 hot_pages() const { return image_->hot_pages(); }
  u32 pages() const { return image_->pages(); }

 private:
  [[noreturn]] void run();
  [[noreturn]] void end_execution(Answer answer, i64 status);
  bool prepare();

  std::atomic<u32> command_{0};
  std::atomic<Answer> answer_{Answer::none};
  i64 status_ = 0;
  u32 seen_ = 0;  // the last command
  bool verifies_ = false, is_trapping_ = false;
  i64 output_bytes_ = 0, errors_bytes_ = 0;  // at the root
  void (*at_end_)() = nullptr;
  char selector_ = 0;     // of Syscall User Dispatch
  void* root_ = nullptr;  // the program's context at the root
  MemoryImage* image_ = nullptr;
  KernelCalls calls_;
  static constexpr usize stack_bytes = 256u << 10;
  alignas(64) char stack_[stack_bytes] = {};
  alignas(64) char signal_stack_[stack_bytes] = {};

  friend struct PageServerSignals;
};

}  // namespace keyhole::explore
