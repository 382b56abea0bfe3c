// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The text of -Xlog:help.
#include "runtime/base/log_output.h"

namespace keyhole::log {

std::string help_text() {
  std::string text =
      "-Xlog[:<what>[:<output>[:<decorators>[:<options>]]]]\n\n"
      "<what> is a list, separated by commas, of <tags>[=<level>]. Tags that belong together are joined by '+' and\n"
      "select lines with exactly these tags; with '*' behind them, lines with more tags, too. 'all' selects\n"
      "everything. Without a level: info.\n\n"
      "Levels, each with those before it:\n  ";
  for (std::string_view name : level_names)
    text += fmt::format("{}{}", name, name == std::end(level_names)[-1] ? "\n\n" : ", ");
  text += "Decorators (default: uptime,level,tags; 'none' for none):\n  ";
  for (const DecoratorName& row : decorator_names)
    text += fmt::format("{} ({}){}", row.name, row.abbreviation, &row == std::end(decorator_names) - 1 ? "\n\n" : ", ");
  text += "Tags:\n";
  std::string line = " ";
  for (usize i = 0; i < tag_set_count; ++i) {
    std::string name = tag_text(static_cast<TagSet>(i), '+');
    if (line.size() + name.size() > 100) text += line + "\n", line = " ";
    line += fmt::format(" {}{}", name, i + 1 < tag_set_count ? "," : "");
  }
  text +=
      line +
      "\n\n"
      "HotSpot's other tags are accepted, too; no line has them.\n\n"
      "Output: stdout (default), stderr or file=<name>. In the name, %p is the process id, %t the time of the start\n"
      "and %hn the host's name. <options>, separated by commas:\n"
      "  filesize=<bytes>      the file is put aside when it has that size (k, m, g; default 20m; 0: never)\n"
      "  filecount=<number>    how many old files are kept (default 5); 0: one file, overwritten at the start\n"
      "  foldmultilines=true   a message stays one line, with \\n for its line ends\n\n"
      "Examples:\n"
      "  -Xlog:gc                          a line for each collection\n"
      "  -Xlog:gc*=debug                   and its phases, regions, references, worker threads\n"
      "  -Xlog:class+load,class+unload     classes as they come and go\n"
      "  -Xlog:gc,safepoint=debug:file=x.log:uptime,tid\n"
      "                                    collections and stops, into a file, with the time and the thread\n"
      "  -Xlog:disable -Xlog:gc=info:stderr\n"
      "                                    no errors and warnings on stdout; collections on stderr\n";
  return text;
}

}  // namespace keyhole::log
