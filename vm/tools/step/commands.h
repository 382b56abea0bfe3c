// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads stepper commands, one per line, from a terminal or a script file, and prints their results.
#pragma once

#include <functional>
#include <istream>
#include <string>

#include "vm/tools/step/sources.h"
#include "vm/tools/step/stepper.h"

namespace keyhole::step {

class Commands {
 public:
  // Given a list of thread choices, returns the text of a file that --schedule can replay.
  using Token = std::function<std::string(const std::vector<controlled::Step>& script)>;

  Commands(Stepper& stepper, Sources& sources, Token token)
      : stepper_(stepper), sources_(sources), token_(std::move(token)) {}

  // Runs the commands of a file or a terminal until the input ends. `echoes`: prints each command before its result.
  // Returns the exit code.
  int run(std::istream& input, bool is_interactive, bool echoes);
  // Executes one command and returns the text to print; for an unknown command, an error message.
  std::string execute(const std::string& line, bool& is_error);
  std::string show() const;
  bool has_quit() const { return has_quit_; }

 private:
  std::string move(const std::string& verb, const std::string& operand, bool is_backward, bool& is_error);
  std::string moved(const std::string& problem) const;
  std::string save(const std::string& file);
  std::string schedule_text() const;

  Stepper& stepper_;
  Sources& sources_;
  Token token_;
  bool has_quit_ = false;
};

}  // namespace keyhole::step
