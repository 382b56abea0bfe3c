// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs in a signal handler of a process that may be damaged: no memory is allocated and no lock is taken.
#include "vm/launcher/error_commands.h"

#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <vector>

#include "runtime/base/process/shell_commands.h"

namespace keyhole {
namespace {

std::string* given = nullptr;                  // as on the command line
std::vector<std::string>* commands = nullptr;  // never freed: the crash may come late

void say(const char* text) { [[maybe_unused]] ssize_t written = write(STDERR_FILENO, text, strlen(text)); }

}  // namespace

void prepare_error_commands(const std::string& text) {
  if (text.empty()) return;
  given = new std::string(text);
  commands = new std::vector<std::string>(shell_commands(text));
}

void run_error_commands() {
  if (commands == nullptr) return;
  say("#\n# -XX:OnError=\"");
  say(given->c_str());
  say("\"\n");
  for (const std::string& command : *commands) {
    say("#   Executing /bin/sh -c \"");
    say(command.c_str());
    say("\" ...\n");
    pid_t child = fork();
    if (child == 0) {
      execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
      _exit(127);
    }
    while (child > 0 && waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
}

}  // namespace keyhole
