// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Agents written in Java need the natives of java.instrument.
#include "vm/launcher/attach/java_agent.h"

namespace keyhole::attach {

Answer load_java_agent(JavaThread*, const std::string&) { return {-1, "instrument was not loaded.\nThis VM has no java.lang.instrument\n"}; }

}  // namespace keyhole::attach
