// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Parses name=value pairs, separated by commas.
#include "vm/tools/jdwp/options.h"

#include <fmt/format.h>

#include <charconv>

namespace keyhole::jdwp {
namespace {

bool read_flag(std::string_view value, bool& flag) {
  flag = value == "y";
  return value == "y" || value == "n";
}

bool read_number(std::string_view value, i64& number) {
  auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  return error == std::errc() && end == value.data() + value.size() && number >= 0;
}

// Parses one option. Returns false if there is no such option, or if its value is invalid.
bool read_option(std::string_view name, std::string_view value, Options& options) {
  bool ignored;
  if (name == "transport") return options.transport = value, true;
  if (name == "address") return options.address = value, true;
  if (name == "server") return read_flag(value, options.is_server);
  if (name == "suspend") return read_flag(value, options.suspend);
  if (name == "quiet") return read_flag(value, options.quiet);
  if (name == "timeout") return read_number(value, options.timeout_milliseconds);
  // These options are accepted and ignored. mutf8 has no effect because texts are always sent in modified UTF-8; the
  // other options concern old libraries.
  return (name == "mutf8" || name == "strict" || name == "stdalloc") && read_flag(value, ignored);
}

}  // namespace

Options parse_options(std::string_view text) {
  Options options;
  std::string option = fmt::format("-agentlib:jdwp={}\n", text);
  if (text == "help") {
    options.wants_help = true;
    return options;
  }
  for (std::string_view rest = text; !rest.empty();) {
    std::string_view word = rest.substr(0, rest.find(','));
    rest.remove_prefix(word.size() == rest.size() ? word.size() : word.size() + 1);
    usize equals = word.find('=');
    if (equals == std::string_view::npos || !read_option(word.substr(0, equals), word.substr(equals + 1), options)) {
      options.problem = "ERROR: JDWP option syntax error: " + option;
      return options;
    }
  }
  if (options.transport.empty()) {
    options.problem = "ERROR: JDWP no transport specified: " + option;
  } else if (!options.is_server && options.address.empty()) {
    options.problem = fmt::format(
        "ERROR: JDWP Non-server transport {} must have a connection address specified through the 'address=' option\n"
        "ERROR: JDWP invalid option: {}",
        options.transport, option);
  }
  return options;
}

std::string help_text() {
  return "Keyhole's debugger agent: the Java Debug Wire Protocol over sockets\n\n"
         "  java -agentlib:jdwp=[help]|[<option>=<value>, ...]\n\n"
         "  transport=dt_socket              how to reach the debugger\n"
         "  address=[<host>:]<port>          where to connect to or to listen; a server without one takes any free "
         "port\n"
         "  server=y|n                       listen for the debugger, instead of connecting to it       n\n"
         "  suspend=y|n                      wait for the debugger before the program starts            y\n"
         "  timeout=<milliseconds>           how long to wait for a connection; 0 is for ever           0\n"
         "  quiet=y|n                        do not print the address that is listened at               n\n";
}

}  // namespace keyhole::jdwp
