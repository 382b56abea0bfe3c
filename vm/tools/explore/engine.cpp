// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Creates the processes, pipes and shared memory of executions. Rules: engine.h.
#include "vm/tools/explore/engine.h"

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
#include <unordered_map>

#include "runtime/base/check.h"
#include "runtime/base/controlled/strands.h"

namespace keyhole::explore {

namespace {

constexpr int limit_milliseconds = 30'000;  // E3
constexpr int slice_milliseconds = 20;      // how often a waiting engine asks whether the time is over

Engine* serving = nullptr;  // set in a server process: the VM calls at_root() of this engine

int make_file(const char* name) {
  int file = memfd_create(name, 0);
  KEYHOLE_CHECK(file >= 0, "no memory for the program's output: {}", strerror(errno));
  fcntl(file, F_SETFL, O_APPEND);
  return file;
}

std::string text_of(int file) {
  std::string text(static_cast<usize>(std::max<off_t>(lseek(file, 0, SEEK_END), 0)), '\0');
  ssize_t length = pread(file, text.data(), text.size(), 0);
  text.resize(static_cast<usize>(std::max<ssize_t>(length, 0)));
  return text;
}

int wait_for(pid_t process) {
  int status = 0;
  while (waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

}  // namespace

Engine::Kind Engine::fastest() { return PageServer::is_possible() ? Kind::pages : Kind::fork; }

Engine::Engine(Kind kind, bool is_strict, std::function<void()> program, controlled::Memory memory)
    : kind_(kind), program_(std::move(program)) {
  void* shared =
      mmap(nullptr, sizeof(Execution), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  KEYHOLE_CHECK(shared != MAP_FAILED, "no memory for an execution: {}", strerror(errno));
  execution_ = new (shared) Execution;
  execution_->is_strict = is_strict;
  execution_->memory = memory;
  void* list =
      mmap(nullptr, sizeof(Rehearsal), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  KEYHOLE_CHECK(list != MAP_FAILED, "no memory for an execution: {}", strerror(errno));
  rehearsal_ = new (list) Rehearsal;
  output_file_ = make_file("output");
  errors_file_ = make_file("errors");
  if (PageServer::is_possible()) pages_ = PageServer::make();
  if (kind_ == Kind::pages && pages_ == nullptr) kind_ = Kind::fork;
  for (int* pipe : {requests_, replies_, commands_, statuses_})
    KEYHOLE_CHECK(pipe2(pipe, O_CLOEXEC) == 0, "cannot make a pipe: {}", strerror(errno));
  start_pristine_process();
}

Engine::~Engine() {
  end_server();
  if (pristine_ > 0) {
    kill(pristine_, SIGKILL);
    wait_for(pristine_);
  }
  for (int* pipe : {requests_, replies_, commands_, statuses_}) {
    close(pipe[0]);
    close(pipe[1]);
  }
  close(output_file_);
  close(errors_file_);
  if (pages_ != nullptr) PageServer::destroy(pages_);
  munmap(rehearsal_, sizeof(Rehearsal));
  munmap(execution_, sizeof(Execution));
}

void Engine::verify_rollbacks() {
  if (pages_ != nullptr) pages_->verify_rollbacks();
}

// --- the pristine process --------------------------------------------------------------------------------------------

void Engine::start_pristine_process() {
  fflush(nullptr);
  pristine_ = fork();
  if (pristine_ < 0) pristine_ = -errno;
  if (pristine_ != 0) return;
  prctl(PR_SET_PDEATHSIG, SIGKILL);  // E4
  signal(SIGINT, SIG_IGN);
  serve_requests();
}

// The loop of the pristine process, from which all VMs are forked on request (E5).
void Engine::serve_requests() {
  for (pid_t server = 0;;) {
    Request request{};
    if (read(requests_[0], &request, sizeof request) != sizeof request) _exit(0);
    int reply = 0;
    if (request == Request::wait_for_server) {
      reply = wait_for(server);
    } else {
      pid_t process = fork();
      if (process < 0) process = -errno;
      if (process == 0) {
        kind_ = request == Request::start_pages ? Kind::pages : Kind::fork;
        serving = this;
        if (rehearsal_->classes != 0) controlled::context.before_program = [] { serving->rehearsal_->prepare(); };
        if (rehearsal_->is_listing) pages_->call_at_end([] { serving->rehearsal_->list(); });
        else if (pages_ != nullptr) pages_->call_at_end(nullptr);
        if (request != Request::run) controlled::context.at_root = [] { serving->serve(); };
        begin_process();
      }
      if (request == Request::run) {
        execution_->process.store(std::max(process, 0));
        reply = process < 0 ? process : wait_for(process);
      } else {
        reply = server = process;
      }
    }
    if (write(replies_[1], &reply, sizeof reply) != sizeof reply) _exit(0);
  }
}

int Engine::ask(Request request) {
  int reply = 0;
  bool is_good = write(requests_[1], &request, sizeof request) == sizeof request;
  is_good = is_good && read(replies_[0], &reply, sizeof reply) == sizeof reply;
  KEYHOLE_CHECK(is_good, "the process that starts VMs has ended");
  return reply;
}

// Turns a process that was just forked into the controlled VM.
void Engine::begin_process() {
  prctl(PR_SET_PDEATHSIG, SIGKILL);  // E4
  int nothing = open("/dev/null", O_RDONLY);
  dup2(nothing, STDIN_FILENO);
  dup2(output_file_, STDOUT_FILENO);
  dup2(errors_file_, STDERR_FILENO);
  controlled::begin(execution_);
  program_();
  _exit(0);
}

void Engine::end_server() {
  if (server_ == 0) return;
  kill(server_, SIGKILL);
  ask(Request::wait_for_server);
  close(server_handle_);
  server_ = 0;
}

bool Engine::is_full() const { return place_count_ >= controlled::place_slots / 2; }

bool Engine::add_place(u64 place) {
  if (is_full() || controlled::has_place(*execution_, place)) return false;
  u64 slot = controlled::slot_of_place(place);
  while (execution_->places[slot] != 0) slot = (slot + 1) % controlled::place_slots;
  execution_->places[slot] = place;
  ++place_count_;
  return true;
}

void Engine::prepare(const Schedule& schedule, bool describes) {
  Execution& request = *execution_;
  begin_request();
  request.policy = schedule.policy;
  request.describes = describes;
  request.seed = schedule.seed;
  request.depth = schedule.depth;
  request.length = schedule.length;
  request.step_count = static_cast<u32>(std::min<usize>(schedule.steps.size(), controlled::max_steps));
  std::copy_n(schedule.steps.begin(), request.step_count, request.steps);
  request.is_reduced = schedule.is_reduced;
  request.sleeper_count = static_cast<u32>(std::min<usize>(schedule.sleepers.size(), controlled::max_strands));
  std::copy_n(schedule.sleepers.begin(), request.sleeper_count, request.sleepers);
  request.focus = schedule.focus;
  std::copy(schedule.weights.begin(), schedule.weights.end(), request.weights);
  std::copy(schedule.parents.begin(), schedule.parents.end(), request.parents);
}

// Clears the result.
void Engine::begin_request() {
  Execution& request = *execution_;
  request.outcome.store(Outcome::running);
  request.process.store(0);
  request.exit_code = 0;
  request.choice_count = 0;
  request.notified_many = request.timed_out = false;
  request.quiet_choices = 0;
  request.text[0] = request.where[0] = '\0';
  request.text_bytes = 0;
  memset(request.titles, 0, sizeof request.titles);
}

const Execution& Engine::run(const Schedule& schedule, bool describes) {
  ++runs_;
  if (!has_rehearsed_ && pristine_ > 0) rehearse();
  prepare(schedule, describes);
  if (pristine_ < 0) {
    end_without_process(-pristine_);
    return *execution_;
  }
  if (schedule.steps.size() > controlled::max_steps) {
    // Rejects a script that is too long, because a truncated script is a different schedule.
    end_with(Outcome::exhausted, fmt::format("a schedule has more than {} steps", controlled::max_steps));
    return *execution_;
  }
  if (kind_ != Kind::rerun && !describes) run_from_root();
  else run_new_vm();
  return *execution_;
}

// Waits until one of the descriptors is readable.
Engine::Waited Engine::wait_readable(std::span<pollfd> files) const {
  for (int waited = 0; waited < limit_milliseconds; waited += slice_milliseconds) {
    int ready = poll(files.data(), files.size(), slice_milliseconds);
    if (ready > 0) return Waited::ready;
    if (is_over()) return Waited::is_over;
  }
  return Waited::too_long;
}

void Engine::run_new_vm() {
  execution_->event_count = 0;
  execution_->strand_count = 0;
  ftruncate(output_file_, 0);
  ftruncate(errors_file_, 0);
  Request request = Request::run;
  KEYHOLE_CHECK(write(requests_[1], &request, sizeof request) == sizeof request, "the process that starts VMs ended");
  pollfd polled{replies_[0], POLLIN, 0};
  Waited waited = wait_readable({&polled, 1});
  // If the VM's process was forked just now, its number is not known yet.
  while (waited != Waited::ready && execution_->process.load() == 0) {
    if (poll(&polled, 1, 1) > 0) waited = Waited::ready;
  }
  if (waited != Waited::ready) kill(execution_->process.load(), SIGKILL);
  int status = 0;
  KEYHOLE_CHECK(read(replies_[0], &status, sizeof status) == sizeof status, "the process that starts VMs has ended");
  finish(status, waited);
}

// The loop of the server process, which has stopped at the root: the first operation before which two strands can go
// on. Each return of this function begins an execution: the caller runs the rest of the program. With Kind::pages, the
// function returns many times in the server itself, and each time it first restores the server's memory of the root.
// With Kind::fork, it returns once in each child of the server.
void Engine::serve() {
  if (kind_ == Kind::pages) return pages_->serve();
  fflush(nullptr);
  root_output_ = lseek(output_file_, 0, SEEK_END);
  root_errors_ = lseek(errors_file_, 0, SEEK_END);
  for (bool is_first = true;; is_first = false) {
    char command = 0;
    if (!is_first && read(commands_[0], &command, 1) != 1) _exit(0);
    ftruncate(output_file_, root_output_);
    ftruncate(errors_file_, root_errors_);
    pid_t process = fork();
    if (process < 0) process = -errno;
    if (process == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      return;
    }
    execution_->process.store(std::max(process, 0));
    int status = process < 0 ? process : wait_for(process);
    if (write(statuses_[1], &status, sizeof status) != sizeof status) _exit(0);
  }
}

// Executes the default schedule in a separate VM, which lists the classes and methods that later VMs prepare (E7).
void Engine::rehearse() {
  has_rehearsed_ = true;
  if (pages_ == nullptr || execution_->is_strict) return;
  Kind kind = std::exchange(kind_, Kind::pages);
  rehearsal_->is_listing = true;
  prepare({}, false);
  run_from_root();
  end_server();
  rehearsal_->is_listing = false;
  if (kind != Kind::pages) {
    kind_ = kind;
    refused_call_ = 0;
  }
}

void Engine::run_from_root() {
  if (server_ == 0) {
    execution_->event_count = 0;
    execution_->strand_count = 0;
    ftruncate(output_file_, 0);
    ftruncate(errors_file_, 0);
    if (pages_ != nullptr) pages_->forget_answer();
    int server = ask(kind_ == Kind::pages ? Request::start_pages : Request::start_forks);
    if (server < 0) return end_without_process(-server);
    server_ = server;
    server_handle_ = static_cast<int>(syscall(SYS_pidfd_open, server_, 0));
    KEYHOLE_CHECK(server_handle_ >= 0, "cannot watch a process: {}", strerror(errno));
  } else {
    execution_->event_count = execution_->root_events;
    char command = 0;
    if (kind_ == Kind::pages) pages_->command();
    else KEYHOLE_CHECK(write(commands_[1], &command, 1) == 1, "cannot command the VM: {}", strerror(errno));
  }
  if (kind_ == Kind::pages) wait_for_pages();
  else wait_for_fork();
}

// Called when the server has exited, or must end because it hangs or the time is over. A server exits without an answer
// if the program ends before its first choice.
void Engine::end_as_server_did(Waited waited) {
  if (waited != Waited::ready) kill(server_, SIGKILL);
  int status = ask(Request::wait_for_server);
  close(server_handle_);
  server_ = 0;
  finish(status, waited);
}

void Engine::wait_for_fork() {
  pollfd polled[] = {{statuses_[0], POLLIN, 0}, {server_handle_, POLLIN, 0}};
  Waited waited = wait_readable(polled);
  pid_t process = execution_->process.load();
  if (polled[0].revents == 0 && (waited == Waited::ready || process <= 0)) return end_as_server_did(waited);
  if (waited != Waited::ready) kill(process, SIGKILL);
  int status = 0;
  KEYHOLE_CHECK(read(statuses_[0], &status, sizeof status) == sizeof status, "cannot read a status");
  finish(status, waited);
}

void Engine::wait_for_pages() {
  constexpr u32 slice_nanoseconds = 2'000'000;
  PageServer::Answer answer = PageServer::Answer::none;
  for (u32 slices = 0; (answer = pages_->wait(slice_nanoseconds)) == PageServer::Answer::none; ++slices) {
    pollfd polled{server_handle_, POLLIN, 0};
    bool has_ended = poll(&polled, 1, 0) > 0;
    if (has_ended && (answer = pages_->wait(0)) != PageServer::Answer::none) break;
    if (has_ended) return end_as_server_did(Waited::ready);
    if (is_over()) return end_as_server_did(Waited::is_over);
    if (slices >= limit_milliseconds / 2) return end_as_server_did(Waited::too_long);
  }
  if (answer == PageServer::Answer::ended) return finish(static_cast<int>(pages_->status()) << 8, Waited::ready);
  end_server();
  if (answer == PageServer::Answer::exhausted) return end_with(Outcome::exhausted, pages_->limit_text());
  if (answer == PageServer::Answer::differs) {
    return end_with(Outcome::uncontrolled,
                    fmt::format("is not rolled back: the page {:x} differs", static_cast<u64>(pages_->status())));
  }
  refused_call_ = pages_->status();  // E6
  kind_ = Kind::fork;
  begin_request();
  run_from_root();
}

void Engine::end_with(Outcome outcome, const std::string& text) {
  execution_->outcome.store(outcome);
  snprintf(execution_->text, sizeof execution_->text, "%s", text.c_str());
  execution_->where[0] = '\0';
}

void Engine::end_without_process(int error) {
  end_with(Outcome::exhausted, fmt::format("cannot start a process: {}", strerror(error)));
}

// `status`: the status from wait(2), or a negative errno if no process could be started.
void Engine::finish(int status, Waited waited) {
  if (status < 0) return end_without_process(-status);
  Execution& result = *execution_;
  if (waited == Waited::is_over) return end_with(Outcome::cut, "");
  if (waited == Waited::too_long)
    return end_with(Outcome::exhausted, fmt::format("a schedule took more than {} seconds", limit_milliseconds / 1000));
  if (WIFSIGNALED(status)) return end_with(Outcome::failed, fmt::format("the VM ended by signal {}", WTERMSIG(status)));
  result.exit_code = WEXITSTATUS(status);
  if (result.outcome.load() == Outcome::running) {
    result.outcome.store(Outcome::ended);
    if (result.policy == Policy::script && result.step_count != 0 &&
        result.event_count <= result.steps[result.step_count - 1].event)
      end_with(Outcome::misfit, "the program ends before the schedule does");
  } else if (result.outcome.load() == Outcome::failed && strncmp(result.text, "java.lang.OutOfMemoryError", 26) == 0) {
    result.outcome.store(Outcome::exhausted);
  }
}

std::string Engine::output() const { return text_of(output_file_); }
std::string Engine::errors() const { return text_of(errors_file_); }

Order order_of(const Execution& execution) {
  constexpr u64 prime = 0x100000001B3;
  u64 order = 0xCBF29CE484222325, exact = order;
  for (u32 i = 0; i < execution.event_count; ++i) {
    const Event& event = execution.events[i];
    order =
        (order ^ event.place ^ u64{event.strand} << 56 ^ static_cast<u64>(event.kind) << 48 ^ u64{event.older} << 40) *
        prime;
    exact = (exact ^ order ^ event.location << 20) * prime;
  }
  return {order ^ order >> 29, exact ^ exact >> 29};
}

u64 hash_of(const Execution& execution, u32 event_count) {
  // numbers locations in the order of their first events, because their addresses differ between processes
  std::unordered_map<u64, u64> numbers;
  u64 hash = 0xCBF29CE484222325;
  auto add = [&hash](u64 value) { hash = (hash ^ value) * 0x100000001B3; };
  for (u32 i = 0; i < std::min(event_count, execution.event_count); ++i) {
    const Event& event = execution.events[i];
    add(event.strand);
    add(static_cast<u64>(event.kind) | u64{event.older} << 8);
    add(event.place);
    add(numbers.try_emplace(event.location, numbers.size()).first->second);
  }
  return hash ^ hash >> 29;
}

}  // namespace keyhole::explore
