// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The C++ functions behind native methods: Class_method for a method of a class, with the parameters of its descriptor
// (after `this` for instance methods). There is one .cpp per class or small family; classlib/natives.def maps methods
// to functions. Each folder declares its own functions, and this header includes all of them.
#pragma once

#include "classlib/natives/java.base/foreign/declarations.h"
#include "classlib/natives/java.base/invoke/declarations.h"
#include "classlib/natives/java.base/io/declarations.h"
#include "classlib/natives/java.base/lang/declarations.h"
#include "classlib/natives/java.base/loader/declarations.h"
#include "classlib/natives/java.base/misc/declarations.h"
#include "classlib/natives/java.base/misc/signal.h"
#include "classlib/natives/java.base/reflect/declarations.h"
#include "classlib/natives/java.instrument/declarations.h"
#include "classlib/natives/java.management/declarations.h"
#include "classlib/natives/java.prefs/declarations.h"
#include "classlib/natives/jdk.sctp/declarations.h"
#include "classlib/natives/jdk.security.auth/declarations.h"
#include "runtime/threads/handles.h"

namespace keyhole::natives {

// Does nothing: for registerNatives, initIDs and other methods that only JNI needs.
void no_operation(JavaThread*);
// Does nothing, for methods with arguments.
u64 ignore_arguments(JavaThread*, Slot*);
// Returns false, for optional features that the JDK asks for.
bool always_false(JavaThread*);

}  // namespace keyhole::natives
