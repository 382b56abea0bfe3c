// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// PageServer: executes schedules one after the other in one process. After each execution it rolls the process's memory
// back to the root.
//
//   explorer                    server, own stack                       server, stack of the program
//                                                                       at_root(): serve()
//                               takes the image, traps system calls  <--
//                                                                    --> runs from the root
//                               answers  <------------------------------ exit: trapped
//                               restores the image
//   command  ---------------->  resumes the root  ---------------------> runs from the root
//
// P1: the server's data is in shared memory, which the image does not cover. The server's code uses no heap
//     (memory_image.h M4).
// P2: an execution ends when the program calls exit, which is trapped (kernel_calls.h). The process itself continues.
// P3: a system call that is neither passed nor emulated ends the server with the answer `refused`, and the explorer
//     switches to the engine `fork`. So no kernel state carries over from one execution to the next.
// P4: the server has one OS thread. rseq is off, so the kernel does not write to the thread's memory on its own.
// P5: an execution that changes more pages than the image can keep, or needs more mappings than the kernel gives a
//     process (vm.max_map_count), ends the server with the answer `exhausted`. The program sees no failed call.
#pragma once

#include <atomic>
#include <string>

#include "vm/tools/explore/kernel_calls.h"
#include "vm/tools/explore/memory_image.h"

namespace keyhole::explore {

class PageServer {
 public:
  enum class Answer : u32 { none, ended, refused, differs, exhausted };

  // Returns whether this machine and this build can roll back pages.
  static bool is_possible();
  // Allocates a server in shared memory. Returns null if there is no memory.
  static PageServer* make();
  static void destroy(PageServer* server);

  // --- called by the VM's process ---
  // Called at the root (engine.h). Returns at the beginning of each execution. If the process cannot be rolled back,
  // the process exits with the answer `refused`.
  void serve();

  // --- called by the explorer ---
  void forget_answer() { answer_.store(Answer::none); }
  // Called before the VM's process starts. The server calls at_end() whenever an execution is over.
  void call_at_end(void (*at_end)()) { at_end_ = at_end; }
  // Makes each rollback compare all pages with the image.
  void verify_rollbacks() { verifies_ = true; }
  void command();
  // Waits for the server's answer. Returns no answer if the time limit has passed.
  Answer wait(u32 nanoseconds);
  // detail of the answer: the exit code (ended), the system call (refused) or the page's address (differs)
  i64 status() const { return status_; }
  // Returns a sentence about the limit that the last execution has reached, if its answer is `exhausted` (P5).
  std::string limit_text() const;
  u32 hot_pages() const { return image_->hot_pages(); }
  u32 pages() const { return image_->pages(); }

 private:
  [[noreturn]] void run();
  [[noreturn]] void end_execution(Answer answer, i64 status);
  bool prepare();
  void check_limit();

  std::atomic<u32> command_{0};
  std::atomic<Answer> answer_{Answer::none};
  i64 status_ = 0;
  u32 seen_ = 0;  // the last command
  bool verifies_ = false, is_trapping_ = false;
  i64 output_bytes_ = 0, errors_bytes_ = 0;  // sizes of the output files at the root
  void (*at_end_)() = nullptr;
  char selector_ = 0;     // of Syscall User Dispatch
  void* root_ = nullptr;  // the program's registers and stack at the root
  MemoryImage* image_ = nullptr;
  KernelCalls calls_;
  static constexpr usize stack_bytes = 256u << 10;
  alignas(64) char stack_[stack_bytes] = {};
  alignas(64) char signal_stack_[stack_bytes] = {};

  friend struct PageServerSignals;
};

}  // namespace keyhole::explore
