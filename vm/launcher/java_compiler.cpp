// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Chooses the compiler, and starts it.
#include "vm/launcher/java_compiler.h"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <string_view>
#include <utility>

#include "runtime/base/print.h"
#include "runtime/base/process/child_process.h"
#include "runtime/base/process/executable.h"
#include "vm/classfile/java_home.h"
#include "vm/launcher/header_layout.h"

namespace keyhole {
namespace {

// Variables with options for the VM of the program. None of them is for the VM that compiles it.
constexpr std::string_view options_of_program[] = {
    "JAVA_TOOL_OPTIONS=", "KEYHOLE_OPTIONS=", "JDK_JAVA_OPTIONS=", "_JAVA_OPTIONS="};

bool is_there(const std::string& path) {
  std::error_code error;
  return std::filesystem::exists(path, error);
}

bool has_compiler(const std::string& home) { return is_there(home + "/bin/javac"); }

// The command that runs this executable on a library. Its flag names the executable's own header layout: otherwise it
// might start the executable of another layout, which need not exist.
std::vector<std::string> this_vm_on(const std::string& library) {
  return {executable_path(), flag_of_own_layout(), "-Djava.home=" + library};
}

std::vector<std::string> javac_of(const std::string& home) {
  if (executable_path().empty()) return {home + "/bin/javac"};
  std::vector<std::string> words = this_vm_on(home);
  // As the JDK's bin/javac starts it.
  words.insert(words.end(), {"--add-modules", "ALL-DEFAULT", "-m", "jdk.compiler/com.sun.tools.javac.Main"});
  return words;
}

bool is_for_program(std::string_view variable) {
  for (std::string_view name : options_of_program)
    if (variable.starts_with(name)) return true;
  return false;
}

}  // namespace

JavaCompiler compiler_for(const std::string& library) {
  if (has_compiler(library)) return {javac_of(library), library + "/bin/javac"};
  u32 wanted = release_of(library);
  JavaCompiler compiler;
  for (const Library& other : installed_libraries()) {  // the newest first
    if (std::cmp_less(other.release, wanted) || !has_compiler(other.home)) continue;
    compiler = {javac_of(other.home), other.home + "/bin/javac"};
    break;
  }
  std::string fetched = fetched_libraries() + "/javac";
  if (compiler.words.empty() && is_there(fetched + "/api.jar")) {
    compiler = {this_vm_on(library), fetched + "/javac.jar"};
    compiler.words.insert(compiler.words.end(),
                          {"-cp", fetched + "/javac.jar:" + fetched + "/api.jar", "com.sun.tools.javac.Main"});
  }
  std::string number = fmt::format("{}", wanted);
  if (!compiler.words.empty()) {
    compiler.words.insert(compiler.words.end(),
                          {"--system", library, "-source", number, "-target", number, "-Xlint:-options"});
  }
  return compiler;
}

int run_javac(const std::vector<std::string>& words, const std::filesystem::path& messages) {
  std::vector<char*> environment;
  for (char** variable = environ; *variable != nullptr; ++variable)
    if (!is_for_program(*variable)) environment.push_back(*variable);
  environment.push_back(nullptr);
  int status = 0;
  if (int error = run_program(words, messages.string(), 0666, environment.data(), status); error != 0) {
    print_text(stderr, "error: cannot run {}: {}\n", words[0], strerror(error));
    return 1;
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

}  // namespace keyhole
