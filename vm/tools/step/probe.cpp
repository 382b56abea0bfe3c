// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs in the VM's processes: counts ticks, makes checkpoints and serves the stepper's requests. Rules: probe.h.
#include "vm/tools/step/probe.h"

#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "classlib/natives/java.base/lang/shutdown.h"
#include "runtime/threads/points.h"
#include "vm/interpreter/stepping.h"
#include "vm/tools/step/matcher.h"
#include "vm/tools/step/state_writer.h"

namespace keyhole::step {

namespace {

namespace stepping = interpreter::stepping;
using controlled::Operation;

Control* control = nullptr;
controlled::Execution* execution = nullptr;
Pipes pipes;
int output_file = -1;
// start_probe allocates the matcher and the writer, and nobody frees them. If they were global objects, each start of
// the VM would write some 50 KB to construct them, even without stepping.
Matcher* matcher = nullptr;
StateWriter* writer = nullptr;
bool has_begun = false;
bool is_searching = false;  // each tick is looked at
u64 stop_tick = 0;
u64 next_checkpoint = 0;
u64 switch_tick = 0;
u32 switch_event = 0;
void (*describe_stuck_in_words)() = nullptr;
void (*before_halt)(JavaThread* thread) = nullptr;

void set_next_stop() { stepping::next_stop = is_searching ? 0 : std::min(stop_tick, next_checkpoint); }

// B2
pid_t fork_sibling() {
  pid_t parent = getppid();
  long process = syscall(SYS_clone, CLONE_PARENT | SIGCHLD, nullptr, nullptr, nullptr, nullptr);
  if (process != 0) return static_cast<pid_t>(process);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(0);
  return 0;
}

void send(bool has_stopped) {
  Message message{getpid(), has_stopped};
  if (write(pipes.messages[1], &message, sizeof message) != sizeof message) _exit(0);
}

// Tells the stepper that no worker could be forked.
void send_failure(int error) {
  Message message{-error, false};
  if (write(pipes.messages[1], &message, sizeof message) != sizeof message) _exit(0);
}

// Waits for the stepper's command. Exits if the stepper has closed the pipe.
void receive(int pipe) {
  char command;
  ssize_t length;
  do length = read(pipe, &command, 1);
  while (length < 0 && errno == EINTR);
  if (length != 1) _exit(0);
}

// Returns whether a checkpoint exists near the tick. A worker that repeats ticks which an earlier worker has run can
// use the earlier worker's checkpoints.
bool has_checkpoint_near(u64 tick) {
  return std::ranges::any_of(control->checkpoints, [tick](const Checkpoint& each) {
    u64 distance = each.tick > tick ? each.tick - tick : tick - each.tick;
    return each.process.load() != 0 && distance < control->spacing / 2;
  });
}

Checkpoint* free_checkpoint() {
  for (Checkpoint& each : control->checkpoints)
    if (each.process.load() == 0) return &each;
  // The table is full: kills every second checkpoint. The first one is kept, because it is the beginning of the
  // execution.
  Checkpoint* sorted[max_checkpoints];
  for (u32 i = 0; i < max_checkpoints; ++i) sorted[i] = &control->checkpoints[i];
  std::ranges::sort(sorted, {}, [](const Checkpoint* each) { return each->tick; });
  for (u32 i = 1; i < max_checkpoints; i += 2) kill(sorted[i]->process.exchange(0), SIGKILL);
  control->spacing *= 2;
  return free_checkpoint();
}

// A checkpoint's copy of the execution's shared memory, from which a new worker restores it (B1).
struct Kept {
  u32 event_count, strand_count, choice_count;
  controlled::Outcome outcome;
  char text[sizeof execution->text], where[sizeof execution->where];

  void keep() {
    event_count = execution->event_count;
    strand_count = execution->strand_count;
    choice_count = execution->choice_count;
    outcome = execution->outcome.load();
    memcpy(text, execution->text, sizeof text);
    memcpy(where, execution->where, sizeof where);
  }
  void put_back() const {
    execution->event_count = event_count;
    execution->strand_count = strand_count;
    execution->choice_count = choice_count;
    execution->outcome.store(outcome);
    memcpy(execution->text, text, sizeof text);
    memcpy(execution->where, where, sizeof where);
  }
} kept;

// Turns the calling process into a checkpoint. Returns false in the worker that is forked now and continues the run,
// and true in each worker that the checkpoint forks later.
bool make_checkpoint() {
  Checkpoint& checkpoint = *free_checkpoint();
  checkpoint.tick = stepping::ticks;
  checkpoint.output_bytes = lseek(output_file, 0, SEEK_END);
  checkpoint.process.store(getpid());
  kept.keep();
  pid_t worker = fork_sibling();
  if (worker < 0) {  // the fork failed: this process continues without a checkpoint
    checkpoint.process.store(0);
    return false;
  }
  if (worker == 0) {
    send(false);
    return false;
  }
  int pipe = pipes.of_checkpoints[&checkpoint - control->checkpoints][0];
  for (;;) {
    receive(pipe);
    pid_t process = fork_sibling();
    if (process < 0) send_failure(errno);
    if (process != 0) continue;
    kept.put_back();
    if (ftruncate(output_file, checkpoint.output_bytes) != 0) _exit(1);
    return true;
  }
}

// Sends the state at this tick to the stepper, and waits for the stepper's next request.
void serve(const Standing& at) {
  const Request& request = control->request;
  do {
    writer->write(at);
    send(true);
    receive(pipes.commands[0]);
    matcher->begin(request);
  } while (request.includes_here && matcher->matches(at));
  is_searching = request.goal != Goal::tick && request.goal != Goal::end;
  stop_tick = request.limit;
  if (request.is_backward && at.tick < stop_tick && matcher->matches(at)) control->found = at.tick;
}

// At the program's first instruction.
void begin() {
  has_begun = true;
  describe_stuck_in_words = controlled::context.describe_stuck;
  controlled::context.describe_stuck = [] {
    describe_stuck_in_words();
    writer->write_last();
  };
  before_halt = natives::before_halt;
  natives::before_halt = [](JavaThread* thread) MAY_SAFEPOINT {
    writer->write_last();
    if (before_halt != nullptr) before_halt(thread);
  };
}

void at_tick(const Standing& at) {
  bool stops = !has_begun || at.tick >= stop_tick || control->is_interrupted.load(std::memory_order_relaxed);
  if (!has_begun) begin();
  if (!stops && is_searching && matcher->matches(at)) {
    if (control->request.is_backward) control->found = at.tick;
    else stops = true;
  }
  if (at.tick >= next_checkpoint) {
    next_checkpoint = at.tick + control->spacing;
    if (!has_checkpoint_near(at.tick) && make_checkpoint()) stops = true;
  }
  if (stops) serve(at);
  set_next_stop();
}

Standing standing_now(JavaThread* thread) {
  Standing at;
  at.thread = thread;
  at.tick = stepping::ticks;
  at.switch_tick = switch_tick;
  at.switch_event = switch_event;
  return at;
}

void at_instruction(JavaThread* thread, const Frame* frame, u64 word) {
  if (!controlled::is_exploring()) return;
  Standing at = standing_now(thread);
  at.frame = frame;
  at.word = word;
  at_tick(at);
}

void at_point(JavaThread* thread, const Operation& operation, const Object* base, u64 offset, bool resumes) {
  writer->see(thread, operation, base, offset);
  if (++stepping::ticks < stepping::next_stop) return;
  Standing at = standing_now(thread);
  at.operation = &operation;
  at.base = base;
  at.offset = offset;
  at.resumes = resumes;
  at_tick(at);
}

}  // namespace

void start_probe(Control* shared, controlled::Execution* request, const Pipes& its_pipes, int its_output) {
  control = shared;
  matcher = new Matcher;
  writer = new StateWriter(control);
  execution = request;
  pipes = its_pipes;
  output_file = its_output;
  stepping::is_on = true;
  stepping::at_instruction = at_instruction;
  points::hooks.stand = at_point;
  controlled::context.at_switch = [] {
    switch_tick = stepping::ticks;
    switch_event = execution->event_count;
  };
}

}  // namespace keyhole::step
