// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Cache keys, the arguments of javac, and a scanner that knows just enough Java to find the first class.
//
// A folder of the cache:
//   classes/    the class files
//   source/     a copy of the source
//   others      a line for each further source that javac has compiled: hash of its contents, path
//   messages    javac's messages, which each later run prints again
//   .complete
#include "vm/launcher/source_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <cctype>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <utility>
#include <vector>

#include "runtime/base/fnv_hash.h"
#include "runtime/base/print.h"
#include "vm/classfile/class_path.h"
#include "vm/classfile/java_home.h"
#include "vm/launcher/class_source.h"
#include "vm/launcher/java_compiler.h"

namespace keyhole {
namespace {

namespace fs = std::filesystem;

std::string read_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

// Yields identifiers and single characters; skips comments, literals and white space.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  std::string_view next() {
    while (position_ < text_.size()) {
      char c = text_[position_];
      if (std::isspace(static_cast<unsigned char>(c))) {
        ++position_;
      } else if (text_.substr(position_, 2) == "//") {
        position_ = end_of("\n");
      } else if (text_.substr(position_, 2) == "/*") {
        position_ += 2;
        position_ = end_of("*/");
      } else if (text_.substr(position_, 3) == "\"\"\"") {
        position_ += 3;
        position_ = end_of("\"\"\"");
      } else if (c == '"' || c == '\'') {
        for (++position_; position_ < text_.size() && text_[position_] != c; ++position_) {
          if (text_[position_] == '\\') ++position_;
        }
        ++position_;
      } else if (is_part(c)) {
        usize start = position_;
        while (position_ < text_.size() && is_part(text_[position_])) ++position_;
        return text_.substr(start, position_ - start);
      } else {
        return text_.substr(position_++, 1);
      }
    }
    return {};
  }

 private:
  static bool is_part(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$' || static_cast<unsigned char>(c) >= 0x80;
  }
  usize end_of(std::string_view mark) const {
    usize found = text_.find(mark, position_);
    return found == std::string_view::npos ? text_.size() : found + mark.size();
  }
  std::string_view text_;
  usize position_ = 0;
};

// A file that javac accepts: the source itself, or a copy, because javac does not accept "#!" and requires the name of
// the public class.
std::string compilable_file(const std::string& path, const std::string& source, const SourceTypes& types,
                            const fs::path& work) {
  bool is_script = source.starts_with("#!");
  const std::string& name = types.public_type.empty() ? types.main_class : types.public_type;
  std::string class_file = name.substr(name.rfind('.') + 1) + ".java";
  bool fits = path.ends_with(".java") && (types.public_type.empty() || fs::path(path).filename() == class_file);
  if (fits && !is_script) return path;
  std::error_code error;
  fs::create_directories(work / "copy", error);
  fs::path copy = work / "copy" / class_file;
  std::ofstream(copy, std::ios::binary) << (is_script ? "//" : "") << source;  // keeps the line numbers
  return copy.string();
}

std::string replaced(std::string text, const std::string& old_text, const std::string& new_text) {
  for (usize at = 0; (at = text.find(old_text, at)) != std::string::npos; at += new_text.size())
    text.replace(at, old_text.size(), new_text);
  return text;
}

// Returns the sources that javac compiled besides the program's own, because the cache must notice when they change.
// Also renames the source in classes that were compiled from a copy.
std::string finish_classes(const fs::path& classes, const fs::path& root, const std::string& own_name,
                           const std::string& copy_name) {
  std::string others;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(classes, error)) {
    if (entry.path().extension() != ".class") continue;
    std::string bytes = read_file(entry.path());
    ClassSource source = source_of_class(bytes);
    if (source.source_file == copy_name) {
      if (copy_name != own_name)
        std::ofstream(entry.path(), std::ios::binary | std::ios::trunc) << with_source_file(bytes, own_name);
      continue;
    }
    fs::path other = fs::absolute(root / (source.package + source.source_file), error);
    std::string line = fmt::format("{:016x} {}\n", fnv_hash(read_file(other)), other.string());
    if (!source.source_file.empty() && others.find(line) == std::string::npos) others += line;
  }
  return others;
}

bool are_unchanged(const std::string& others) {
  std::istringstream lines(others);
  for (std::string line; std::getline(lines, line);) {
    usize space = line.find(' ');
    if (space == std::string::npos) return false;
    if (fmt::format("{:016x}", fnv_hash(read_file(line.substr(space + 1)))) != line.substr(0, space)) return false;
  }
  return true;
}

// The root folder of a source file's package.
fs::path source_root(const std::string& path, const std::string& main_class) {
  std::error_code error;
  fs::path root = fs::absolute(path, error).parent_path();
  for (char c : main_class) {
    if (c == '.') root = root.parent_path();
  }
  return root;
}

}  // namespace

SourceTypes types_of_source(const std::string& source, const std::string& file_name) {
  Scanner scanner(source.starts_with("#!") ? std::string_view(source).substr(source.find('\n') + 1)
                                           : std::string_view(source));
  std::string package, first, public_type;
  int depth = 0;
  bool is_public = false;      // so far
  bool names_type = false;     // the declaration being read names a type
  bool in_annotation = false;  // its name is being read
  std::string_view previous;
  for (std::string_view token = scanner.next(); !token.empty(); previous = token, token = scanner.next()) {
    // A method outside of types: it belongs to the implicit class of the file.
    if (depth == 0 && token == "(" && !names_type && !in_annotation) return {file_name, {}};
    if (token == "(" || token == "{") ++depth;
    else if (token == ")" || token == "}") --depth;
    bool is_in_name = in_annotation && (previous == "@" || previous == "." || token == ".") && token != "interface";
    in_annotation = depth == 0 && (token == "@" || is_in_name);
    if (depth != 0 || in_annotation) continue;
    if (token == ";" || token == "}") names_type = is_public = false;
    if (token == "public") is_public = true;
    if (token == "package") {
      for (token = scanner.next(); !token.empty() && token != ";"; token = scanner.next()) package += token;
      package += '.';
    } else if (previous != "." && (token == "class" || token == "interface" || token == "enum" || token == "record")) {
      names_type = true;
      token = scanner.next();
      if (first.empty()) first = package + std::string(token);
      if (is_public && public_type.empty()) public_type = token;
    }
  }
  return {first, public_type};
}

CompiledSource compile_source_file(const std::string& path, const std::string& java_home, const std::string& class_path,
                                   const std::vector<std::string>& options) {
  CompiledSource result;
  std::string source = read_file(path);
  JavaCompiler compiler = compiler_for(java_home);
  std::vector<std::string>& words = compiler.words;
  if (words.empty()) {
    u32 release = release_of(java_home);
    print_text(stderr, "error: {} has no javac; ./keyhole --fetch-library {} gets a compiler\n", java_home, release);
    result.exit_code = 1;
    return result;
  }
  const SourceTypes types = types_of_source(source, fs::path(path).stem().string());
  result.main_class = types.main_class;
  if (result.main_class.empty()) {
    print_text(stderr, "error: no class declared in source file\n");
    result.exit_code = 1;
    return result;
  }

  std::error_code error;
  auto compiler_time = fs::last_write_time(compiler.identity, error).time_since_epoch().count();
  const bool finds_others = home_is_within(java_home, 22, ~0u);  // a program may consist of several files
  const fs::path others_root = finds_others ? source_root(path, result.main_class) : fs::path();
  // The key only names the cache's folder: the cached copies of this and the other sources decide whether the entry is
  // used. The other sources' root is part of the key, because the same source elsewhere has other files beside it. The
  // first number is the version of the folder's layout.
  u64 key = fnv_hash(source, fnv_hash(fmt::format("3|{}|{}|{}|{}|{}", fmt::join(words, " "), compiler_time, class_path,
                                                  fmt::join(options, " "), others_root.string())));
  fs::path root = cache_folder();
  fs::path folder = root / fmt::format("{:016x}", key);
  std::string copy_name = fs::path(path).filename().string();
  if (!root.empty() && fs::exists(folder / ".complete", error) && read_file(folder / "source" / copy_name) == source &&
      are_unchanged(read_file(folder / "others"))) {
    print_text(stderr, "{}", read_file(folder / "messages"));
    result.class_folder = (folder / "classes").string();
    return result;
  }

  // Compiles beside the final folder, then renames: two runs of the same file never see an incomplete folder.
  fs::path work = root.empty() ? fs::path() : root / fmt::format("{:016x}.{}", key, getpid());
  if (root.empty() || !fs::create_directories(work / "classes", error)) {
    char name[] = "/tmp/keyhole-XXXXXX";
    if (mkdtemp(name) == nullptr) {
      print_text(stderr, "error: cannot create a folder for the compiled classes: {}\n", strerror(errno));
      result.exit_code = 1;
      return result;
    }
    work = name;
    fs::create_directories(work / "classes", error);
    result.temporary = true;
  }
  words.insert(words.end(), {"-proc:none", "-d", (work / "classes").string()});
  if (!class_path.empty()) words.insert(words.end(), {"-cp", class_path});
  // The options of java's launcher: no warnings about old versions; where other sources are found, more warnings and no
  // notes.
  words.push_back("-Xdiags:verbose");
  if (!options.empty()) words.push_back("-Xlint:-options");
  if (finds_others) words.insert(words.end(), {"-Xlint:deprecation", "-Xlint:unchecked", "-XDsuppressNotes"});
  words.insert(words.end(), options.begin(), options.end());
  words.insert(words.end(), {"-sourcepath", (finds_others ? others_root : work / "classes").string()});
  std::string compiled = compilable_file(path, source, types, work);
  words.push_back(compiled);
  if (isatty(STDERR_FILENO) == 1) print_text(stderr, "keyhole: compiling {} (once)\n", path);
  int failure = run_javac(words, work / "messages");
  std::string messages = replaced(read_file(work / "messages"), compiled, path);
  print_text(stderr, "{}", messages);
  if (failure != 0) {
    print_text(stderr, "error: compilation failed\n");
    fs::remove_all(work, error);
    result.exit_code = 1;
    return result;
  }
  std::string others = finish_classes(work / "classes", others_root, copy_name, fs::path(compiled).filename().string());
  if (!result.temporary) {
    fs::create_directories(work / "source", error);
    std::ofstream(work / "others", std::ios::binary) << others;
    std::ofstream(work / "messages", std::ios::binary | std::ios::trunc) << messages;
    std::ofstream(work / "source" / copy_name, std::ios::binary) << source;
    std::ofstream(work / ".complete").flush();
    fs::remove_all(folder, error);
    fs::rename(work, folder, error);
    if (error) result.temporary = true;  // another run was faster, or the disk is full: use this one, then remove it
    else work = folder;
  }
  result.class_folder = (work / "classes").string();
  return result;
}

}  // namespace keyhole
