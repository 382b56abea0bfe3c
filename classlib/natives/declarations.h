// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The C++ functions behind native methods: Class_method for the method of that class, parameters as in its descriptor
// (after `this` for instance methods). One .cpp per class or small family; which function serves which method:
// classlib/natives.def. Each folder declares its own functions; this header includes all of them.
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

// registerNatives, initIDs and what else only JNI needs.
void no_operation(JavaThread*);
// The same for methods with arguments.
u64 ignore_arguments(JavaThread*, Slot*);
// For what the JDK can do without, and asks for.
bool always_false(JavaThread*);

}  // namespace keyhole::natives
