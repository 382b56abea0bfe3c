// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Keeps the registered describer.
#include "gc/inspect/description.h"

namespace keyhole::gc::inspect {
namespace {

constinit Describer in_force = {
    [](const Klass*, std::vector<FieldDescription>&) {}, [](const Klass* klass) { return klass->name->dotted(); },
    [](const Klass*) { return std::string(); },          [](const Klass*) -> Object* { return nullptr; },
    [](JavaThread*, std::vector<FrameDescription>&) {},  [](JavaThread*, void (*)(Object*, i32, void*), void*) {},
};

}  // namespace

void describe_with(const Describer& describer) { in_force = describer; }
const Describer& describer() { return in_force; }

}  // namespace keyhole::gc::inspect
