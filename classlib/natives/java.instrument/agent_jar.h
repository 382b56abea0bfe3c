// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The jar of an agent: its manifest (package java.lang.instrument, "Manifest Attributes").
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace keyhole::natives {

struct AgentJar {
  std::string jar;
  std::string class_name;                    // the class that the requested attribute names
  std::vector<std::string> boot_class_path;  // files of Boot-Class-Path; relative ones lie beside the jar
  bool can_redefine = false, can_retransform = false, can_set_native_method_prefix = false;
  std::string problem;  // java's error; empty: none
};

// `attribute` names the class to start: "Premain-Class", "Agent-Class", "Launcher-Agent-Class".
AgentJar read_agent_jar(std::string_view jar, std::string_view attribute);

}  // namespace keyhole::natives
