// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The natives of sun.instrument.InstrumentationImpl; names and parameters as in classlib/natives/declarations.h.
// The i64 is the Agent.
#pragma once

#include "runtime/threads/handles.h"

namespace keyhole::natives {

bool InstrumentationImpl_isModifiableClass0(JavaThread*, Handle, i64, Handle) TOUCHES_OBJECTS;
bool InstrumentationImpl_isRetransformClassesSupported0(JavaThread*, Handle, i64);
Object* InstrumentationImpl_jarFile(JavaThread*, Handle, i64) MAY_SAFEPOINT;
void InstrumentationImpl_setHasTransformers(JavaThread*, Handle, i64, bool);
void InstrumentationImpl_setHasRetransformableTransformers(JavaThread*, Handle, i64, bool);
void InstrumentationImpl_retransformClasses0(JavaThread*, Handle, i64, Handle) MAY_SAFEPOINT;
void InstrumentationImpl_redefineClasses0(JavaThread*, Handle, i64, Handle) MAY_SAFEPOINT;
Object* InstrumentationImpl_getAllLoadedClasses0(JavaThread*, Handle, i64) MAY_SAFEPOINT;
Object* InstrumentationImpl_getInitiatedClasses0(JavaThread*, Handle, i64, Handle) MAY_SAFEPOINT;
i64 InstrumentationImpl_getObjectSize0(JavaThread*, Handle, i64, Handle) TOUCHES_OBJECTS;
void InstrumentationImpl_appendToClassLoaderSearch0(JavaThread*, Handle, i64, Handle, bool) TOUCHES_OBJECTS;
void InstrumentationImpl_setNativeMethodPrefixes(JavaThread*, Handle, i64, Handle, bool) TOUCHES_OBJECTS;
void InstrumentationImpl_loadAgent0(JavaThread*, Handle) MAY_SAFEPOINT;

}  // namespace keyhole::natives
