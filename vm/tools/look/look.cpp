// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Implements --look: runs the program, reads its recording, and writes the page.
#include "vm/tools/look/look.h"

#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "runtime/base/flags.h"
#include "runtime/base/print.h"
#include "runtime/base/process/executable.h"
#include "runtime/recorder/recording.h"
#include "vm/tools/look/options.h"
#include "vm/tools/look/page_data.h"
#include "vm/tools/look/page_file.h"
#include "vm/tools/recording/known_events.h"

namespace keyhole::look {

namespace {

namespace fs = std::filesystem;
using recorder::Entry;
using recorder::Recording;

int fail(std::string_view problem, int exit_code = 1) {
  print_text(stderr, "keyhole: {}\n", problem);
  return exit_code;
}

std::atomic<pid_t> child{0};

// Forwards a signal to the program. Control-C is not forwarded, because the terminal sends it to the program as well.
void pass_on(int signal) {
  if (pid_t running = child.load(); running > 0 && signal != SIGINT) kill(running, signal);
}

// Returns the program's exit code as a shell reports it, or -1 if the program did not start.
int run(const std::vector<std::string>& words) {
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  pid_t parent = getpid(), started = fork();
  if (started == 0) {
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() == parent) execv(arguments[0], arguments.data());
    _exit(127);
  }
  if (started < 0) return -1;
  child.store(started);
  struct sigaction action{};
  action.sa_handler = pass_on;
  for (int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) sigaction(signal, &action, nullptr);
  int status = 0;
  while (waitpid(started, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

// Removes a file at the end of the scope.
class Removed {
 public:
  explicit Removed(std::string path) : path_(std::move(path)) {}
  ~Removed() {
    if (!path_.empty()) unlink(path_.c_str());
  }
  Removed(const Removed&) = delete;
  Removed& operator=(const Removed&) = delete;

 private:
  std::string path_;
};

// A recording in the temporary folder, which is removed at the end of the scope.
class TemporaryFile {
 public:
  TemporaryFile() {
    std::error_code error;
    std::string pattern = (fs::temp_directory_path(error) / "keyhole-look-XXXXXX").string();
    int file = mkstemp(pattern.data());
    if (file < 0) return;
    close(file);
    path_ = pattern;
  }
  ~TemporaryFile() {
    if (!path_.empty()) unlink(path_.c_str());
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// Checks the program's command line. Returns an empty string, or why it does not start a program.
std::string check_program(const ProgramCommand& line, const Options& options) {
  if (!line.is_valid) return line.output + line.error;
  if (!line.starts_program) return "keyhole: --look needs a program to run\n";
  for (const std::string& argument : line.vm_arguments) {
    for (std::string_view chosen : {"-XX:StartRecording=", "-XX:RecordEvents="}) {
      if (argument.starts_with(chosen))
        return fmt::format(
            "keyhole: {} is chosen by --look itself; --keep FILE keeps the recording, --events A,B says "
            "what is recorded\n",
            argument);
    }
    if (!options.modes.empty() && argument.starts_with("-XX:LockingMode="))
      return fmt::format("keyhole: {}: --modes says which locking modes run\n", argument);
  }
  return {};
}

// Shortens a program's name: "bank.Main" -> "Main", "dir/Main.java" -> "Main", "m/bank.Main" -> "Main".
std::string short_name(const ProgramCommand& line) {
  std::string name = fs::path(line.what).filename().string();
  if (line.is_source_file || line.is_jar) return fs::path(name).stem().string();
  return name.substr(name.rfind('.') + 1);
}

class Look {
 public:
  explicit Look(const Options& options) : options_(options) {}

  int of_recordings() {
    for (const std::string& file : options_.recordings) {
      About about;
      about.program = options_.recordings.size() == 1 ? fs::path(file).filename().string() : file;
      output_ += (output_.empty() ? "" : "-") + fs::path(file).stem().string();
      if (!add_side(file, about)) return exit_code_;
    }
    output_ += ".look.html";
    return write();
  }

  int of_program(ReadProgramCommand read) {
    ProgramCommand line = read(options_.program);  // also sets the flags of this process to those of the program's VM
    if (std::string problem = check_program(line, options_); !problem.empty()) {
      print_text(stderr, "{}", problem);
      return 1;
    }
    if (access(template_path().c_str(), R_OK) != 0)  // checked before the program runs
      return fail(fmt::format("there is no {}: build the target look_page", template_path()));
    About about;
    if (line.is_source_file) read_source(line.what, about);
    for (const std::string& word : options_.program) about.program += (about.program.empty() ? "" : " ") + word;
    const std::string name = short_name(line);
    output_ = name + ".look.html";
    if (options_.modes.empty()) {
      about.mode = flags::LockingMode;
      if (!add_run(about, {}, options_.keep)) return exit_code_;
    }
    for (const std::string& mode : options_.modes) {
      about.mode = mode;
      print_text(stderr, "keyhole: {} runs in the locking mode {}\n", name, mode);
      const std::string keep =
          options_.keep.empty() ? "" : fmt::format("{}.{}", options_.keep, fs::path(mode).stem().string());
      if (!add_run(about, {"-XX:LockingMode=" + mode}, keep)) return exit_code_;
    }
    return write();
  }

 private:
  // Reads the source file whose lines the page will show. Skips a file that is too large or is not text.
  static void read_source(const std::string& path, About& about) {
    constexpr usize largest = 1 << 20;
    std::ifstream file(path, std::ios::binary);
    std::string text(largest, '\0');
    file.read(text.data(), static_cast<std::streamsize>(largest));
    text.resize(static_cast<usize>(file.gcount()));
    if (text.size() == largest || text.find('\0') != std::string::npos) return;
    about.source_name = fs::path(path).filename().string();
    about.source = std::move(text);
  }

  // Runs the program with additional flags, and adds its recording to the page. `keep`: the file in which the recording
  // is kept, or empty. Returns false if there is no recording; exit_code_ then tells why.
  bool add_run(const About& about, const std::vector<std::string>& more_flags, const std::string& keep) {
    TemporaryFile temporary;
    const std::string& file = keep.empty() ? temporary.path() : keep;
    if (file.empty()) return stop(fmt::format("cannot make a temporary file: {}", strerror(errno)));
    std::vector<std::string> words{executable_path(), "-XX:StartRecording=" + file};
    words.insert(words.end(), more_flags.begin(), more_flags.end());
    if (!options_.events.empty()) words.push_back("-XX:RecordEvents=" + options_.events);
    Removed listings(keep.empty() && options_.code ? listings_path(file) : "");
    if (options_.code) words.push_back(fmt::format("--code-listings={}:{}", listings_path(file), *options_.code));
    words.insert(words.end(), options_.program.begin(), options_.program.end());
    int exit_code = run(words);
    if (exit_code < 0) return stop(fmt::format("cannot start a process: {}", strerror(errno)));
    if (exit_code_ == 0) exit_code_ = exit_code;
    std::error_code error;
    if (fs::file_size(file, error) == 0 || error) {  // the VM ended before it began to record
      // A VM that fails has printed the reason.
      return exit_code == 0 ? stop("the program's VM has recorded nothing") : false;
    }
    if (exit_code != 0) print_text(stderr, "keyhole: the program ended with exit code {}\n", exit_code);
    return add_side(file, about);
  }

  bool add_side(const std::string& file, About about) {
    if (options_.code) {
      std::string problem;
      about.listings = read_listings(listings_path(file), problem);
      if (!problem.empty()) return stop(problem);
    }
    Recording recording = recording::read_known_events(file);
    if (recording.entries.empty())
      return stop(recording.problem.empty() ? fmt::format("there are no events in {}", file) : recording.problem);
    keep_time(recording);
    if (recording.entries.empty()) return stop("there are no events between --from and --until");
    if (!largest_object_fits(recording))
      return stop(fmt::format("objects of {} have numbers that are too large for a page of its events", file));
    events_ += recording.entries.size();
    if (events_ > most_events)
      return stop(
          fmt::format("{} events are too many for a page, which takes {}: choose a part with --from and --until",
                      events_, most_events));
    sides_.push_back(page_data_of(recording, about));
    if (!recording.problem.empty()) problems_.push_back(recording.problem);
    return true;
  }

  int write() {
    if (!options_.output.empty()) output_ = options_.output;
    if (std::string problem = write_page(sides_, output_); !problem.empty()) stop(problem);
    else {
      std::error_code error;
      fs::path path = fs::absolute(output_, error);
      print_text(stderr, "keyhole: the page of {} events ({:.1f} MB) is in {}\n", events_,
                 static_cast<f64>(fs::file_size(path, error)) / 1e6, path.string());
    }
    for (const std::string& problem : problems_) stop(problem);
    return exit_code_;
  }

  // Reports a problem. The exit code of a program that has failed is kept. Returns false.
  bool stop(std::string_view problem) {
    int exit_code = fail(problem);
    if (exit_code_ == 0) exit_code_ = exit_code;
    return false;
  }

  void keep_time(Recording& recording) const {
    if (!options_.from && !options_.until) return;
    std::erase_if(recording.entries, [&](const Entry& entry) {
      f64 time = static_cast<f64>(entry.nanoseconds) / 1e6;
      return time < options_.from.value_or(time) || time > options_.until.value_or(time);
    });
  }

  const Options& options_;
  std::string output_;
  std::vector<PageData> sides_;
  usize events_ = 0;  // of all sides
  std::vector<std::string> problems_;
  int exit_code_ = 0;
};

}  // namespace

int look(std::span<char*> words, ReadProgramCommand read) {
  Options options;
  if (std::string problem = parse_options(words, options); !problem.empty())
    return fail(fmt::format("{}\n\n{}", problem, usage), 2);
  if (options.help) {
    print_text("{}", usage);
    return 0;
  }
  return options.recordings.empty() ? Look(options).of_program(read) : Look(options).of_recordings();
}

}  // namespace keyhole::look
