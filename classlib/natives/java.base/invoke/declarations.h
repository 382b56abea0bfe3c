// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The C++ functions behind the natives of java.lang.invoke; names and parameters as in
// classlib/natives/declarations.h.
#pragma once

#include "runtime/threads/handles.h"

namespace keyhole::natives {

// java.lang.invoke.DirectMethodHandle
Object* DirectMethodHandle_invokeReference(JavaThread*, Handle, Handle) MAY_SAFEPOINT;
i64 DirectMethodHandle_invokePrimitive(JavaThread*, Handle, Handle) MAY_SAFEPOINT;
Object* DirectMethodHandle_codeFor(JavaThread*, i64, i32) MAY_SAFEPOINT;

// java.lang.invoke.TypeBoundary
bool TypeBoundary_isChecked(JavaThread*);
void TypeBoundary_fail(JavaThread*, Handle) TOUCHES_OBJECTS;

// java.lang.invoke.MemberName
bool MemberName_resolveMethod(JavaThread*, Handle, Handle, Handle, Handle, Handle) MAY_SAFEPOINT;
bool MemberName_resolveField(JavaThread*, Handle, Handle, Handle, Handle, Handle) MAY_SAFEPOINT;
void MemberName_checkMethodLinkage(JavaThread*, Handle, Handle, i64, bool) MAY_SAFEPOINT;
void MemberName_checkFieldConstraints(JavaThread*, Handle, Handle, Handle, Handle) MAY_SAFEPOINT;

// java.lang.invoke.LambdaMetafactory
Object* LambdaMetafactory_define(JavaThread*, Handle, Handle, Handle, Handle, Handle, i32, bool, i64, Handle)
    MAY_SAFEPOINT;

// java.lang.invoke.VarHandle
i64 VarHandle_accessBits(JavaThread*, Handle, i64, i32, u16, i64, i64) TOUCHES_OBJECTS;

// Signature-polymorphic methods that are called by reflection: the call is refused.
Object* polymorphic_object(JavaThread*, Handle, Handle) MAY_SAFEPOINT;
void polymorphic_void(JavaThread*, Handle, Handle) MAY_SAFEPOINT;
bool polymorphic_boolean(JavaThread*, Handle, Handle) MAY_SAFEPOINT;

}  // namespace keyhole::natives
