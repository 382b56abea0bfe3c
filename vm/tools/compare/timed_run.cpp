// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs the child by fork, exec and wait4.
#include "vm/tools/compare/timed_run.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <vector>

namespace keyhole::compare {

namespace {

std::atomic<int> signal_received{0};
std::atomic<pid_t> child{0};

void stop_child(int signal) {
  signal_received.store(signal);
  if (pid_t running = child.load(); running > 0) kill(running, SIGKILL);
}

std::atomic<u32> alarms{0};
void count_alarm(int) { alarms.fetch_add(1); }

// Interrupts wait4 after the given number of seconds, and every second from then on, until the end of the scope.
class Alarm {
 public:
  explicit Alarm(u32 seconds) {
    alarms.store(0);
    if (seconds == 0) return;
    struct sigaction action{};
    action.sa_handler = count_alarm;
    sigaction(SIGALRM, &action, nullptr);
    set(seconds);
  }
  ~Alarm() { set(0); }
  Alarm(const Alarm&) = delete;
  Alarm& operator=(const Alarm&) = delete;

 private:
  static void set(u32 seconds) {
    itimerval timer{{.tv_sec = seconds == 0 ? 0 : 1, .tv_usec = 0}, {.tv_sec = seconds, .tv_usec = 0}};
    setitimer(ITIMER_REAL, &timer, nullptr);
  }
};

f64 milliseconds(const timeval& time) {
  return static_cast<f64>(time.tv_sec) * 1e3 + static_cast<f64>(time.tv_usec) / 1e3;
}

bool redirect(const std::string& path, int flags, int descriptor) {
  int file = open(path.c_str(), flags, 0600);
  return file >= 0 && dup2(file, descriptor) >= 0;
}

}  // namespace

void catch_interrupts() {
  struct sigaction action{};
  action.sa_handler = stop_child;
  for (int signal : {SIGINT, SIGTERM, SIGHUP}) sigaction(signal, &action, nullptr);
}

int interrupted_by() { return signal_received.load(); }

TimedRun run_timed(std::span<const std::string> words, const std::string& input, const std::string& output,
                   const std::string& errors, u32 timeout) {
  TimedRun run;
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  auto begin = std::chrono::steady_clock::now();
  pid_t parent = getpid();
  pid_t started = fork();
  if (started == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    constexpr int written = O_WRONLY | O_CREAT | O_TRUNC;
    if (getppid() == parent && redirect(input, O_RDONLY, STDIN_FILENO) && redirect(output, written, STDOUT_FILENO) &&
        redirect(errors, written, STDERR_FILENO))
      execv(arguments[0], arguments.data());
    _exit(127);
  }
  if (started < 0) {
    run.problem = fmt::format("cannot start a process: {}", strerror(errno));
    return run;
  }
  child.store(started);
  if (interrupted_by() != 0) kill(started, SIGKILL);  // the handler ran before `child` was set, so it killed no child
  int status = 0;
  rusage usage{};
  Alarm alarm(timeout);
  while (wait4(started, &status, 0, &usage) < 0 && errno == EINTR) {
    if (u32 count = alarms.load(); count != 0) {
      run.is_over_time = true;
      kill(started, count == 1 ? SIGQUIT : SIGKILL);
    }
  }
  child.store(0);
  run.wall_ms = std::chrono::duration<f64, std::milli>(std::chrono::steady_clock::now() - begin).count();
  run.cpu_ms = milliseconds(usage.ru_utime) + milliseconds(usage.ru_stime);
  run.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  if (interrupted_by() != 0) run.problem = "interrupted";
  return run;
}

}  // namespace keyhole::compare
