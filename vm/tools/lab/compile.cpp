// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Writes the translation unit of a lock, runs the compiler, and caches the shared object.
#include "vm/tools/lab/compile.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <vector>

#include "jit/image/image_file.h"
#include "jit/image/trusted_file.h"
#include "runtime/base/fnv_hash.h"
#include "runtime/base/process/child_process.h"
#include "runtime/base/process/executable.h"
#include "runtime/object/layout.h"
#include "vm/classfile/java_home.h"

namespace keyhole::lab {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view compiler_name = "clang++-19";
constexpr usize most_bytes = 1 << 20;  // of an author's file

struct Recipe {
  std::string_view name;
  std::string_view header, last_line;
  std::string_view flags;  // compiler flags of this recipe, in addition to the flags of all recipes
};
// The object for the VM is compiled with the VM's flags (KEYHOLE_LOCK_FLAGS, set by CMake). The other objects are
// opened by programs that are built with assertions.
constexpr Recipe recipes[] = {
    {"vm", "runtime/sync/lab/vm.h", "KEYHOLE_LOCK_FOR_VM", KEYHOLE_LOCK_FLAGS},
    {"checker", "tests/model/loaded_lock.h", "KEYHOLE_LOCK_FOR_CHECKER",
     KEYHOLE_LOCK_FLAGS " -O1 -DKEYHOLE_DEBUG=1 -DKEYHOLE_TEST_CODE=1"},
    {"simulator", "bench/mutexbench/loaded_lock.h", "KEYHOLE_LOCK_FOR_SIMULATOR",
     KEYHOLE_LOCK_FLAGS " -DKEYHOLE_TEST_CODE=1"},
};

std::vector<std::string> words_of(std::string_view text) {
  std::istringstream stream{std::string(text)};
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

// Returns the folder of the headers: the source tree in which this executable was built, or the installed headers.
std::string headers() {
  constexpr std::string_view header = "runtime/sync/lab/core.h";
  for (std::string_view folder : {"/../..", "/include"}) {
    std::error_code error;
    fs::path root = fs::canonical(executable_folder() + std::string(folder), error);
    if (!error && fs::exists(root / header, error)) return root.string();
  }
  return {};
}

// Returns the path of the compiler, or an empty text.
std::string compiler() {
  const char* path = getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    std::string file = fmt::format("{}/{}", folder, compiler_name);
    if (access(file.c_str(), X_OK) == 0) return file;
  }
  return {};
}

std::string text_of(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

// Returns whether the cached object is newer than all files that it was compiled from (O1). The compiler has listed
// these files in the .d file, in make's format: "object: file file \ file".
bool is_fresh(const std::string& object) {
  std::error_code error;
  fs::file_time_type made = fs::last_write_time(object, error);
  if (error) return false;
  std::string parts = text_of(fs::path(object).replace_extension(".d").string());
  usize colon = parts.find(": ");
  if (colon == std::string::npos) return false;
  std::vector<std::string> files = words_of(std::string_view(parts).substr(colon + 1));
  files.push_back(executable_path());
  for (const std::string& file : files) {
    // skips the generated translation unit, because it was removed after the compilation
    if (file == "\\" || file.starts_with(object)) continue;
    fs::file_time_type changed = fs::last_write_time(file, error);
    if (error || changed >= made) return false;
  }
  return true;
}

// Checks everything that can be wrong before the compiler runs. Returns the empty string, or the complaint.
std::string check_file(const std::string& file) {
  if (file.find_first_of("\"\\\n ") != std::string::npos)
    return fmt::format("{}: a lock's path has no blanks, quotes or backslashes.", file);
  image::TrustedContent content = image::read_trusted(file, most_bytes);
  if (!content.exists && content.problem.empty()) return fmt::format("There is no file {}.", file);
  if (!content.problem.empty())
    return fmt::format("{}: a lock is code that runs in this process, and {}.", file, content.problem);  // O2
  bool names_lock = content.bytes.contains("KEYHOLE_LOCK(") || content.bytes.contains("KEYHOLE_PROTOCOL(");
  return names_lock ? "" : fmt::format("{} has no KEYHOLE_LOCK(Name), which names its lock.", file);
}

std::string compile_with(const Recipe& recipe, const std::string& file, const std::string& object) {
  std::string root = headers(), clang = compiler();
  if (root.empty())
    return fmt::format("The headers that locks are compiled with are neither in the tree around {} nor beside it.",
                       executable_folder());
  if (clang.empty())
    return fmt::format("There is no {} on the PATH, which compiles locks: apt-get install clang-19.", compiler_name);
  std::string base = fmt::format("{}.{}", object, getpid());
  std::string unit = base + ".cpp", messages = base + ".log", made = base + ".so", parts = base + ".d";
  std::ofstream(unit) << fmt::format("#include \"{}\"\n#include \"runtime/sync/lab/poison.h\"\n#include \"{}\"\n{}\n",
                                     recipe.header, file, recipe.last_line);
  // Makes the source locations of the VM's headers relative, so that the checker finds the headers in the folders above
  // its executable.
  std::string relative = fs::path(root).filename() == "include" ? "include/" : "";
  std::vector<std::string> words{clang,
                                 "-std=gnu++23",
                                 "-fPIC",
                                 "-shared",
                                 "-I" + root,
                                 "-I" + root + "/runtime/sync/lab",
                                 fmt::format("-fmacro-prefix-map={}/={}", root, relative),
                                 "-fno-strict-aliasing",
                                 "-fno-exceptions",
                                 "-fno-rtti",
                                 "-Wno-invalid-offsetof",
                                 "-ferror-limit=3",
                                 "-fno-color-diagnostics"};
  for (std::string& word : words_of(recipe.flags)) words.push_back(std::move(word));
  words.push_back(fmt::format("-DKEYHOLE_LOCK_BUILD=\"{}\"", build_of_vm()));
  words.push_back(fmt::format("-DKEYHOLE_HEADER_LAYOUT=\"runtime/object/layout_{}.h\"", layout::name));
  words.insert(words.end(), {"-MMD", "-MF", parts, "-o", made, unit});
  fs::file_time_type begun = fs::file_time_type::clock::now();
  int code = run(words, messages);
  int reason = errno;
  std::string said = text_of(messages);
  std::error_code error;
  if (code == 0) {
    fs::rename(parts, fs::path(object).replace_extension(".d"), error);
    fs::rename(made, object, error);
    // O1: dates the object with the start of the compilation, because files may have changed while the compiler read
    // them
    fs::last_write_time(object, begun, error);
  }
  for (const std::string& left : {unit, messages, made, parts}) fs::remove(left, error);
  if (code < 0) return fmt::format("{} cannot be run: {}.", clang, strerror(reason));
  if (code == 0 && fs::exists(object, error)) return {};
  return code == 0 ? fmt::format("{} cannot be written.", object) : explain_messages(said, file);
}

}  // namespace

int run(const std::vector<std::string>& words, const std::string& output) {
  int status = 0;
  if (int error = run_program(words, output, 0600, nullptr, status); error != 0) {
    errno = error;
    return -1;
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

const std::string& build_of_vm() {
  static const std::string build = fmt::format("{} {}", layout::name, image::build_id(executable_path()));
  return build;
}

Compiled compile(const std::string& name, World world) {
  const Recipe& recipe = recipes[static_cast<u32>(world)];
  std::error_code error;
  std::string file = fs::absolute(name, error).lexically_normal().string();
  if (std::string complaint = check_file(file); !complaint.empty()) return {{}, complaint};
  fs::path folder = cache_folder();
  if (!folder.empty()) folder /= "locks";
  if (folder.empty() || (fs::create_directories(folder, error), error))
    return {{}, "There is no folder for compiled locks: neither HOME nor XDG_CACHE_HOME is a folder to write to."};
  u64 key = fnv_hash(fmt::format("{}\n{}\n{}\n{}\n{}", file, recipe.name, recipe.flags, build_of_vm(), headers()));
  std::string object = (folder / fmt::format("{:016x}.so", key)).string();
  if (is_fresh(object)) return {object, {}};
  // If several processes need the same object, one of them compiles it and the others wait at this file lock. Closing
  // the descriptor releases the lock.
  int lock = open((object + ".lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (lock >= 0) flock(lock, LOCK_EX);
  struct Closer {
    int descriptor;
    ~Closer() {
      if (descriptor >= 0) close(descriptor);
    }
  } closer{lock};
  if (is_fresh(object)) return {object, {}};
  if (std::string complaint = compile_with(recipe, file, object); !complaint.empty()) return {{}, complaint};
  return {object, {}};
}

void remove_object(const std::string& object) {
  std::error_code error;
  for (const std::string& file : {object, object + ".lock"}) fs::remove(file, error);
  fs::remove(fs::path(object).replace_extension(".d"), error);
}

std::string compile_to(const std::string& name, const std::string& object) {
  std::error_code error;
  std::string file = fs::absolute(name, error).lexically_normal().string();
  if (std::string complaint = check_file(file); !complaint.empty()) return complaint;
  std::string complaint = compile_with(recipes[static_cast<u32>(World::vm)], file, object);
  fs::remove(fs::path(object).replace_extension(".d"), error);
  return complaint;
}

}  // namespace keyhole::lab
