// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// This process and others: Shutdown, ProcessEnvironment, ProcessHandleImpl, ProcessImpl.
#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "classlib/natives/declarations.h"
#include "classlib/natives/java.base/lang/shutdown.h"
#include "classlib/natives/late_bound.h"
#include "classlib/natives/support.h"
#include "runtime/base/process/users.h"
#include "runtime/threads/thread_state.h"
#include "vm/link/release_behaviour.h"

extern char** environ;

namespace keyhole::natives {

// --- the end ---------------------------------------------------------------------------------------------------------

void (*before_halt)(JavaThread* thread) = nullptr;

void Shutdown_beforeHalt(JavaThread*) {}

void Shutdown_halt0(JavaThread* thread, i32 status) {
  if (before_halt != nullptr) before_halt(thread);
  fflush(nullptr);
  _exit(status);  // other threads still run: no static destructor may pull the ground from under them
}

// --- the environment -------------------------------------------------------------------------------------------------

// Returns name, value, name, value ... as byte arrays. A variable may begin with '='; its name then extends to the
// second one.
Object* ProcessEnvironment_environ(JavaThread* thread) {
  HandleScope scope(thread);
  std::vector<std::string_view> parts;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    std::string_view text = *entry;
    usize equals = text.find('=', 1);
    if (equals == std::string_view::npos) continue;
    parts.push_back(text.substr(0, equals));
    parts.push_back(text.substr(equals + 1));
  }
  Object* object = new_reference_array(thread, primitive_array_klass(BasicType::Byte), static_cast<i32>(parts.size()));
  if (object == nullptr) return nullptr;
  Handle array = scope.make(object);
  for (usize i = 0; i < parts.size(); ++i) {
    Object* bytes =
        new_byte_array(thread, reinterpret_cast<const u8*>(parts[i].data()), static_cast<u32>(parts[i].size()));
    if (bytes == nullptr) return nullptr;
    barrier::store_element(array.get(), static_cast<i32>(i), bytes);
  }
  return array.get();
}

// --- processes in /proc ----------------------------------------------------------------------------------------------

namespace {

struct ProcessStatus {
  i64 parent = -1;
  i64 start_milliseconds = -1;  // since the epoch
  i64 cpu_nanoseconds = -1;
};

i64 boot_time_milliseconds() {
  static i64 boot_time = [] {
    i64 seconds = 0;
    if (FILE* file = fopen("/proc/stat", "re")) {
      char line[512];
      while (fgets(line, sizeof line, file) != nullptr) {
        long long value;
        if (sscanf(line, "btime %lld", &value) == 1) {
          seconds = value;
          break;
        }
      }
      fclose(file);
    }
    return seconds * 1000;
  }();
  return boot_time;
}

ProcessStatus status_of(i64 pid) {
  ProcessStatus status;
  FILE* file = fopen(fmt::format("/proc/{}/stat", pid).c_str(), "re");
  if (file == nullptr) return status;
  char text[2048];
  usize length = fread(text, 1, sizeof text - 1, file);
  fclose(file);
  text[length] = 0;
  const char* after_name = strrchr(text, ')');  // the name may contain any character
  if (after_name == nullptr) return status;
  int parent;
  unsigned long user, system;
  unsigned long long start;
  if (sscanf(after_name + 1, " %*c %d %*d %*d %*d %*d %*d %*u %*u %*u %*u %lu %lu %*d %*d %*d %*d %*d %*d %llu",
             &parent, &user, &system, &start) != 4)
    return status;
  i64 ticks = sysconf(_SC_CLK_TCK);
  status.parent = parent;
  status.cpu_nanoseconds = static_cast<i64>(user + system) * (1'000'000'000 / ticks);
  status.start_milliseconds = boot_time_milliseconds() + static_cast<i64>(start) * 1000 / ticks;
  return status;
}

}  // namespace

i64 ProcessHandleImpl_getCurrentPid0(JavaThread*) { return getpid(); }

// Returns the process's start time; 0 when it is not known, -1 when there is no such process.
i64 ProcessHandleImpl_isAlive0(JavaThread*, i64 pid) { return status_of(pid).start_milliseconds; }

i64 ProcessHandleImpl_parent0(JavaThread*, i64 pid, i64 start_time) {
  if (pid == getpid()) return getppid();
  ProcessStatus status = status_of(pid);
  if (start_time != 0 && status.start_milliseconds != start_time && status.start_milliseconds != 0) return -1;
  return status.parent;
}

// Fills the arrays with the children of `pid` (0: all processes), as many as fit. Returns the number of children.
i32 ProcessHandleImpl_getProcessPids0(JavaThread* thread, i64 pid, Handle pids, Handle parents, Handle starts) {
  DIR* folder = opendir("/proc");
  if (folder == nullptr) {
    throw_message(thread, Symbol::intern("java/lang/RuntimeException"), "Unable to open /proc");
    return -1;
  }
  i32 count = 0;
  i32 room = pids->length();
  while (dirent* entry = readdir(folder)) {
    i64 found = atoll(entry->d_name);
    if (found <= 0) continue;
    ProcessStatus status = status_of(found);
    if (status.parent < 0 || (pid != 0 && status.parent != pid)) continue;
    if (count < room) {
      pids->elements<i64>()[count] = found;
      if (!parents.is_null()) parents->elements<i64>()[count] = status.parent;
      if (!starts.is_null()) starts->elements<i64>()[count] = status.start_milliseconds;
    }
    ++count;
  }
  closedir(folder);
  return count;
}

bool ProcessHandleImpl_destroy0(JavaThread*, i64 pid, i64 start_time, bool force) {
  i64 start = status_of(pid).start_milliseconds;
  if (start != start_time && start != 0 && start_time != 0) return false;
  return kill(static_cast<pid_t>(pid), force ? SIGKILL : SIGTERM) == 0;
}

i32 ProcessHandleImpl_waitForProcessExit0(JavaThread* thread, i64 pid, bool reap) {
  constexpr i32 not_a_child = -2;
  NativeScope native(thread);
  if (reap) {
    int status;
    while (waitpid(static_cast<pid_t>(pid), &status, 0) < 0) {
      if (errno == ECHILD) return not_a_child;
      if (errno != EINTR) return -1;
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : WIFSIGNALED(status) ? 0x80 + WTERMSIG(status) : status;
  }
  siginfo_t info{};
  while (waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOWAIT) < 0) {
    if (errno == ECHILD) return not_a_child;
    if (errno != EINTR) return -1;
  }
  return info.si_code == CLD_EXITED ? info.si_status : 0x80 + info.si_status;
}

void ProcessHandleInfo_info0(JavaThread* thread, Handle self, i64 pid) {
  const late::ProcessHandleInfo* row = late::get<late::ProcessHandleInfo>(thread);
  if (row == nullptr) return;
  ProcessStatus status = status_of(pid);
  if (status.parent < 0) return;
  self->set<i64>(row->total_time, status.cpu_nanoseconds);
  self->set<i64>(row->start_time, status.start_milliseconds);

  std::string folder = fmt::format("/proc/{}", pid);
  auto store = [&](u32 offset, const std::string& text) MAY_SAFEPOINT {
    Object* object = make_string_utf8(thread, text);
    if (object != nullptr) barrier::store(self.get(), offset, object);
    return object != nullptr;
  };
  struct stat owner;
  if (stat(folder.c_str(), &owner) == 0) {
    std::string user = user_of(owner.st_uid).name;
    if (!user.empty() && !store(row->user, user)) return;
  }
  char path[PATH_MAX];
  ssize_t length = readlink((folder + "/exe").c_str(), path, sizeof path);
  std::string command = length > 0 ? std::string(path, static_cast<usize>(length)) : std::string();
  if (!command.empty() && !store(row->command, command)) return;

  std::string line = file_contents(folder + "/cmdline");
  if (line.empty()) return;
  std::vector<std::string> words;
  for (usize start = 0; start < line.size();) {
    usize end = std::min(line.find('\0', start), line.size());
    words.push_back(line.substr(start, end - start));
    start = end + 1;
  }
  if (command.empty() && !words.empty()) {
    if (!store(row->command_line, words[0])) return;
  }
  if (!words.empty()) words.erase(words.begin());
  Object* arguments = new_string_array(thread, words);
  if (arguments != nullptr) barrier::store(self.get(), row->arguments, arguments);
}

// --- starting processes ----------------------------------------------------------------------------------------------

void ProcessImpl_init(JavaThread*) {}

namespace {

// Splits a block of `count` strings, each with a zero at its end.
std::vector<char*> split_block(std::string& block, i32 count) {
  std::vector<char*> strings;
  char* next = block.data();
  for (i32 i = 0; i < count; ++i) {
    strings.push_back(next);
    next += strlen(next) + 1;
  }
  return strings;
}

std::string bytes_of(Handle array) TOUCHES_OBJECTS {
  return array.is_null() ? std::string() : std::string(array->elements<char>(), static_cast<usize>(array->length()));
}

struct ChildPlan {
  std::vector<char*> arguments, environment;
  std::vector<char*> shell_arguments;  // "/bin/sh", room for the program, and its arguments
  bool own_environment;
  const char* folder;
  int input, output, error;           // what becomes 0, 1, 2
  int report;                         // errno goes here when exec fails; closed by exec
  std::vector<std::string> programs;  // candidates, in the order of PATH
};

// Runs in the child between fork and exec, where only system calls are allowed.
[[noreturn]] void run_child(ChildPlan& plan) {
  // First moves all descriptors above 2, so that no dup2 overwrites one that is moved later.
  int input = fcntl(plan.input, F_DUPFD, 3), output = fcntl(plan.output, F_DUPFD, 3),
      error = fcntl(plan.error, F_DUPFD, 3);
  int report = fcntl(plan.report, F_DUPFD_CLOEXEC, 3);
  if (input >= 0 && output >= 0 && error >= 0 && dup2(input, 0) >= 0 && dup2(output, 1) >= 0 && dup2(error, 2) >= 0) {
#if defined(__GLIBC_PREREQ) && __GLIBC_PREREQ(2, 34)
    if (report > 3) close_range(3, static_cast<unsigned>(report - 1), 0);
    close_range(static_cast<unsigned>(report + 1), ~0u, 0);
#endif
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    signal(SIGPIPE, SIG_DFL);
    if (plan.folder == nullptr || chdir(plan.folder) == 0) {
      char** environment = plan.own_environment ? const_cast<char**>(plan.environment.data()) : environ;
      int problem = ENOENT;
      for (std::string& program : plan.programs) {
        execve(program.c_str(), plan.arguments.data(), environment);
        if (errno == ENOEXEC) {  // a script without #!, as far as anybody knows
          plan.shell_arguments[1] = program.data();
          execve("/bin/sh", plan.shell_arguments.data(), environment);
        }
        if (errno != ENOENT && errno != ENOTDIR) problem = errno;
        if (errno != ENOENT && errno != ENOTDIR && errno != EACCES) break;
      }
      errno = problem;
    }
  }
  int problem = errno;
  [[maybe_unused]] ssize_t written = write(report, &problem, sizeof problem);
  _exit(127);
}

std::vector<std::string> candidates(const std::string& program) {
  if (program.find('/') != std::string::npos) return {program};
  const char* path = getenv("PATH");
  std::string_view rest = path == nullptr ? std::string_view("/bin:/usr/bin") : std::string_view(path);
  std::vector<std::string> result;
  for (;;) {
    usize colon = rest.find(':');
    std::string_view folder = rest.substr(0, colon);
    result.push_back((folder.empty() ? std::string(".") : std::string(folder)) + "/" + program);
    if (colon == std::string_view::npos) return result;
    rest = rest.substr(colon + 1);
  }
}

}  // namespace

// Starts a process and returns its pid. fds[i] >= 0: the child uses that descriptor. -1: makes a pipe and stores the
// parent's end there.
i32 ProcessImpl_forkAndExec(JavaThread* thread, Handle, i32, Handle, Handle program, Handle argument_block,
                            i32 argument_count, Handle environment_block, i32 environment_count, Handle folder,
                            Handle fds, bool redirect_error) {
  std::string program_name = bytes_of(program).c_str();
  std::string arguments = bytes_of(argument_block), variables = bytes_of(environment_block),
              folder_name = bytes_of(folder);
  ChildPlan plan;
  plan.arguments = split_block(arguments, argument_count);
  plan.arguments.insert(plan.arguments.begin(), program_name.data());
  plan.arguments.push_back(nullptr);
  plan.shell_arguments = {const_cast<char*>("/bin/sh"), nullptr};
  plan.shell_arguments.insert(plan.shell_arguments.end(), plan.arguments.begin() + 1, plan.arguments.end());
  plan.own_environment = !environment_block.is_null();
  plan.environment = split_block(variables, plan.own_environment ? environment_count : 0);
  plan.environment.push_back(nullptr);
  plan.folder = folder.is_null() ? nullptr : folder_name.c_str();
  plan.programs = candidates(program_name);

  i32 given[3];
  memcpy(given, fds->elements<i32>(), sizeof given);
  int pipes[4][2] = {{-1, -1}, {-1, -1}, {-1, -1}, {-1, -1}};  // in, out, error, report
  auto close_all = [&] {
    for (auto& ends : pipes)
      for (int end : ends)
        if (end >= 0) close(end);
  };
  auto fail = [&](const char* step, int problem) MAY_SAFEPOINT {
    close_all();
    if (release::names_failed_step())
      throw_new(thread, names::java_io_IOException, "{}, error: {} ({}) ", step, problem, strerror(problem));
    else throw_new(thread, names::java_io_IOException, "error={}, {}", problem, strerror(problem));
    return -1;
  };
  for (int i = 0; i < 4; ++i) {
    bool wanted = i == 3 || (given[i] == -1 && !(i == 2 && redirect_error));
    if (wanted && pipe2(pipes[i], O_CLOEXEC) != 0) return fail("pipe failed", errno);
  }
  plan.input = pipes[0][0] >= 0 ? pipes[0][0] : given[0];
  plan.output = pipes[1][1] >= 0 ? pipes[1][1] : given[1];
  plan.error = redirect_error ? plan.output : pipes[2][1] >= 0 ? pipes[2][1] : given[2];
  plan.report = pipes[3][1];

  pid_t child;
  int problem = 0;
  {
    NativeScope native(thread);
    child = fork();
    if (child == 0) run_child(plan);
    if (child < 0) problem = errno;
    close(pipes[3][1]);
    pipes[3][1] = -1;
    // Nothing can be read if exec succeeded, because exec closed the other end.
    ssize_t length = 0;
    if (child > 0)
      while ((length = read(pipes[3][0], &problem, sizeof problem)) < 0 && errno == EINTR) {
      }
    if (child > 0 && length == sizeof problem) waitpid(child, nullptr, 0);
  }
  if (problem != 0) return fail(child < 0 ? "fork failed" : "Exec failed", problem);
  auto hand_over = [&](int index, int& end) TOUCHES_OBJECTS {
    fds->elements<i32>()[index] = end;
    end = -1;
  };
  if (pipes[0][1] >= 0) hand_over(0, pipes[0][1]);
  else fds->elements<i32>()[0] = -1;
  if (pipes[1][0] >= 0) hand_over(1, pipes[1][0]);
  else fds->elements<i32>()[1] = -1;
  if (pipes[2][0] >= 0) hand_over(2, pipes[2][0]);
  else fds->elements<i32>()[2] = -1;
  close_all();
  return child;
}

}  // namespace keyhole::natives
