// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Creates the VM's processes, pipes and shared memory, and sends requests to the worker. Rules: machine.h.
#include "vm/tools/step/machine.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "runtime/base/check.h"
#include "runtime/base/controlled/strands.h"
#include "runtime/base/print.h"
#include "vm/tools/step/probe.h"

namespace keyhole::step {

namespace {

constexpr u64 first_spacing = 250'000;  // ticks: some ten milliseconds

void* map_shared(usize bytes) {
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  KEYHOLE_CHECK(memory != MAP_FAILED, "no memory to step in: {}", strerror(errno));
  return memory;
}

void make_pipe(int (&pipe)[2]) {
  KEYHOLE_CHECK(pipe2(pipe, O_CLOEXEC) == 0, "cannot make a pipe: {}", strerror(errno));
}

// Ends the stepper. Its checkpoints end with it (probe.h B2).
[[noreturn]] void end_without_process(int error) {
  constexpr int limit_reached = 2;
  fflush(stdout);
  print_text(stderr, "keyhole: cannot start a process: {}\n", strerror(error));
  _exit(limit_reached);
}

}  // namespace

Machine::Machine(const std::vector<controlled::Step>& script, bool is_strict, const explore::Rehearsal& rehearsal,
                 std::function<void()> program) {
  execution_ = new (map_shared(sizeof(controlled::Execution))) controlled::Execution;
  control_ = new (map_shared(sizeof(Control))) Control;
  control_->spacing = first_spacing;
  execution_->policy = controlled::Policy::script;
  execution_->is_strict = is_strict;
  execution_->step_count = static_cast<u32>(std::min<usize>(script.size(), controlled::max_steps));
  std::copy_n(script.begin(), execution_->step_count, execution_->steps);
  output_file_ = memfd_create("output", 0);
  KEYHOLE_CHECK(output_file_ >= 0, "no memory for the program's output: {}", strerror(errno));
  fcntl(output_file_, F_SETFL, O_APPEND);
  make_pipe(pipes_.commands);
  make_pipe(pipes_.messages);
  for (auto& pipe : pipes_.of_checkpoints) make_pipe(pipe);
  boot(rehearsal, program);
}

Machine::~Machine() {
  end_worker();
  for (Checkpoint& each : control_->checkpoints)
    if (pid_t process = each.process.exchange(0); process != 0) kill(process, SIGKILL);
  for (int end = 0; end < 2; ++end) {
    close(pipes_.commands[end]);
    close(pipes_.messages[end]);
    for (auto& pipe : pipes_.of_checkpoints) close(pipe[end]);
  }
  while (waitpid(-1, nullptr, 0) > 0) {
  }
  close(output_file_);
  munmap(execution_, sizeof(controlled::Execution));
  munmap(control_, sizeof(Control));
}

void Machine::boot(const explore::Rehearsal& rehearsal, const std::function<void()>& program) {
  fflush(nullptr);
  worker_ = fork();
  if (worker_ < 0) end_without_process(errno);
  if (worker_ == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    signal(SIGINT, SIG_IGN);
    int nothing = open("/dev/null", O_RDONLY);
    dup2(nothing, STDIN_FILENO);
    dup2(output_file_, STDOUT_FILENO);
    dup2(output_file_, STDERR_FILENO);
    close(pipes_.commands[1]);
    close(pipes_.messages[0]);
    for (auto& pipe : pipes_.of_checkpoints) close(pipe[1]);
    controlled::begin(execution_);
    static const explore::Rehearsal* prepared = nullptr;
    prepared = &rehearsal;
    if (rehearsal.classes != 0) controlled::context.before_program = [] { prepared->prepare(); };
    start_probe(control_, execution_, pipes_, output_file_);
    program();
    _exit(0);
  }
  wait();
}

std::string Machine::output() const {
  std::string text(static_cast<usize>(std::max<off_t>(lseek(output_file_, 0, SEEK_END), 0)), '\0');
  ssize_t length = pread(output_file_, text.data(), text.size(), 0);
  text.resize(static_cast<usize>(std::max<ssize_t>(length, 0)));
  return text;
}

u32 Machine::checkpoint_count() const {
  u32 count = 0;
  for (const Checkpoint& each : control_->checkpoints) count += each.process.load() != 0 ? 1 : 0;
  return count;
}

void Machine::command(int pipe) {
  char any = 'r';
  ssize_t written = write(pipe, &any, 1);
  KEYHOLE_CHECK(written == 1, "cannot write to a pipe: {}", strerror(errno));
}

void Machine::reap(pid_t process, int& status) {
  while (waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
}

void Machine::take_state(bool has_ended) {
  State last = read_state({control_->state, control_->state_bytes});
  if (has_ended && execution_->outcome.load() != controlled::Outcome::stuck) {
    for (ThreadState& thread : last.threads) {
      thread.status = "ended";
      thread.place.clear();
      thread.doing.clear();
      thread.frames.clear();
    }
    last.locks.clear();
    last.instruction.clear();
  }
  if (has_ended) last.tick = UINT64_MAX;
  last.has_ended = has_ended;
  last.output_bytes = lseek(output_file_, 0, SEEK_END);
  state_ = std::move(last);
}

// Blocks until the worker has stopped at a tick or has exited. Another process may become the worker meanwhile
// (probe.h).
void Machine::wait() {
  for (;;) {
    int handle = static_cast<int>(syscall(SYS_pidfd_open, worker_, 0));
    KEYHOLE_CHECK(handle >= 0 || errno == ESRCH, "cannot watch a process: {}", strerror(errno));
    pollfd polled[] = {{.fd = pipes_.messages[0], .events = POLLIN, .revents = 0},
                       {.fd = handle, .events = POLLIN, .revents = 0}};
    int ready;
    do ready = poll(polled, 2, -1);
    while (ready < 0 && errno == EINTR);
    if (handle >= 0) close(handle);
    if ((polled[0].revents & POLLIN) != 0) {
      Message message{};
      if (read(pipes_.messages[0], &message, sizeof message) != sizeof message) continue;
      worker_ = message.process;
      if (!message.has_stopped) continue;
      return take_state(false);
    }
    int status = 0;
    reap(worker_, status);
    worker_ = 0;
    controlled::Execution& result = *execution_;
    result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
    if (WIFSIGNALED(status)) {
      result.outcome.store(controlled::Outcome::failed);
      snprintf(result.text, sizeof result.text, "the VM ended by signal %d", WTERMSIG(status));
      result.where[0] = '\0';
    }
    return take_state(true);
  }
}

void Machine::end_worker() {
  if (worker_ == 0) return;
  kill(worker_, SIGKILL);
  int status;
  reap(std::exchange(worker_, 0), status);
}

Checkpoint* Machine::last_checkpoint_before(u64 tick) {
  Checkpoint* best = nullptr;
  for (Checkpoint& each : control_->checkpoints) {
    if (each.process.load() == 0 || each.tick >= tick) continue;
    if (best == nullptr || each.tick > best->tick) best = &each;
  }
  return best;
}

void Machine::start_worker_at(const Checkpoint& checkpoint) {
  end_worker();
  command(pipes_.of_checkpoints[&checkpoint - control_->checkpoints][1]);
  pollfd polled{.fd = pipes_.messages[0], .events = POLLIN, .revents = 0};
  while (poll(&polled, 1, -1) < 0 && errno == EINTR) {
  }
  Message message{};
  KEYHOLE_CHECK(read(pipes_.messages[0], &message, sizeof message) == sizeof message, "a checkpoint is gone");
  if (message.process < 0) end_without_process(-message.process);
  worker_ = message.process;
  take_state(false);
}

void Machine::run(const Request& request) {
  if (has_ended()) return;
  control_->request = request;
  control_->found = 0;
  control_->is_interrupted.store(false);
  command(pipes_.commands[1]);
  wait();
}

void Machine::go_to(u64 tick) {
  if (!has_ended() && state_.tick == tick) return;
  Checkpoint* checkpoint = last_checkpoint_before(tick == UINT64_MAX ? tick : tick + 1);
  // The current worker runs forwards to the target tick if that tick is ahead and no checkpoint lies between. Otherwise
  // a checkpoint forks a new worker.
  if (has_ended() || state_.tick > tick || (checkpoint != nullptr && checkpoint->tick > state_.tick)) {
    KEYHOLE_CHECK(checkpoint != nullptr, "there is no checkpoint before tick {}", tick);
    start_worker_at(*checkpoint);
  }
  if (state_.tick < tick) run({.goal = tick == UINT64_MAX ? Goal::end : Goal::tick, .limit = tick});
}

bool Machine::run_back(Request request) {
  u64 here = state_.tick, limit = here;
  request.is_backward = true;
  while (Checkpoint* checkpoint = last_checkpoint_before(limit)) {  // K2
    u64 begin = checkpoint->tick;
    start_worker_at(*checkpoint);
    request.limit = limit;
    run(request);
    // the user interrupted the search, so a later match in this interval may be missing
    if (control_->is_interrupted.load()) break;
    if (u64 found = control_->found; found != 0) {
      go_to(found);
      return true;
    }
    limit = begin;
  }
  go_to(here);
  return false;
}

void Machine::change_script(controlled::Step step) {
  u32 count = 0;
  while (count < execution_->step_count && execution_->steps[count].event < step.event) ++count;
  if (count == controlled::max_steps) return;
  execution_->steps[count] = step;
  execution_->step_count = count + 1;
  end_later_checkpoints();
}

void Machine::forget_script() {
  u32 count = 0;
  // Also keeps the step of the script that chose the current thread, because that choice has already taken effect.
  while (count < execution_->step_count &&
         (execution_->steps[count].event < state_.event || execution_->steps[count].event == state_.switch_event))
    ++count;
  execution_->step_count = count;
  end_later_checkpoints();
}

void Machine::end_later_checkpoints() {
  for (Checkpoint& each : control_->checkpoints) {  // K3
    if (each.process.load() == 0 || each.tick <= state_.tick) continue;
    pid_t process = each.process.exchange(0);
    kill(process, SIGKILL);
    int status;
    reap(process, status);
  }
}

}  // namespace keyhole::step
