// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Source-file mode: `keyhole File.java args` compiles the file with javac and runs its first class.
//
// The classes go to a cache, ~/.cache/keyhole/<hash>/, beside a copy of the source: a second run of an unchanged file
// starts at once, with the messages of the first. The key covers the source's bytes and the compiler; the copy guards
// against a hash collision. For libraries from 22 on the program may consist of further files, found by the names of
// their classes; when one has changed, all are recompiled. If the cache cannot be written, the classes go to a
// temporary folder that is removed at the end.
#pragma once

#include <string>
#include <vector>

namespace keyhole {

struct CompiledSource {
  std::string main_class;  // types_of_source
  std::string class_folder;
  bool temporary = false;  // class_folder is to be removed after the program
  int exit_code = 0;       // not 0: javac has printed its errors; exit with this code
};

// Compiles a source file. `options` are for javac: --source N, --enable-preview.
CompiledSource compile_source_file(const std::string& path, const std::string& java_home, const std::string& class_path,
                                   const std::vector<std::string>& options);

// The classes of a source text. `main_class`: the class to run, which is the first top-level type; if methods stand
// outside of types (from library 25 on), the class that is named after the file. Empty: there is no such class.
// `public_type`: the first public type, without its package, if there is one.
struct SourceTypes {
  std::string main_class, public_type;
};
SourceTypes types_of_source(const std::string& source, const std::string& file_name);

}  // namespace keyhole
