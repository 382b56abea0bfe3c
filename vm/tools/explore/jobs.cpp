// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Starts workers, waits for them, and reads their reports. Rules: jobs.h.
#include "vm/tools/explore/jobs.h"

#include <fmt/format.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "runtime/base/check.h"
#include "vm/tools/explore/merge.h"

namespace keyhole::explore {

namespace {

constexpr u32 poll_microseconds = 20'000;

struct Worker {
  pid_t process = 0;  // 0: it has ended
  int file = -1;
};

void write_all(int file, const std::string& text) {
  for (usize at = 0; at < text.size();) {
    ssize_t written = write(file, text.data() + at, text.size() - at);
    if (written <= 0) _exit(1);
    at += static_cast<usize>(written);
  }
}

Report report_without(u32 worker, u32 count, const std::string& reason) {  // J4
  Report report;
  report.is_part = report.is_limit = true;
  report.shard = worker;
  report.shards = count;
  report.uncontrolled = reason;
  return report;
}

Report read_worker(const Worker& worker, u32 number, u32 count, int status) {
  std::string text(static_cast<usize>(std::max<off_t>(lseek(worker.file, 0, SEEK_END), 0)), '\0');
  ssize_t length = pread(worker.file, text.data(), text.size(), 0);
  Report report;
  std::string problem;
  if (WIFSIGNALED(status)) problem = fmt::format("ended by signal {}", WTERMSIG(status));
  else if (WEXITSTATUS(status) != 0) problem = fmt::format("ended with exit code {}", WEXITSTATUS(status));
  else if (length != static_cast<ssize_t>(text.size())) problem = "has an unreadable report";
  else problem = read_report(text, report).text;
  if (problem.empty()) return report;
  return report_without(number, count, fmt::format("the worker {} of {} {}", number + 1, count, problem));
}

}  // namespace

std::vector<Report> run_workers(const Workers& workers) {
  void* memory = mmap(nullptr, sizeof(Progress), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  KEYHOLE_CHECK(memory != MAP_FAILED, "no memory for workers: {}", strerror(errno));
  Progress& progress = *new (memory) Progress{};
  std::vector<Report> reports(workers.count);
  std::vector<Worker> running(workers.count);
  bool is_stopping = false;
  u32 left = 0;
  fflush(nullptr);
  for (u32 i = 0; i < workers.count; ++i) {
    Worker& worker = running[i];
    worker.file = memfd_create("report", MFD_CLOEXEC);
    worker.process = worker.file < 0 ? -1 : fork();
    if (worker.process < 0) {
      reports[i] = report_without(i, workers.count, fmt::format("cannot start a process: {}", strerror(errno)));
      worker.process = 0;
      is_stopping = true;
    } else if (worker.process == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);  // J3
      write_all(worker.file, workers.explore(i, progress.schedules[i]).json());
      _exit(0);
    } else {
      ++left;
    }
  }
  auto signal_all = [&] {
    for (const Worker& worker : running)
      if (worker.process != 0) kill(worker.process, SIGTERM);
  };
  if (is_stopping) signal_all();
  while (left != 0) {
    bool has_changed = false;
    for (u32 i = 0; i < workers.count; ++i) {
      Worker& worker = running[i];
      int status = 0;
      if (worker.process == 0 || waitpid(worker.process, &status, WNOHANG) == 0) continue;
      worker.process = 0;
      --left;
      has_changed = true;
      reports[i] = read_worker(worker, i, workers.count, status);
      if (!is_stopping && workers.ends_all(i, reports[i])) {
        is_stopping = true;
        signal_all();
      }
    }
    if (!is_stopping && workers.is_interrupted()) {
      is_stopping = true;
      signal_all();
    }
    u64 schedules = 0;
    for (u32 i = 0; i < workers.count; ++i) schedules += progress.schedules[i].load();
    workers.show_progress(schedules);
    if (!has_changed) usleep(poll_microseconds);
  }
  for (const Worker& worker : running)
    if (worker.file >= 0) close(worker.file);
  munmap(memory, sizeof(Progress));
  return reports;
}

}  // namespace keyhole::explore
